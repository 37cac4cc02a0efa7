/** What people read of a run that ended early: what was charged, and how to get the rest without paying twice. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import type { Cost } from '../paging/ledger';
import type { FailureContext, ErrorText } from './failures';
import { quantity } from './quantity';

/** What limits what may be spent. */
export interface SpendingLimit {
	kind: 'maximum' | 'ceiling';
	credits: number;
	/** What is left of them. */
	left: number;
	/** Whether it holds for an execution; else for an hour of calls with the credential. */
	isExecution: boolean;
}

const NAMES = { maximum: "'Max Credits'", ceiling: "'Credit Ceiling' of the credential" };

/** How to get the rest, where a limit is spent. @param forAgent what an agent is to do, which can't raise anything */
function describeRemedy({ kind, isExecution }: SpendingLimit, forAgent?: string): string {
	let raise = 'Raise it to get the rest';
	if (kind === 'ceiling') raise = 'Ask whoever owns the credential to raise it';
	if (forAgent !== undefined) raise = `Only people can raise it; ${forAgent}`;
	return isExecution
		? `${raise}.`
		: `It holds for all calls with this credential within 60 minutes. ${raise}, or wait.`;
}

/** The part of a task's target that has not come. */
export interface Missing {
	/** The input items that lack something. All items of the task if there are none. */
	items?: number[];
	/** The first row of a list that is missing, counted from the start of the list. Undefined for a lookup. */
	firstRow?: number;
	/** The number of URLs of a lookup for which it isn't known whether there is a profile. */
	urls?: number;
	/** Rows of a lookup that came under other URLs and aren't matched to a requested URL yet. */
	unmatched?: Json[];
}

/** Whether what a run has is kept. */
export interface SavedRows {
	/** Whether there was room for all of it, wherever it may be looked for. */
	isWhole: boolean;
	/** So long whatever runs reuses it, in minutes; 0: its execution and that one's Retry alone, if anybody. */
	minutes: number;
	/** Whether the execution has a Retry that finds it. */
	hasRetry: boolean;
}

/** A task that failed, and what is left of it. */
export interface StoppedRun extends FailureContext {
	failure: Failure;
	missing: Missing;
	/** Of all that belongs together with the run. */
	cost: Cost;
	limit: SpendingLimit;
	/** Whether the rows come out: On Error is one of the Continue modes, and nobody cancelled. */
	continues: boolean;
	savedRows: SavedRows;
	/** Whether another key is another account, as it comes from an expression. */
	isAccountByExpression: boolean;
}

/** @param advice about the failure @returns what was charged, where the rows are, and what to do next */
export function formatStoppedRun(run: StoppedRun, advice: string): string {
	if (!ENDPOINTS[run.endpoint].costsCredits) return advice;
	return sentences(describeCharges(run), describeSavedRows(run), advice, describeNextStep(run));
}

function describeCharges({ failure, cost, limit }: StoppedRun): string {
	// Perhaps by a run before, which belongs together with it.
	const isSpentInVain = mayHaveBeenCharged(failure) && limit.left < 1;
	if (cost.charged === 0 && cost.lostResponses === 0 && !isSpentInVain)
		return 'Nothing was charged.';
	return sentences(
		cost.charged > 0 && formatSpent(cost, limit),
		formatLost(cost),
		isSpentInVain && `What may have been charged has used up ${NAMES[limit.kind]}.`,
	);
}

/** @param cost of all that belongs together */
function formatSpent({ charged, wasted }: Cost, { isExecution }: SpendingLimit): string {
	const inVain = wasted > 0 ? `, ${wasted.toLocaleString('en')} of them in vain` : '';
	return isExecution
		? `This node has spent ${quantity(charged, 'credit')} in this execution${inVain}.`
		: `${quantity(charged, 'credit was')} spent with this credential within 60 minutes${inVain}.`;
}

function describeSavedRows({ endpoint, fetched, continues, savedRows }: StoppedRun): string {
	const { noun } = ENDPOINTS[endpoint];
	const isKept = savedRows.minutes > 0 || savedRows.hasRetry;
	const places = [continues && 'in the output', isKept && savedRows.isWhole && 'kept'].filter(
		Boolean,
	);
	return sentences(
		fetched > 0 &&
			places.length > 0 &&
			`Your ${quantity(fetched, `${noun} is`)} ${places.join(' and ')}.`,
		isKept && !savedRows.isWhole && `There is no room to keep all ${noun}s.`,
	);
}

