import type { Behaviour } from '../accounts/behaviour';
import { refusal, type Answer } from '../answer';
import type { PageInfo } from '../contract/schemas';

/**
 * Everything that a request could get, in the order it is served: the numbers of its rows. Pages
 * are counted by its positions, each a row or an URL that may stand for none or for several.
 */
export type Results = Uint32Array | ReadonlyArray<number | number[]>;

/** The part of the results that is served. */
export interface Page {
	/** Numbers of the rows. */
	rows: number[];
	/** Position of the first one, from 0. */
	from: number;
	/** What the answer says of it. */
	info: PageInfo;
}

const NO_CREDITS = refusal(402, 'Not enough credits');

/**
 * Decides what rows a page holds: rows (page - 1) * size to page * size of the results, no further
 * than `max_results`, no more than the balance (contract: search rules 1 to 4).
 * @param asked with defaults filled in; sizes are in rows
 * @param estimatesTotal whether `total_count` is an estimate instead of exact
 * @param balance credits left
 */
export function pageFor(
	asked: { page: number; perPage: number; maxResults: number },
	results: Results,
	estimatesTotal: boolean,
	balance: number,
	behaviour: Behaviour,
): Page | Answer {
	if (behaviour.refusesAllAtZero && balance === 0) return NO_CREDITS;
	const limit = behaviour.refusesPerPageAbove;
	if (limit !== undefined && asked.perPage > limit.size)
		return refusal(limit.status, `_per_page must be at most ${limit.size}`);

	const size = sizeOf(asked.page, asked.perPage, behaviour);
	const reachable = behaviour.ignoresMaxResults
		? results.length
		: Math.min(results.length, asked.maxResults);
	const last = Math.max(1, Math.ceil(reachable / size));
	const own = Math.floor(((asked.page - 1) * asked.perPage) / size) + 1;
	const wanted = behaviour.renumbersPages ? own : asked.page;
	if (behaviour.behindEnd === 'notFound' && wanted > last)
		return refusal(404, `There is no page ${wanted}`);
	const served = pageServed(wanted, last, behaviour);
	const isNamed = behaviour.ignoresPage === 'one' || behaviour.behindEnd === 'namedLastPage';
	const number = isNamed ? served : wanted;
	const from = (served - 1) * size;
	const to = Math.min(from + size + (behaviour.sendsExtra ?? 0), reachable);
	const due = [...results.slice(from, to)].flat();
	// A page without rows costs nothing, so an empty balance doesn't stand in its way.
	if (due.length > 0 && balance === 0 && !behaviour.answersAtZero) return NO_CREDITS;

	const rows = due.slice(0, balance);
	const isCut = rows.length < due.length;
	const isDenied = behaviour.deniesMoreAtZero === true && rows.length === balance;
	const isMore = isCut ? behaviour.saysMoreWhenShort === true : number * size < reachable;
	const echoes = behaviour.echoesPerPage ?? behaviour.silentClamp !== undefined;
	const named = echoes ? asked.perPage : size;
	const has_more = isMore && !isDenied;
	// Search rule 1: the service doesn't count. A list is known as a whole, unless credits end it.
	const [most, isKnown] = estimatesTotal
		? [asked.maxResults, rows.length < size]
		: [reachable, isCut || isDenied];
	const total_count = isKnown ? Math.min((number - 1) * size + rows.length, most) : most;
	const info = {
		page: number,
		per_page: isCut && rows.length > 0 && behaviour.perPageIsCut ? rows.length : named,
		total_count,
		has_more,
		next_page: has_more ? number + 1 : null,
		total_pages: Math.ceil(total_count / size),
		max_results: asked.maxResults,
	};
	return { rows, from, info };
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
