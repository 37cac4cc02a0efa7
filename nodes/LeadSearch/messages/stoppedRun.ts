/** Messages for a run that ended early: how to get the remaining rows without paying twice, and what was charged. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { mayHaveBeenCharged, type Failure, type FailureKind } from '../api/failures';
import type { Cost } from '../paging/cost';
import type { SpendingLimit } from '../paging/credits';
import type { FailureContext, ErrorText } from './failures';
import { quantity } from './quantity';

const LIMIT_NAMES = {
	maxCredits: "'Max Credits'",
	creditCeiling: "'Credit Ceiling' of the credential",
};

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

/** The results that a task didn't get. */
export interface Missing {
	/** The input items with incomplete results. It is undefined if all items of the task have them. */
	items?: number[];
	/** The index of the first missing row, from 0. It is also the Skip of a search that starts at this row. */
	firstIndex?: number;
	/** The number of rows between Skip and the first missing row. */
	rowsBefore?: number;
	/** The number of URLs without a result, whose profiles may exist. */
	urls?: number;
	/**
	 * The rows of a lookup that were charged, but aren't matched to a requested URL. A renamed profile comes back
	 * under its new URL, for example.
	 */
	unmatched?: Json[];
}

/** Whether, and how long, later runs can reuse the rows of this run. */
export interface SavedRows {
	/** Whether all rows are saved: the cache and the data for the Retry had room for them. */
	isWhole: boolean;
	/**
	 * The minutes for which new executions reuse the rows. If it is 0, only the same execution and its Retry still
	 * do.
	 */
	minutes: number;
	hasRetry: boolean;
}

export interface StoppedRun extends FailureContext {
	failure: Failure;
	missing: Missing;
	/**
	 * The cost of this run and of the earlier runs of this node in the execution. Without an execution, it includes all
	 * calls with the credential in the last 60 minutes.
	 */
	cost: Cost;
	limit: SpendingLimit;
	/** Whether the workflow continues, so that the received rows are in the output. */
	continues: boolean;
	savedRows: SavedRows;
	/**
	 * Whether one credential can contain the keys of several accounts. Rows are reused only with the key that paid
	 * for them.
	 */
	isAccountByExpression: boolean;
	/**
	 * The Limit with which the same search returns exactly the saved rows for 0 credits. It is undefined if no Limit
	 * does that, for example after several tasks.
	 */
	limitOfSavedRows?: number | undefined;
	/** Whether Return All is on. The editor then hides Limit. */
	returnsAll?: boolean;
}

/** Returns `advice`, followed by how to continue, what was charged, and which rows are saved. */
export function formatStoppedRun(run: StoppedRun, advice: string): string {
	if (!ENDPOINTS[run.endpoint].costsCredits) return advice;
	return joinSentences(advice, describeNextStep(run), describeCharges(run), describeSavedRows(run));
}

function describeCharges({ failure, cost, limit }: StoppedRun): string {
	// Otherwise an earlier run has spent the credits.
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

function formatSpent({ charged, wasted }: Cost, { isExecution }: SpendingLimit): string {
	const ofWhich = wasted > 0 ? `, ${wasted.toLocaleString('en')} of them wasted` : '';
	return isExecution
		? `This node has spent ${quantity(charged, 'credit')} in this execution${ofWhich}.`
		: `${quantity(charged, 'credit was')} spent with this credential within the last 60 minutes${ofWhich}.`;
}

function describeSavedRows(run: StoppedRun): string {
	const { endpoint, fetched, continues, savedRows, limitOfSavedRows, returnsAll } = run;
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
			`To see ${limitOfSavedRows === 1 ? 'it' : 'them'} for 0 credits, ${
				returnsAll
					? `turn off 'Return All', set 'Limit' ${limitOfSavedRows}, run the node, and then turn 'Return All' on again`
					: `run the node with 'Limit' ${limitOfSavedRows}, and then set 'Limit' back`
			}.`,
		isSaved && !savedRows.isWhole && `There was no room to save all ${noun}s.`,
	);
}

/** Whether rows of an unexpected response may be requested again: a search may not know their indexes. */
function mayRequestAgain({ endpoint, failure }: StoppedRun): boolean {
	return failure.kind === 'protocolViolation' && endpoint === 'search';
}

function mayChangeAccount({ failure, isAccountByExpression }: StoppedRun): boolean {
	return failure.kind === 'unauthorized' && isAccountByExpression;
}

