/** What people read of a run that ended early: what was charged, and how to get the rest without paying twice. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import type { Cost } from '../paging/ledger';
import type { Circumstances, ErrorText } from './failures';
import { quantity } from './quantity';

/** What limits what may be spent. */
export interface SpendingLimit {
	kind: 'maximum' | 'ceiling';
	credits: number;
	/** What is left of them. */
	left: number;
	/** Whether the node runs by hand: then running again may spend as much once more. */
	isByHand: boolean;
	/** Whether it holds for an execution; else for an hour of calls with the credential. */
	isExecution: boolean;
	/** Whether results of runs that went well are reused, too. */
	reusesAll: boolean;
}

const NAMES = { maximum: "'Max Credits'", ceiling: "The credential's 'Credit Ceiling'" };

function adviceOf({ kind, isByHand, isExecution, credits }: SpendingLimit): string {
	if (kind === 'maximum' && isByHand)
		return `Run again by hand to buy up to ${quantity(credits, 'credit')} more, or raise it to get the rest at once; what has come costs nothing then.`;
	if (kind === 'maximum' && isExecution) return 'Raise it to get the rest.';
	const holds = isExecution
		? 'It holds for all nodes of the execution that use this credential.'
		: 'It holds for all calls with this credential within 60 minutes.';
	const owner = 'Ask whoever owns the credential to raise it';
	return kind === 'ceiling'
		? `${holds} ${owner}${isExecution ? '' : ', or wait'}.`
		: `${holds} Raise it, or wait.`;
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
	/** Rows of a lookup that came under other URLs, and whose they are isn't known. */
	unmatched?: Json[];
}

/** A task that failed, and what is left of it. */
export interface StoppedRun extends Circumstances {
	failure: Failure;
	missing: Missing;
	/** Of all that belongs together with the run. */
	cost: Cost;
	limit: SpendingLimit;
	/** Whether the rows come out: On Error is one of the Continue modes, and nobody cancelled. */
	continues: boolean;
	/** Whether n8n's Retry can run the execution again, which brings along what was paid for. */
	isRetryable: boolean;
	/** Whether nothing else was asked for in the run. */
	isOnly: boolean;
	isByHand: boolean;
	/** How long what was paid for is kept; 0 where it is not. */
	minutesKept: number;
}

/** Sentences for the description of a failure; none where nothing costs credits. */
export function formatStoppedRun(run: StoppedRun): string {
	const { endpoint, fetched, cost, missing } = run;
	const { charged } = cost;
	if (!ENDPOINTS[endpoint].costsCredits) return '';
	const kept = fetched + (missing.unmatched?.length ?? 0);
	const isTold = charged === 0 || charged === kept;
	const told = sentences(
		kept > 0 && formatKept(run),
		// Rounds before this one have got it.
		kept === 0 &&
			charged > 0 &&
			run.isRetryable &&
			run.minutesKept > 0 &&
			'Retry it under Executions: what it has paid for before costs nothing then.',
		!isTold && formatSpent(cost, run.limit),
		formatLost(cost),
		isSpentInVain(run) && formatSpentInVain(run.limit),
	);
	return told === '' ? 'Nothing was charged.' : told;
}

/** @param cost of all that belongs together */
function formatSpent({ charged }: Cost, { isExecution }: SpendingLimit): string {
	return isExecution
		? `This node has spent ${quantity(charged, 'credit')} in this execution.`
		: `${quantity(charged, 'credit was')} spent with this credential within 60 minutes.`;
}

/** Whether answers that were lost have used up what may be spent. */
function isSpentInVain({ failure, limit }: StoppedRun): boolean {
	return mayHaveBeenCharged(failure) && limit.left < 1;
}

function formatSpentInVain(limit: SpendingLimit): string {
	const name = limit.kind === 'ceiling' ? "the credential's 'Credit Ceiling'" : "'Max Credits'";
	return sentences(
		`What may have been charged counts towards ${name}, which leaves nothing to spend.`,
		// A later execution has a maximum of its own.
		!limit.isExecution && adviceOf(limit),
	);
}

/** The same as data, for workflows that go on by themselves. */
export function stoppedRunDetails({
	failure,
	missing,
	fetched,
	cost,
}: Pick<StoppedRun, 'missing' | 'fetched' | 'cost'> & Partial<StoppedRun>): Json {
	const { ranges, wanted, urls = 0, unmatched = [] } = missing;
	const facts = { status: failure?.status ?? null, creditsSpent: cost.charged, fetched };
	if (!ranges || !wanted)
		return { ...facts, missing: urls, ...(unmatched.length > 0 && { unmatched }) };
	const end = wanted.limit === null ? null : wanted.skip + wanted.limit;
	const skip = ranges[0]?.skip ?? end ?? wanted.skip;
	return { ...facts, skip, limit: end === null ? null : end - skip, missing: ranges };
}

/** So many rows can take more room than there is for what is kept. */
const MANY_ROWS = 10_000;

