/** What people read about credits: what was charged, where it went, how to go on without paying twice. */
import { ENDPOINTS, MAX_RESULTS, type Endpoint, type Json } from '../api/contract';
import type { CreditFigures } from '../api/credits';
import { countRows, type RowRange } from '../api/ranges';
import { count, listItems } from './count';

/** What has not come. */
export interface Remainder {
	/** The input items that lack something, in order. */
	items: number[];
	/** Rows of a list; undefined for a lookup. */
	rows?: ListRemainder;
	/** Number of URLs of a lookup of which it is not known whether there is a profile. */
	urls?: number;
}

export interface ListRemainder {
	wanted: RowRange;
	isReturnAll: boolean;
	/** Rows wanted that have not come and may exist, in order. */
	missing: RowRange[];
}

/** What did not come of a fetch, and what of the execution was not run. */
export interface Unfinished {
	endpoint: Endpoint;
	remainder: Remainder;
	/** The input items of the fetch; none where it belongs to all of them. */
	items: number[];
	/** The input items of the fetches after it, where those were not run. */
	notRun: number[];
}

/** The state of a fetch, and of the whole execution, when a run stopped part-way. */
export interface StoppedRun extends Unfinished {
	/** Whether the node hands on what it has (On Error is one of the Continue modes). */
	continues: boolean;
	/** Whether the execution can be retried, with what it has paid for. */
	isRetryable: boolean;
	/** Rows of this fetch that have come, those paid for in an earlier run included. */
	fetched: number;
	/** Of the execution so far. */
	credits: CreditFigures;
	/** How long what was paid for is kept, in minutes; 0 where it is not. */
	minutesKept: number;
	/** Whether it could be kept: n8n's memory takes so much only. */
	hasRoom: boolean;
	/** Whether running again as it is would end the same way. */
	isFinal: boolean;
}

const CREDIT = { one: 'credit', many: 'credits' };
const MINUTE = { one: 'minute', many: 'minutes' };
const RESPONSE = { one: 'answer was', many: 'answers were' };
const REQUEST = { one: 'request', many: 'requests' };
const URL_NOUN = { one: 'URL', many: 'URLs' };

/** What was spent: '50 leads for 50 credits, 1 request'. */
export function formatCost(endpoint: Endpoint, figures: CreditFigures): string {
	const { charged, requests, returned } = figures;
	return `${count(returned, ENDPOINTS[endpoint].noun)} for ${count(charged, CREDIT)}, ${count(requests, REQUEST)}`;
}

/** Hint: what a run cost, and the execution where that is more. */
export function hintCost(endpoint: Endpoint, run: CreditFigures, execution: CreditFigures): string {
	const inAll =
		execution.charged > run.charged
			? `; ${count(execution.charged, CREDIT)} in this execution so far`
			: '';
	return `${formatCost(endpoint, run)}${inAll}`;
}

/**
 * Hint: rows that were paid for before.
 *
 * @param reused of them
 * @param returned in all
 * @param minutesAgo when they were paid for; undefined where that was in the same execution
 */
export function hintReused(
	endpoint: Endpoint,
	reused: number,
	returned: number,
	minutesAgo: number | undefined,
): string {
	const rows = `${reused.toLocaleString('en')} of ${count(returned, ENDPOINTS[endpoint].noun)}`;
	const were = reused === 1 ? 'was' : 'were';
	if (minutesAgo === undefined) {
		return `${rows} ${were} paid for earlier in this execution and cost nothing now.`;
	}
	const ago = minutesAgo < 1 ? 'less than a minute ago' : `${count(minutesAgo, MINUTE)} ago`;
	return `${rows} ${were} paid for ${ago} and cost nothing now. To buy them anew, set Reuse Paid Results to 0.`;
}

/** Sentences for the description of a failure; none where nothing costs credits. */
export function formatStoppedRun(run: StoppedRun): string {
	if (!ENDPOINTS[run.endpoint].costsCredits) return '';
	return [formatCharged(run), formatGoOn(run), formatLost(run.credits)]
		.filter((sentence) => sentence !== '')
		.join(' ');
}