function canRunAgain(run: StoppedRun): boolean {
	return run.savedRows.minutes > 0 && !mayChangeAccount(run);
}

function describeNextStep(run: StoppedRun): string {
	const { endpoint, fetched, missing, cost, savedRows } = run;
	const { minutes, hasRetry, isWhole } = savedRows;
	if (fetched + cost.charged === 0) return '';
	if (mayChangeAccount(run))
		return 'The key comes from an expression: with another key, you pay for everything again.';
	const canRun = canRunAgain(run);
	if (!canRun && !hasRetry) return 'If you run it again, you may pay for everything again.';
	const retry = hasRetry && 'Press Retry (the arrow in Executions)';
	const again =
		canRun && `${retry ? 'or run' : 'Run'} it again within ${quantity(minutes, 'minute')}`;
	// A page that was received twice may be sent again, and rows that aren't matched are requested again.
	const isRest = isWhole && cost.wasted === 0 && !missing.unmatched?.length;
	const { noun } = ENDPOINTS[endpoint];
	const unsaved = isRest
		? 'you pay only for the rest'
		: `you don't pay again for the ${noun}s that are saved`;
	const paid = mayRequestAgain(run)
		? `you may pay again for the ${noun}s in the unexpected response`
		: unsaved;
	const entry = CORRECTED_ELSEWHERE.has(run.failure.kind) ? 'original' : 'currently saved';
	const choice = retry && ` For Retry, choose 'with ${entry} workflow'.`;
	return `${[retry, again].filter(Boolean).join(', ')}: ${paid}.${choice || ''}`;
}

/**
 * The failures that end without a correction of the workflow. Only the Retry with the original workflow ignores that a user
 * has set a smaller Limit to see the rows. Only the Retry with the currently saved workflow has a correction.
 */
const CORRECTED_ELSEWHERE: ReadonlySet<FailureKind> = new Set([
	'unauthorized',
	'forbidden',
	'noCredits',
	'proxyLogin',
	'tooManyRequests',
	'unreadable',
	'cancelled',
] as const);

export function describeDetails({
	failure,
	missing: { unmatched = [] },
	fetched,
	cost,
}: Pick<StoppedRun, 'missing' | 'fetched' | 'cost'> & Partial<StoppedRun>): Json {
	const details = { status: failure?.status ?? null, creditsSpent: cost.charged, fetched };
	return unmatched.length > 0 ? { ...details, unmatched } : details;
}

export function formatLost({
	lostResponses,
	possiblyCharged,
}: Pick<Cost, 'lostResponses' | 'possiblyCharged'>): string {
	if (lostResponses === 0) return '';
	const lost = `${quantity(lostResponses, 'response was')} lost or could not be used`;
	return possiblyCharged > 0
		? `${lost}; up to ${quantity(possiblyCharged, 'credit')} may have been charged.`
		: `${lost}. The node counts no credits for ${lostResponses === 1 ? 'it' : 'them'}, but the service may have charged some.`;
}

/** `hasLargePages` is whether pages can have more than 25 rows (Look Up: URLs) before a response is lost. */
export function describeLostResponses(
	endpoint: Endpoint,
	cost: Cost,
	hasLargePages: boolean,
): string {
	const lost = formatLost(cost);
	if (lost === '' || !hasLargePages) return lost;
	return `${lost} After such a response, a run requests at most 25 ${ENDPOINTS[endpoint].noun}s at a time. If this happens again, set 'Page Size' under Options to 25.`;
}

/** Says which limit left a list incomplete. `missing` is passed only for an agent, which can't raise a limit. */
export function describeBudget(
	endpoint: Endpoint,
	limit: SpendingLimit,
	rows: number,
	missing?: Missing,
): string {
	const { noun } = ENDPOINTS[endpoint];
	const skip = missing?.firstIndex;
	const forAgent =
		skip === undefined
			? 'Request the remaining URLs later.'
			: `To continue later, set 'Skip' to ${skip}.`;
	return joinSentences(
		`This list is incomplete: ${LIMIT_NAMES[limit.kind]} (${quantity(limit.credits, 'credit')}) was reached after ${quantity(rows, noun)}.`,
		describeHowToContinue(limit, missing && forAgent),
	);
}

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

export function formatNotRun({ message }: ErrorText): ErrorText {
	return {
		message: `This input item was not run, because an earlier one ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}

/** Joins sentences with spaces, without those that are false or empty. */
export function joinSentences(...texts: Array<string | false>): string {
	return texts.filter((text) => text !== false && text !== '').join(' ');
}
