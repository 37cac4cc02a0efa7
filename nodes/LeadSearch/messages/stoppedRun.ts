/** Messages for a run that ended early: how to get the remaining rows without paying twice, and what was charged. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import type { Cost } from '../paging/pagedList';
import type { FailureContext, ErrorText } from './failures';
import { quantity } from './quantity';

/** A limit on spending, as messages name it. */
export interface SpendingLimit {
	kind: 'maxCredits' | 'creditCeiling';
	credits: number;
	/** The credits that the limit still allows. */
	remaining: number;
	/** Whether the limit applies to an execution. If not, it applies to an hour of calls with the credential. */
	isExecution: boolean;
}

const LIMIT_NAMES = {
	maxCredits: "'Max Credits'",
	creditCeiling: "'Credit Ceiling' of the credential",
};

/**
 * Says how to get the remaining rows after a limit was reached.
 *
 * @param forAgent what an agent can do, because it can't raise a limit
 */
function describeHowToContinue({ kind, isExecution }: SpendingLimit, forAgent?: string): string {
	let advice = 'Raise this limit to get the rest.';
	if (kind === 'creditCeiling') advice = 'Ask the owner of the credential to raise this limit.';
	if (forAgent !== undefined) advice = `Only a user can raise this limit. ${forAgent}`;
	return joinSentences(
		advice,
		!isExecution &&
			'Or wait: the limit applies to all calls with this credential within 60 minutes.',
	);
}

/** The results that a task requested but didn't receive. */
export interface Missing {
	/** The input items with incomplete results; undefined for all items of the task. */
	items?: number[];
	/** The number of the first missing row, counted from the start of the list; undefined for a lookup. */
	firstRow?: number;
	/** The number of rows between Skip and the first row that is missing. */
	rowsBefore?: number;
	/** The number of URLs of a lookup without a known result. */
	urls?: number;
	/** The rows of a lookup that were received under other URLs and aren't matched to a requested URL yet. */
	unmatched?: Json[];
}

/** The rows of a run that the node can reuse. */
export interface SavedRows {
	/** Whether all rows were saved. If not, the cache had no room for them. */
	isWhole: boolean;
	/**
	 * The number of minutes for which all runs reuse the rows. If it is 0, only the execution and its Retry reuse
	 * them.
	 */
	minutes: number;
	/** Whether the execution can be retried, and its Retry gets the rows. */
	hasRetry: boolean;
}

/** A task that failed, and the rows that it has. */
export interface StoppedRun extends FailureContext {
	failure: Failure;
	missing: Missing;
	/**
	 * The cost of all runs that share spending limits with this run: runs of the same execution, or an hour of calls without
	 * an execution.
	 */
	cost: Cost;
	limit: SpendingLimit;
	/** Whether the rows are in the output: On Error is one of the Continue modes, and the run was not cancelled. */
	continues: boolean;
	savedRows: SavedRows;
	/** Whether the API key comes from an expression. Another key can then belong to another account. */
	isAccountByExpression: boolean;
	/** The Limit with which the same search returns exactly the saved rows. Undefined if no Limit does. */
	limitOfSavedRows?: number | undefined;
}

/**
 * Says what to do, what was charged and where the rows are, in this order.
 *
 * @param advice what to do about the failure
 */
export function formatStoppedRun(run: StoppedRun, advice: string): string {
	if (!ENDPOINTS[run.endpoint].costsCredits) return advice;
	return joinSentences(advice, describeNextStep(run), describeCharges(run), describeSavedRows(run));
}

function describeCharges({ failure, cost, limit }: StoppedRun): string {
	// An earlier run with the same limits may have spent the credits.
	const hasUsedUpLimit = mayHaveBeenCharged(failure) && limit.remaining < 1;
	if (cost.charged === 0 && cost.lostResponses === 0 && !hasUsedUpLimit)
		return 'Nothing was charged.';
	return joinSentences(
		cost.charged > 0 && formatSpent(cost, limit),
		formatLost(cost),
		hasUsedUpLimit &&
			`Credits that may have been charged count as spent, and have used up ${LIMIT_NAMES[limit.kind]}.`,
	);
}

/**
 * Says how many credits were spent, and how many of them were wasted on rows that the run had already.
 *
 * @param cost the cost of all runs that share the limit
 */
function formatSpent({ charged, wasted }: Cost, { isExecution }: SpendingLimit): string {
	const ofWhich = wasted > 0 ? `, ${wasted.toLocaleString('en')} of them wasted` : '';
	return isExecution
		? `This node has spent ${quantity(charged, 'credit')} in this execution${ofWhich}.`
		: `${quantity(charged, 'credit was')} spent with this credential within the last 60 minutes${ofWhich}.`;
}

function describeSavedRows(run: StoppedRun): string {
	const { endpoint, fetched, continues, savedRows, limitOfSavedRows } = run;
	const { noun } = ENDPOINTS[endpoint];
	const isSaved = savedRows.minutes > 0 || savedRows.hasRetry;
	const locations = [continues && 'in the output', isSaved && savedRows.isWhole && 'saved'].filter(
		Boolean,
	);
	const canBeShown = !continues && savedRows.isWhole && canRunAgain(run);
	return joinSentences(
		fetched > 0 &&
			locations.length > 0 &&
			`Your ${quantity(fetched, `${noun} is`)} ${locations.join(' and ')}.`,
		canBeShown &&
			limitOfSavedRows !== undefined &&
			`To see ${limitOfSavedRows === 1 ? 'it' : 'them'} for 0 credits, run the node with 'Limit' ${limitOfSavedRows}, and then set 'Limit' back.`,
		isSaved && !savedRows.isWhole && `There was no room to save all ${noun}s.`,
	);
}