/** The same as data, for workflows that go on by themselves. */
export function stoppedRunDetails(run: StoppedRun, status: number | undefined): Json {
	const { rows, urls = 0 } = run.remainder;
	const [first] = rows?.missing ?? [];
	const asLimit = ({ from, to }: RowRange) =>
		rows?.isReturnAll && to === MAX_RESULTS ? null : to - from;
	return {
		status: status ?? null,
		creditsSpent: run.credits.charged,
		fetched: run.fetched,
		...(rows && {
			skip: first?.from ?? rows.wanted.to,
			limit: first ? asLimit({ from: first.from, to: rows.wanted.to }) : 0,
		}),
		missing: rows
			? rows.missing.map((range) => ({ skip: range.from, limit: asLimit(range) }))
			: urls,
	};
}

function formatCharged({ endpoint, continues, fetched, credits, items }: StoppedRun): string {
	const { charged, possiblyCharged } = credits;
	if (charged === 0 && fetched === 0) return possiblyCharged > 0 ? '' : 'Nothing was charged.';
	const what = count(fetched, ENDPOINTS[endpoint].noun);
	const list = items.length === 0 ? '' : ` for ${listItems(items)}`;
	const inAll =
		charged === fetched
			? ''
			: ` In this execution ${count(charged, CREDIT)} ${charged === 1 ? 'was' : 'were'} spent in all.`;
	if (fetched === 0) return inAll.trim();
	return continues
		? `${what}${list} came before and are in the output.${inAll}`
		: `${what}${list} came before.${inAll}`;
}

/** How to get the rest without paying for anything twice. */
function formatGoOn(run: StoppedRun): string {
	const { credits, continues, fetched, isRetryable, minutesKept, hasRoom } = run;
	if (run.isFinal || (credits.charged === 0 && fetched === 0)) return '';
	const bySkip = formatSkip(run);
	if (minutesKept === 0 || !hasRoom) {
		const why = hasRoom
			? 'Reuse Paid Results is 0'
			: "This is more than is kept in n8n's memory";
		return `${why}, so running it again pays for them again.${bySkip === '' ? '' : ` Instead, ${bySkip}`}`;
	}
	const within = `within ${count(minutesKept, MINUTE)}`;
	const later = bySkip === '' ? '' : ` After that, ${bySkip}`;
	if (isRetryable) {
		return `Retry this execution ${within}: what was charged is not paid again.${later}`;
	}
	// What went well under Continue has been handed on; running it again would buy it again.
	const again = continues ? [...run.items, ...run.notRun] : [];
	const only = again.length === 0 ? '' : ` with only ${listItems(again)}`;
	return `Run again${only} ${within}: what was charged is kept in n8n's memory and not paid again.${later}`;
}

/**
 * The same for whoever comes later, in terms of Skip and Limit. Those count for every input item, so
 * items that have had theirs, or need other values, must stay out of that run.
 */
function formatSkip({ remainder, items, notRun }: Unfinished): string {
	const { rows, urls = 0 } = remainder;
	const others =
		notRun.length === 0 ? '' : `. Then run again with only ${listItems(notRun)}, as it is now`;
	if (!rows) {
		return urls === 0
			? ''
			: `run again with only the ${count(urls, URL_NOUN)} that ${urls === 1 ? 'was' : 'were'} not looked up${others}.`;
	}
	const [first] = rows.missing;
	const only = items.length === 0 ? '' : `run again with only ${listItems(items)}, and `;
	if (!first) return notRun.length === 0 ? '' : `run again with only ${listItems(notRun)}.`;
	if (first.from === rows.wanted.from) {
		const again = [...items, ...notRun];
		return again.length === 0 ? '' : `run again with only ${listItems(again)}.`;
	}
	if (rows.missing.length > 1) {
		const parts = rows.missing.map((range) => {
			const isOpen = rows.isReturnAll && range.to === rows.wanted.to;
			return `'Skip' ${range.from} with ${isOpen ? "'Return All'" : `'Limit' ${range.to - range.from}`}`;
		});
		return `${only}run once for each part that is missing: ${parts.join(', ')}${others}.`;
	}
	const isOpen = rows.isReturnAll && first.to === rows.wanted.to;
	const limit = isOpen ? '' : ` and 'Limit' to ${first.to - first.from}`;
	return `${only}set 'Skip' (under Options) to ${first.from}${limit}${others}.`;
}