/** Where the rows are, and how to get the rest. */
function formatKept(run: StoppedRun): string {
	const { endpoint, failure, missing, fetched, continues, isOnly, minutesKept } = run;
	const { noun } = ENDPOINTS[endpoint];
	const { length: unmatched } = missing.unmatched ?? [];
	const rowsAre = `Your ${quantity(fetched, `${noun} is`)}`;
	const first = missing.ranges?.[0]?.skip;
	// Skip gives up all rows before it, so it is for those that have come out alone.
	const isSkipped = isOnly && continues && first !== undefined && first !== missing.wanted?.skip;
	const setSkip = isSkipped && `set 'Skip' to ${first}`;
	if (minutesKept === 0)
		return sentences(
			continues && fetched > 0 && `${rowsAre} in the output.`,
			setSkip
				? `To get only the rest, ${setSkip}.`
				: `'Reuse Paid Results' is 0, so running again pays for ${quantity(fetched + unmatched, noun)} again.`,
		);
	const { isRetryable } = run;
	const minutes = quantity(minutesKept, 'minute');
	// In production, what went well is paid for by each execution.
	const alone = continues && !isOnly && !run.limit.reusesAll && ' with the input items that failed';
	const again = isRetryable
		? `Retry it under Executions as long as it is there, or run again within ${minutes}`
		: `Run again${alone || ''}`;
	const isKept = `${continues ? ' in the output and' : ''} kept${isRetryable ? '' : ` for ${minutes}`}`;
	return sentences(
		fetched > 0 && `${rowsAre}${isKept}.`,
		fetched > MANY_ROWS && 'What takes more than 64 MB is not kept, and above 20 MB not for Retry.',
		formatUnmatched(unmatched, endpoint, minutesKept, isRetryable),
		failure.kind === 'protocolViolation'
			? `${again} once the service answers as documented: it may charge for the same answer again.`
			: `${again}: you pay only for the rest.`,
		run.isByHand &&
			failure.kind !== 'cancelled' &&
			!continues &&
			fetched > 0 &&
			first === fetched &&
			`To see the ${fetched} you have paid for, set 'Limit' to ${fetched}: it costs nothing.`,
		setSkip && `After that, ${setSkip} to get only the rest.`,
	);
}

/** Rows of a lookup whose owners are not known yet; empty for none. */
function formatUnmatched(
	rows: number,
	endpoint: Endpoint,
	minutesKept: number,
	isRetryable: boolean,
): string {
	if (rows === 0 || minutesKept === 0) return '';
	const how = isRetryable ? '' : ` for ${quantity(minutesKept, 'minute')}`;
	return `${quantity(rows, `${ENDPOINTS[endpoint].noun} is`)} kept${how}: the next run finds out for which URL.`;
}

/** Answers that were lost; empty where none was. */
export function formatLost({ lost, atRisk }: Pick<Cost, 'lost' | 'atRisk'>): string {
	if (lost === 0) return '';
	return `${quantity(lost, 'answer was')} lost or could not be used; up to ${quantity(atRisk, 'credit')} may have been charged.`;
}

/**
 * Answers were lost, and what they hold has come all the same, or an item says why not.
 *
 * @param asksForLess whether they were of more than the documented size, so that no more is asked for now
 */
export function hintLost(cost: Pick<Cost, 'lost' | 'atRisk'>, asksForLess: boolean): string {
	return sentences(
		formatLost(cost),
		asksForLess &&
			"Smaller pages are asked for now, and so it goes on for a day. If it happens again, set a smaller 'Page Size' under Options.",
	);
}

/** A limit ended a run that has rows to put out. */
export function hintBudget(endpoint: Endpoint, limit: SpendingLimit, rows: number): string {
	const { kind, credits, reusesAll } = limit;
	return sentences(
		`This list is cut: ${NAMES[kind]} (${quantity(credits, 'credit')}) was reached after ${quantity(rows, ENDPOINTS[endpoint].noun)}.`,
		adviceOf(limit),
		kind === 'maximum' &&
			!reusesAll &&
			"A later execution pays for what has come again, unless 'Reuse Results Of' is set to All Runs.",
	);
}

/** A limit was spent before an input item got anything. @param kept what the run has all the same, and has returned */
export function formatNoBudget(
	limit: SpendingLimit,
	cost: Cost,
	kept: { unmatched: number; minutesKept: number; returned: number },
): ErrorText {
	const { kind, credits, isExecution } = limit;
	const what = kept.returned > 0 ? 'no more' : 'nothing';
	return {
		message: `${NAMES[kind]} (${quantity(credits, 'credit')}) is spent, so ${what} is returned`,
		description: sentences(
			kind === 'ceiling' && isExecution
				? 'Nodes of this execution have spent it, or are about to.'
				: formatSpent(cost, limit),
			formatUnmatched(kept.unmatched, 'lookUp', kept.minutesKept, false),
			formatLost(cost),
			adviceOf({ ...limit, isByHand: false }),
		),
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