/**
 * Whether a response of a search contradicts earlier rows. The positions of its rows in the list are then not known.
 */
function isContradicted({ endpoint, failure }: StoppedRun): boolean {
	return failure.kind === 'protocolViolation' && endpoint === 'search';
}

/**
 * Whether the next run could use another account. That is so if the user has to change the key to continue, and the
 * key comes from an expression, which can return the key of another account.
 */
function mayChangeAccount({ failure, isAccountByExpression }: StoppedRun): boolean {
	return failure.kind === 'unauthorized' && isAccountByExpression;
}

/**
 * Whether a new execution would reuse the rows that the stopped run has paid for, so that the message may advise to
 * run it again.
 */
function canRunAgain(run: StoppedRun): boolean {
	return run.savedRows.minutes > 0 && !isContradicted(run) && !mayChangeAccount(run);
}

function describeNextStep(run: StoppedRun): string {
	const { endpoint, fetched, missing, cost, savedRows } = run;
	const { minutes, hasRetry, isWhole } = savedRows;
	if (fetched + cost.charged === 0) return '';
	if (mayChangeAccount(run))
		return 'The key comes from an expression: with another key, you pay for everything again.';
	const canRun = canRunAgain(run);
	if (!canRun && !hasRetry) return 'If you run it again, you may pay for everything again.';
	const condition = isContradicted(run) ? ' once the service answers as documented' : '';
	const retry = hasRetry && `Press Retry (the arrow in Executions)${condition}`;
	const again =
		canRun && `${retry ? 'or run' : 'Run'} it again within ${quantity(minutes, 'minute')}`;
	// A page that was received twice may be sent again, and rows that aren't matched are requested again.
	const isRest = isWhole && cost.wasted === 0 && !missing.unmatched?.length;
	const { noun } = ENDPOINTS[endpoint];
	const unsaved = isRest
		? 'you pay only for the rest'
		: `you don't pay again for the ${noun}s that are saved`;
	const paid = isContradicted(run)
		? `you pay again for the ${noun}s in the unexpected response`
		: unsaved;
	return `${[retry, again].filter(Boolean).join(', ')}: ${paid}.`;
}

/** The facts as data, for workflows that continue. */
export function describeDetails({
	failure,
	missing: { unmatched = [] },
	fetched,
	cost,
}: Pick<StoppedRun, 'missing' | 'fetched' | 'cost'> & Partial<StoppedRun>): Json {
	const details = { status: failure?.status ?? null, creditsSpent: cost.charged, fetched };
	return unmatched.length > 0 ? { ...details, unmatched } : details;
}

/** Says how many responses were lost. Returns an empty string if there were none. */
export function formatLost({
	lostResponses,
	possiblyCharged,
}: Pick<Cost, 'lostResponses' | 'possiblyCharged'>): string {
	if (lostResponses === 0) return '';
	return `${quantity(lostResponses, 'response was')} lost or could not be used; up to ${quantity(possiblyCharged, 'credit')} may have been charged.`;
}

/**
 * Says how many responses were lost, in a run that has all rows, or that has an error item that says why not.
 *
 * @param usesSmallerPages whether the lost pages were larger than the documented size, so that the node requests smaller
 * pages now
 */
export function describeLostResponses(
	cost: Pick<Cost, 'lostResponses' | 'possiblyCharged'>,
	usesSmallerPages: boolean,
): string {
	return joinSentences(
		formatLost(cost),
		usesSmallerPages &&
			"The node now requests smaller pages for a day. If this happens again, set a smaller 'Page Size' under Options.",
	);
}

/**
 * Says that a limit ended a run that has rows in its output.
 *
 * @param missing the part that wasn't received. It is given only for an agent, which can't raise a limit
 */
export function describeBudget(
	endpoint: Endpoint,
	limit: SpendingLimit,
	rows: number,
	missing?: Missing,
): string {
	const { noun } = ENDPOINTS[endpoint];
	const skip = missing?.firstRow;
	const forAgent =
		skip === undefined
			? 'Request the remaining URLs later.'
			: `To continue later, set 'Skip' to ${skip}.`;
	return joinSentences(
		`This list is incomplete: ${LIMIT_NAMES[limit.kind]} (${quantity(limit.credits, 'credit')}) was reached after ${quantity(rows, noun)}.`,
		describeHowToContinue(limit, missing && forAgent),
	);
}

/**
 * The message for input items that weren't requested, because a limit had been reached before.
 *
 * @param returned the number of rows that the output has for other input items
 */
export function formatNoBudget(limit: SpendingLimit, cost: Cost, returned: number): ErrorText {
	const { kind, credits, isExecution } = limit;
	const result = returned > 0 ? 'no more' : 'nothing';
	return {
		message: `${LIMIT_NAMES[kind]} (${quantity(credits, 'credit')}) is spent, so ${result} is returned`,
		description: joinSentences(
			describeHowToContinue(limit),
			kind === 'creditCeiling' && isExecution
				? 'The nodes of this execution have spent or reserved all of its credits.'
				: formatSpent(cost, limit),
			formatLost(cost),
		),
	};
}

/** The message for an input item that wasn't requested, because the failure of another item ended the run. */
export function formatNotRun({ message }: ErrorText): ErrorText {
	return {
		message: `This input item was not run, because an earlier one ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}

function joinSentences(...texts: Array<string | false>): string {
	return texts.filter((text) => text !== false && text !== '').join(' ');
}