function formatLost({ lostResponses, possiblyCharged }: CreditFigures): string {
	if (lostResponses === 0) return '';
	return `${count(lostResponses, RESPONSE)} lost or could not be used, for which up to ${count(possiblyCharged, CREDIT)} may have been charged.`;
}

/** Hint: as many rows as wanted were charged, but others among them. */
export function hintMissing(unfinished: Unfinished): string {
	const rows = countRows(unfinished.remainder.rows?.missing ?? []);
	const { noun } = ENDPOINTS[unfinished.endpoint];
	return `${count(rows, noun)} of those asked for are missing, since others were charged in their place. To get them, ${formatSkip(unfinished)}`;
}

/** Hint: a lookup for several input items reached its Limit, which is one for all of them. */
export function hintLimit(urls: number, items: number[]): string {
	const were = urls === 1 ? 'was' : 'were';
	return `${count(urls, URL_NOUN)} of ${listItems(items)} ${were} not looked up, since Limit counts the profiles of all input items together. Raise it, or turn on Return All.`;
}

/** The Credit Budget ended a run that has rows to put out. */
export function hintBudget(budget: number, credits: CreditFigures, unfinished: Unfinished): string {
	const bySkip = formatSkip(unfinished);
	const rest =
		bySkip === ''
			? 'Raise the Credit Budget to get them.'
			: `To get them without paying twice, ${bySkip}`;
	return `${formatBudgetSpent(budget, credits)} There may be more results. ${rest}`;
}

/** The Credit Budget was spent before a run could fetch anything. */
export function formatNoBudget(budget: number, credits: CreditFigures) {
	return {
		message: `The Credit Budget of ${count(budget, CREDIT)} is spent, so nothing was fetched`,
		description: `${formatBudgetSpent(budget, credits)} It holds for all runs of this node in one execution of the workflow. Raise it under Options to get more.`,
	};
}

function formatBudgetSpent(budget: number, { charged, possiblyCharged }: CreditFigures): string {
	const lost =
		possiblyCharged === 0
			? ''
			: ` and up to ${count(possiblyCharged, CREDIT)} for answers that were lost`;
	return `The Credit Budget of ${count(budget, CREDIT)} ended this run: ${count(charged, CREDIT)} spent${lost}.`;
}

/** Hint: answers were lost, though the run went on. */
export function hintLostResponses({ lostResponses, possiblyCharged }: CreditFigures): string {
	return `${count(lostResponses, RESPONSE)} lost or could not be used. Up to ${count(possiblyCharged, CREDIT)} may have been charged for ${lostResponses === 1 ? 'it' : 'them'}.`;
}

/** Hint: several input items asked for the same. */
export function hintSame(items: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	const cost = costsCredits ? ' and paid' : '';
	return `${items} input items ask for the same ${noun.many}. They were fetched${cost} once and returned for each item. To get them once, turn on Execute Once in the node's settings.`;
}

/** Hint: no search reaches further. */
export function hintCeiling(): string {
	return 'The search reached 100,000 results, which is as far as the lead service goes. Narrower filters get the rest.';
}

/** Hint: the service serves pages of one size alone, so the question about the next row has no answer. */
export function hintUnverifiedEnd(endpoint: Endpoint): string {
	return `The lead service says that no more ${ENDPOINTS[endpoint].noun.many} follow, but it ignores the page size, so that can't be verified. If your credits ran out just now, there may be more.`;
}

/** Hint: rows came that had come before, or that nobody asked for. */
export function hintRepeated(repeated: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	const cost = costsCredits
		? ` and cost ${count(repeated, CREDIT)}, which count towards Limit`
		: '';
	return `The lead service answered with other pages than asked for. ${count(repeated, noun)} came twice${cost}; they are returned once. Set Page Size to what the service takes to avoid this.`;
}

/** Hint: the service sent more rows than are wanted. */
export function hintUnwanted(rows: number, endpoint: Endpoint): string {
	const { noun } = ENDPOINTS[endpoint];
	return `The lead service sent more than was asked for: ${count(rows, noun)} outside Skip and Limit cost ${count(rows, CREDIT)} and are not returned.`;
}
