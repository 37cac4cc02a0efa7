/** What people read of a run that ended early: what was charged, and how to get the rest without paying twice. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import type { Failure } from '../api/failures';
import type { Circumstances, ErrorText } from './failures';
import { quantity } from './quantity';

const LIMITS = {
	maximum: {
		name: "'Max Credits per Execution'",
		advice: 'Raise it under Options to get the rest.',
	},
	ceiling: {
		name: "The credential's 'Credit Ceiling'",
		advice:
			'It holds for all nodes of the execution that use this credential. Ask whoever owns the credential to raise it.',
	},
};

/** What limits what an execution may spend. */
export interface Limit {
	kind: keyof typeof LIMITS;
	credits: number;
}

/** What has not come of what a task wants. */
export interface Missing {
	/** The input items that lack something; all of the task's where there are none. */
	items?: number[];
	/** Rows of a list that may exist, in order; a limit of null is an open end. Undefined for a lookup. */
	ranges?: Array<{ skip: number; limit: number | null }>;
	/** Rows that were wanted from `skip` on; null for all. */
	wanted?: { skip: number; limit: number | null };
	/** Number of URLs of a lookup of which it is not known whether there is a profile. */
	urls?: number;
}

/** Credits of an execution; rows of answers that were lost, and their number. */
type Spending = Record<'charged' | 'atRisk' | 'lost', number>;

/** A task that failed, and what is left of it. */
export interface StoppedRun extends Circumstances {
	failure: Failure;
	missing: Missing;
	/** Of the whole execution. */
	spending: Spending;
	/** Whether the rows come out: On Error is one of the Continue modes, and nobody cancelled. */
	continues: boolean;
	/** How long what was paid for is kept; 0 where it is not. */
	minutesKept: number;
	/** Whether it could be kept: n8n's memory takes so much only. */
	hasRoom: boolean;
}

/** Sentences for the description of a failure; none where nothing costs credits. */
export function formatStoppedRun(run: StoppedRun): string {
	const { endpoint, fetched, spending } = run;
	const { charged } = spending;
	if (!ENDPOINTS[endpoint].costsCredits) return '';
	const isTold = charged === 0 || charged === fetched;
	const told = sentences(
		fetched > 0 && formatKept(run),
		!isTold && `This execution has spent ${quantity(charged, 'credit')}.`,
		formatLost(spending),
	);
	return told === '' ? 'Nothing was charged.' : told;
}

/** The same as data, for workflows that go on by themselves. */
export function stoppedRunDetails({ failure, missing, fetched, spending }: StoppedRun): Json {
	const { ranges, wanted, urls = 0 } = missing;
	const facts = { status: failure.status ?? null, creditsSpent: spending.charged, fetched };
	if (!ranges || !wanted) return { ...facts, missing: urls };
	const end = wanted.limit === null ? null : wanted.skip + wanted.limit;
	const skip = ranges[0]?.skip ?? end ?? wanted.skip;
	return { ...facts, skip, limit: end === null ? null : end - skip, missing: ranges };
}

/** Where the rows are, and how to get the rest. */
function formatKept(run: StoppedRun): string {
	const { endpoint, failure, missing, fetched, continues, minutesKept, hasRoom } = run;
	const { noun } = ENDPOINTS[endpoint];
	const rowsAre = `Your ${quantity(fetched, `${noun} is`)}`;
	const first = missing.ranges?.[0]?.skip;
	// Skip gives up all rows before it, so it is for those that have come out alone.
	const isSkipped = continues && first !== undefined && first !== missing.wanted?.skip;
	const setSkip = isSkipped && `set 'Skip' (under Options) to ${first}`;
	if (minutesKept > 0 && hasRoom) {
		const isRetryable = !continues && failure.kind !== 'cancelled';
		return sentences(
			`${rowsAre}${continues ? ' in the output and' : ''} kept for ${quantity(minutesKept, 'minute')}.`,
			failure.kind === 'protocolViolation'
				? 'Run again once the service answers as documented: it may charge for the same answer again.'
				: `Run again${isRetryable ? ' (or Retry under Executions)' : ''}: you pay only for the rest.`,
			setSkip && `After that, ${setSkip} to get only the rest.`,
		);
	}
	const why = hasRoom ? "'Reuse Paid Results' is 0" : "They are more than n8n's memory keeps";
	return sentences(
		continues && `${rowsAre} in the output.`,
		setSkip
			? `To get only the rest, ${setSkip}.`
			: `${why}, so running again pays for ${quantity(fetched, noun)} again.`,
	);
}

/** Answers that were lost; empty where none was. */
export function formatLost({ lost, atRisk }: Pick<Spending, 'lost' | 'atRisk'>): string {
	if (lost === 0) return '';
	return `${quantity(lost, 'answer was')} lost or could not be used; up to ${quantity(atRisk, 'credit')} may have been charged.`;
}

/** Answers were lost, and what they hold has come all the same, or an item says why not. */
export function hintLost(spending: Pick<Spending, 'lost' | 'atRisk'>): string {
	return `${formatLost(spending)} If that happens often, set a smaller 'Page Size' under Options.`;
}

/** A limit ended a run that has rows to put out. */
export function hintBudget(endpoint: Endpoint, { kind, credits }: Limit, rows: number): string {
	const { name, advice } = LIMITS[kind];
	return `This list is cut: ${name} (${quantity(credits, 'credit')}) was reached after ${quantity(rows, ENDPOINTS[endpoint].noun)}. ${advice}`;
}

/** A limit was spent before a run could fetch anything. */
export function formatNoBudget({ kind, credits }: Limit, spending: Spending): ErrorText {
	const { name, advice } = LIMITS[kind];
	const spent =
		kind === 'maximum'
			? `This node has spent ${quantity(spending.charged, 'credit')} in this execution.`
			: 'Nodes of this execution have spent it, or are about to.';
	return {
		message: `${name} (${quantity(credits, 'credit')}) is spent, so nothing is returned`,
		description: sentences(spent, formatLost(spending), advice),
	};
}

/** An earlier input item ended the run. */
export function notRunAfter({ message }: ErrorText): ErrorText {
	return {
		message: `Not run, because an earlier input item ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}

function sentences(...all: Array<string | false>): string {
	return all.filter((one) => one !== false && one !== '').join(' ');
}