function describeNextStep({
	endpoint,
	failure,
	fetched,
	missing,
	cost,
	savedRows,
	isAccountByExpression,
}: StoppedRun) {
	const { minutes, hasRetry, isWhole } = savedRows;
	if (fetched + cost.charged === 0) return '';
	if (failure.kind === 'unauthorized' && isAccountByExpression)
		return 'The key comes from an expression, so with another one everything is paid anew.';
	const isContradicted = failure.kind === 'protocolViolation' && endpoint === 'search';
	const isForAll = minutes > 0 && !isContradicted;
	if (!isForAll && !hasRetry) return 'Running it again may pay for everything again.';
	const whenever = isContradicted ? ' once the service answers as documented' : '';
	const retry = hasRetry && `Press Retry (the arrow in Executions)${whenever}`;
	const again =
		isForAll && `${retry ? 'or run' : 'Run'} it again within ${quantity(minutes, 'minute')}`;
	// A page that came twice may come once more, and so do rows that have no owner.
	const isRest = isWhole && cost.wasted === 0 && !missing.unmatched?.length;
	const paid = isRest ? 'you pay only for the rest' : 'what is kept costs nothing then';
	// Rows that contradict others have no place.
	const what = isContradicted ? 'what that answer held is paid for again' : paid;
	return `${[retry, again].filter(Boolean).join(', ')}: ${what}.`;
}

/** The same as data, for workflows that continue after an error. */
export function stoppedRunDetails({
	failure,
	missing: { unmatched = [] },
	fetched,
	cost,
}: Pick<StoppedRun, 'missing' | 'fetched' | 'cost'> & Partial<StoppedRun>): Json {
	const details = { status: failure?.status ?? null, creditsSpent: cost.charged, fetched };
	return unmatched.length > 0 ? { ...details, unmatched } : details;
}

/** Answers that were lost; empty where none was. */
export function formatLost({
	lostResponses,
	possiblyCharged,
}: Pick<Cost, 'lostResponses' | 'possiblyCharged'>): string {
	if (lostResponses === 0) return '';
	return `${quantity(lostResponses, 'answer was')} lost or could not be used; up to ${quantity(possiblyCharged, 'credit')} may have been charged.`;
}

/**
 * Answers were lost, and what they hold has come all the same, or an item says why not.
 *
 * @param asksForLess whether they were of more than the documented size, so that no more is requested now
 */
export function hintLost(
	cost: Pick<Cost, 'lostResponses' | 'possiblyCharged'>,
	asksForLess: boolean,
): string {
	return sentences(
		formatLost(cost),
		asksForLess &&
			"Smaller pages are asked for now, and so it goes on for a day. If it happens again, set a smaller 'Page Size' under Options.",
	);
}

/** A limit ended a run that has rows to put out. @param missing what has not come, where an agent reads it, which can't raise anything */
export function hintBudget(
	endpoint: Endpoint,
	limit: SpendingLimit,
	rows: number,
	missing?: Missing,
): string {
	const { noun } = ENDPOINTS[endpoint];
	const skip = missing?.firstRow;
	const forAgent = skip === undefined ? 'ask for the others later' : `later set 'Skip' to ${skip}`;
	return sentences(
		`This list is cut: ${NAMES[limit.kind]} (${quantity(limit.credits, 'credit')}) was reached after ${quantity(rows, noun)}.`,
		describeRemedy(limit, missing && forAgent),
	);
}

/** A limit was spent before an input item got anything. @param returned rows that are put out all the same */
export function formatNoBudget(limit: SpendingLimit, cost: Cost, returned: number): ErrorText {
	const { kind, credits, isExecution } = limit;
	const what = returned > 0 ? 'no more' : 'nothing';
	return {
		message: `${NAMES[kind]} (${quantity(credits, 'credit')}) is spent, so ${what} is returned`,
		description: sentences(
			kind === 'ceiling' && isExecution
				? 'Nodes of this execution have spent it, or are about to.'
				: formatSpent(cost, limit),
			formatLost(cost),
			describeRemedy(limit),
		),
	};
}

/** An earlier input item ended the run. */
export function formatNotRun({ message }: ErrorText): ErrorText {
	return {
		message: `Not run, because an earlier input item ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}

function sentences(...texts: Array<string | false>): string {
	return texts.filter((text) => text !== false && text !== '').join(' ');
}
