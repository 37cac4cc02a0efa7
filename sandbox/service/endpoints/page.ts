import type { Behaviour } from '../accounts/account';
import type { PageInfo } from '../contract/types';

/** What a request asks for, its defaults filled in. Sizes are in rows. */
export interface PageAsked {
	page: number;
	perPage: number;
	maxResults: number;
}

/** The part of the results that is served. */
export interface Page {
	/** Rows from this one, counted from 0, to the one before `to`. */
	from: number;
	to: number;
	/** Rows of a full page, after any clamp. */
	size: number;
	/** Whether a low balance cut it. */
	cutByBalance: boolean;
	/** Whether rows that may be asked for come after it. */
	more: boolean;
	/** Rows that may be asked for at all. */
	reachable: number;
}

/** Why a page isn't served. */
export interface Refusal {
	status: number;
	message: string;
}

/**
 * Decides what rows a page holds: rows (page - 1) * size to page * size of the results, no further
 * than `max_results`, no more than the balance (contract: search rules 1 to 4).
 * @param available rows of the whole result
 * @param balance credits left
 */
export function pageFor(
	asked: PageAsked,
	available: number,
	balance: number,
	behaviour: Behaviour,
): Page | Refusal {
	const limit = behaviour.refusesPerPageAbove;
	if (limit !== undefined && asked.perPage > limit.size)
		return { status: limit.status, message: `_per_page must be at most ${limit.size}` };

	const size = Math.min(
		asked.perPage,
		behaviour.clampPerPage ?? Infinity,
		behaviour.silentClamp ?? Infinity,
	);
	const inDatabase = Math.min(available, behaviour.leads ?? Infinity);
	const reachable = behaviour.ignoresMaxResults
		? inDatabase
		: Math.min(inDatabase, asked.maxResults);
	const from = (asked.page - 1) * size;
	const due = Math.max(0, Math.min(size, reachable - from));
	// A page without rows costs nothing, so an empty balance doesn't stand in its way.
	if (due > 0 && balance === 0) return { status: 402, message: 'Not enough credits' };

	const rows = Math.min(due, balance);
	const cutByBalance = rows < due;
	return {
		from,
		to: from + rows,
		size,
		cutByBalance,
		more: cutByBalance ? behaviour.saysMoreWhenShort === true : from + rows < reachable,
		reachable,
	};
}

/**
 * What the answer says about the page.
 * @param totalCount by the endpoint's own rule
 */
export function pageInfo(
	asked: PageAsked,
	page: Page,
	totalCount: number,
	echo: boolean,
): PageInfo {
	return {
		page: asked.page,
		per_page: echo ? asked.perPage : page.size,
		total_pages: Math.ceil(totalCount / page.size),
		total_count: totalCount,
		has_more: page.more,
		next_page: page.more ? asked.page + 1 : null,
		max_results: asked.maxResults,
	};
}

/** `total_count` of a search (contract: search rule 1): an estimate, the service doesn't count. */
export function estimatedTotal(asked: PageAsked, page: Page): number {
	const rows = page.to - page.from;
	return rows === page.size ? asked.maxResults : Math.min(page.to, asked.maxResults);
}
