/** What people read of a run that did not come to its end: what was charged, and how to go on without paying twice. */
import { ENDPOINTS, MAX_RESULTS, type Endpoint, type Json } from '../api/contract';
import type { CreditFigures, LostFigures } from '../api/credits';
import type { RowRange } from '../api/ranges';
import { CREDIT, listItems, MINUTE, quantity, RESPONSE, URL_NOUN } from './quantity';
import type { ErrorText } from './failures';

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
	/** Whether the node emits what it has (On Error is one of the Continue modes). */
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
	const what = quantity(fetched, ENDPOINTS[endpoint].noun);
	const list = items.length === 0 ? '' : ` for ${listItems(items)}`;
	const inAll =
		charged === fetched
			? ''
			: ` In this execution ${quantity(charged, CREDIT)} ${charged === 1 ? 'was' : 'were'} spent in all.`;
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
	const within = `within ${quantity(minutesKept, MINUTE)}`;
	const later = bySkip === '' ? '' : ` After that, ${bySkip}`;
	if (isRetryable) {
		return `Retry this execution ${within}: what was charged is not paid again.${later}`;
	}
	// What went well under Continue has been emitted; running it again would buy it again.
	const again = continues ? [...run.items, ...run.notRun] : [];
	const only = again.length === 0 ? '' : ` with only ${listItems(again)}`;
	return `Run again${only} ${within}: what was charged is kept in n8n's memory and not paid again.${later}`;
}

/**
 * The same for whoever comes later, in terms of Skip and Limit. Those count for every input item, so
 * items that have had theirs, or need other values, must stay out of that run.
 */
export function formatSkip({ remainder, items, notRun }: Unfinished): string {
	const { rows, urls = 0 } = remainder;
	const others =
		notRun.length === 0 ? '' : `. Then run again with only ${listItems(notRun)}, as it is now`;
	if (!rows) {
		return urls === 0
			? ''
			: `run again with only the ${quantity(urls, URL_NOUN)} that ${urls === 1 ? 'was' : 'were'} not looked up${others}.`;
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

function formatLost({ lostResponses, possiblyCharged }: LostFigures): string {
	if (lostResponses === 0) return '';
	return `${quantity(lostResponses, RESPONSE)} lost or could not be used, for which up to ${quantity(possiblyCharged, CREDIT)} may have been charged.`;
}

/** The Credit Budget was spent before a run could fetch anything. */
export function formatNoBudget(budget: number, credits: CreditFigures): ErrorText {
	return {
		message: `The Credit Budget of ${quantity(budget, CREDIT)} is spent, so nothing was fetched`,
		description: `${formatBudgetSpent(budget, credits)} It holds for all runs of this node in one execution of the workflow. Raise it under Options to get more.`,
	};
}

/** The Credit Budget ended a run. */
export function formatBudgetSpent(
	budget: number,
	{ charged, possiblyCharged }: CreditFigures,
): string {
	const lost =
		possiblyCharged === 0
			? ''
			: ` and up to ${quantity(possiblyCharged, CREDIT)} for answers that were lost`;
	return `The Credit Budget of ${quantity(budget, CREDIT)} ended this run: ${quantity(charged, CREDIT)} spent${lost}.`;
}
