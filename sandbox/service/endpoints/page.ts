import type { Behaviour } from '../accounts/behaviour';
import type { PageInfo } from '../contract/schemas';

/** Everything that a request could get, in the order it is served. */
export interface Results {
	/** Positions that pages are counted by: rows, or URLs that may stand for none or for several. */
	length: number;
	/** Numbers of the rows at the positions from `from` to the one before `to`. */
	rows: (from: number, to: number) => number[];
}

/** The part of the results that is served, and what the answer says of it. */
export interface Page {
	/** The page that the answer says it is. */
	number: number;
	/** Numbers of the rows that are served. */
	rows: number[];
	/** Position of the first one, from 0. */
	from: number;
	/** Positions of a full page. */
	size: number;
	/** The size that the answer names. */
	perPage: number;
	/** Whether a low balance ends the results here. */
	endedByBalance: boolean;
	/** Whether the answer names a next page. */
	more: boolean;
	/** Positions that may be asked for at all. */
	reachable: number;
	/** The `max_results` that was asked for. */
	maxResults: number;
}

/** Why a page isn't served. */
export interface Refusal {
	status: number;
	message: string;
}

const NO_CREDITS: Refusal = { status: 402, message: 'Not enough credits' };

/** The results of a search: each position is the row of one lead. */
export function rowsOf(leads: Uint32Array): Results {
	return { length: leads.length, rows: (from, to) => [...leads.subarray(from, to)] };
}

/**
 * Decides what rows a page holds: rows (page - 1) * size to page * size of the results, no further
 * than `max_results`, no more than the balance (contract: search rules 1 to 4).
 * @param asked with defaults filled in; sizes are in rows
 * @param balance credits left
 */
export function pageFor(
	asked: { page: number; perPage: number; maxResults: number },
	results: Results,
	balance: number,
	behaviour: Behaviour,
): Page | Refusal {
	if (behaviour.refusesAllAtZero && balance === 0) return NO_CREDITS;
	const limit = behaviour.refusesPerPageAbove;
	if (limit !== undefined && asked.perPage > limit.size)
		return { status: limit.status, message: `_per_page must be at most ${limit.size}` };

	const size = sizeOf(asked.page, asked.perPage, behaviour);
	const reachable = behaviour.ignoresMaxResults
		? results.length
		: Math.min(results.length, asked.maxResults);
	const last = Math.max(1, Math.ceil(reachable / size));
	if (behaviour.behindEnd === 'notFound' && asked.page > last)
		return { status: 404, message: `There is no page ${asked.page}` };
	const served = pageServed(asked.page, last, behaviour);
	const isNamed = behaviour.ignoresPage === 'one' || behaviour.behindEnd === 'namedLastPage';
	const number = isNamed ? served : asked.page;
	const from = (served - 1) * size;
	const due = results.rows(from, Math.min(from + size + (behaviour.sendsExtra ?? 0), reachable));
	// A page without rows costs nothing, so an empty balance doesn't stand in its way.
	if (due.length > 0 && balance === 0 && !behaviour.answersAtZero) return NO_CREDITS;

	const rows = due.slice(0, balance);
	const isCut = rows.length < due.length;
	const isDenied = behaviour.deniesMoreAtZero === true && rows.length === balance;
	const isMore = isCut ? behaviour.saysMoreWhenShort === true : number * size < reachable;
	const echoes = behaviour.echoesPerPage ?? behaviour.silentClamp !== undefined;
	const named = echoes ? asked.perPage : size;
	return {
		number,
		rows,
		from,
		size,
		perPage: isCut && rows.length > 0 && behaviour.perPageIsCut ? rows.length : named,
		endedByBalance: isCut || isDenied,
		more: isMore && !isDenied,
		reachable,
		maxResults: asked.maxResults,
	};
}

/** Positions of a full page. */
function sizeOf(page: number, asked: number, behaviour: Behaviour): number {
	const { fixedPerPage, clampPerPage, silentClamp, laterClamp, minPerPage = 1 } = behaviour;
	const { allowedPerPage = [] } = behaviour;
	const wanted = fixedPerPage ?? Math.max(asked, minPerPage);
	return Math.min(
		allowedPerPage.find((size) => size >= wanted) ?? allowedPerPage.at(-1) ?? wanted,
		clampPerPage ?? Infinity,
		silentClamp ?? Infinity,
		laterClamp !== undefined && page >= laterClamp.fromPage ? laterClamp.size : Infinity,
	);
}

/** The page whose rows are served. */
function pageServed(page: number, last: number, behaviour: Behaviour): number {
	if (behaviour.ignoresPage !== undefined) return 1;
	if (behaviour.behindEnd === 'firstPage') return page > last ? 1 : page;
	return behaviour.behindEnd === undefined ? page : Math.min(page, last);
}

/**
 * What the answer says about the page.
 * @param totalCount by the endpoint's own rule
 */
export function pagePlace({ number, perPage, more }: Page, totalCount: number) {
	return {
		page: number,
		per_page: perPage,
		total_count: totalCount,
		has_more: more,
		next_page: more ? number + 1 : null,
	};
}

/** The same, as search and lookup say it. */
export function pageInfo(page: Page, totalCount: number): PageInfo {
	const total_pages = Math.ceil(totalCount / page.size);
	return { ...pagePlace(page, totalCount), total_pages, max_results: page.maxResults };
}

/** Positions up to the last row of the page, as the contract's search rule 1 counts them. */
function countedSoFar({ number, size, rows }: Page): number {
	return (number - 1) * size + rows.length;
}

/** `total_count` of a search (contract: search rule 1): an estimate, the service doesn't count. */
export function estimatedTotal(page: Page): number {
	const { rows, size, maxResults } = page;
	return rows.length >= size ? maxResults : Math.min(countedSoFar(page), maxResults);
}

/** `total_count` of a list known as a whole: exact, unless credits ended it early. */
export function exactTotal(page: Page): number {
	return page.endedByBalance ? Math.min(countedSoFar(page), page.reachable) : page.reachable;
}
