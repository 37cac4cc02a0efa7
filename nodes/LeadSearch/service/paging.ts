/**
 * The paging core: which page to ask for next, and what an answer means. Pure: it knows neither n8n
 * nor HTTP, only rows. Page n of size s is rows (n-1)s+1 to ns, so the rows after row r can be asked
 * for exactly with any page size that divides r.
 */
import { DEFAULT_PER_PAGE, MAX_RESULTS, type PageAnswer } from './contract';

/** Rows a page that any service surely takes. */
const SMALLEST_DEFAULT = Math.min(...Object.values(DEFAULT_PER_PAGE));

/** One page to ask for: `size` rows, starting after row `after`. */
export interface PageAsk {
	/** Page number, 1-based. */
	page: number;
	/** Rows asked for, the most that the answer can cost in credits. */
	size: number;
	/** Rows of the list that come before this page. */
	after: number;
}

/** Where a walk through a list stands. Values are rows, counted from the first row of the list. */
export interface Walk {
	/** Rows passed: skipped or received. The next row to ask for is `passed + 1`. */
	passed: number;
	/** The row after which nothing more is wanted. */
	until: number;
	/** Rows that may still come back. Rows that came twice were paid for, so they count too. */
	rowsLeft: number;
	/** The largest page to ask for, in rows. */
	pageSize: number;
	/** The page size that the service documents, and so surely takes, in rows. */
	surePageSize: number;
	/** Whether a short page has to be proven to be the last one (lists that cost credits). */
	prove: boolean;
	/** Set after a short page, until the answer about exactly the next row is in. */
	doubt?: Doubt;
	/** Whether it is the service's reach that ends the walk, with more rows behind it perhaps. */
	isCeiling: boolean;
	/** Set when the list is known to have no further row. */
	ended: boolean;
}

interface Doubt {
	/** Rows passed at the page that the service announced as the next one. */
	announced?: number;
	/** Rows of the short page: if the list does go on, the service serves no larger page. */
	served: number;
}

/** Why a walk asks for nothing more. */
export type WalkEnd =
	/** The list has no further row. */
	| 'endOfList'
	/** As many rows as wanted are in. */
	| 'limit'
	/** The list goes on, but no search reaches beyond row 100,000. */
	| 'ceiling'
	/** No credit of the Credit Budget is left. */
	| 'budget';

export type NextStep = { ask: PageAsk } | { end: WalkEnd };

/** What an answer gave. */
export interface Progress {
	walk: Walk;
	/** Index in the answer's rows of the first one not seen before; those before it came twice. */
	firstNewRow: number;
	/** Set when the answer's paging fields contradict themselves, for people. */
	misfit?: string;
}

/**
 * Starts a walk.
 *
 * @param range rows to pass over, rows wanted (Infinity for all), the most rows that the list can
 * have (undefined where only the service knows), the largest page and the documented one in rows, and
 * whether rows cost credits, so that a short page must be proven to be the last
 */
export function startWalk(range: {
	skip: number;
	rows: number;
	longest?: number;
	pageSize: number;
	surePageSize: number;
	prove: boolean;
}): Walk {
	const { skip, rows, longest, pageSize, surePageSize, prove } = range;
	const until = Math.min(skip + rows, longest ?? MAX_RESULTS, MAX_RESULTS);
	const isCeiling = longest === undefined && until === MAX_RESULTS;
	return {
		passed: skip,
		until,
		rowsLeft: rows,
		pageSize,
		surePageSize,
		prove,
		isCeiling,
		ended: false,
	};
}

/**
 * Decides the next request.
 *
 * @param creditsLeft rows that may still be paid for in this execution (Infinity without a budget)
 * @returns the page to ask for, never more rows than are wanted and can be paid for; or why to stop
 */
export function nextStep(walk: Walk, creditsLeft: number): NextStep {
	if (walk.ended) return { end: 'endOfList' };
	if (walk.passed >= walk.until) {
		return { end: walk.isCeiling ? 'ceiling' : 'limit' };
	}
	if (walk.rowsLeft < 1) return { end: 'limit' };
	const most = Math.min(walk.until - walk.passed, walk.rowsLeft, creditsLeft);
	if (most < 1) return { end: 'budget' };
	const size = walk.doubt ? 1 : largestPage(walk.passed, Math.min(most, walk.pageSize));
	return { ask: { page: walk.passed / size + 1, size, after: walk.passed } };
}

/**
 * The largest page size up to `most` whose pages have a border after row `passed`.
 *
 * @returns a divisor of `passed`, or `most` at the start of the list
 */
export function largestPage(passed: number, most: number): number {
	if (passed === 0) return most;
	let size = most;
	while (passed % size !== 0) size--;
	return size;
}

/** Takes the documented page size from here on. */
export function withSurePages(walk: Walk): Walk {
	return { ...walk, pageSize: Math.min(walk.pageSize, walk.surePageSize) };
}

/**
 * Takes pages of half the size that didn't get through, down to the documented size. A page smaller
 * than that, which row arithmetic can ask for, was not too large.
 */
export function withHalfPages(walk: Walk, ask: PageAsk): Walk {
	if (ask.size <= walk.surePageSize) return walk;
	return { ...walk, pageSize: Math.max(Math.floor(ask.size / 2), walk.surePageSize) };
}

/**
 * Takes an answer into account: how far the walk has come, and whether the list has ended.
 *
 * The service's word counts: an answered page or page size other than the one asked for, and an
 * announced next page. A short page leaves the end in doubt, since a low balance gives one too
 * (contract, public search, rule 3); exactly the next row settles it.
 */
export function takeAnswer(walk: Walk, ask: PageAsk, answer: PageAnswer): Progress {
	const received = answer.rows.length;
	const next = announcedNext(ask, answer);
	const servedSize = sizeServed(ask, answer, next);
	const page = answer.page ?? ask.page;
	const start = (page - 1) * servedSize;
	const pageSize = servedSize < ask.size ? Math.min(walk.pageSize, servedSize) : walk.pageSize;

	if (start > walk.passed && received > 0) {
		return stopped(
			{ ...walk, rowsLeft: walk.rowsLeft - received },
			`it answered with rows ${start + 1} to ${start + received} where row ${walk.passed + 1} was asked for`,
		);
	}
	const firstNewRow = received === 0 ? 0 : Math.min(received, walk.passed - start);
	const passed = received === 0 ? walk.passed : Math.max(walk.passed, start + received);
	// Rows that came twice count towards the rows wanted only where they cost credits.
	const rowsLeft = walk.rowsLeft - (walk.prove ? received : received - firstNewRow);
	const onward: Walk = { ...walk, passed, pageSize, rowsLeft, doubt: undefined };
	const progress = { firstNewRow, walk: onward };
	if (passed >= walk.until) return progress;

	if (next.misfit !== undefined) return { ...progress, misfit: next.misfit };
	if (passed === walk.passed && received > 0 && servedSize >= ask.size) {
		return { ...progress, misfit: `it answered with page ${page} again` };
	}

	const announced = next.page === undefined ? undefined : (next.page - 1) * servedSize;
	if (walk.doubt && (received === 0 || next.more !== false)) {
		return { ...progress, walk: afterDoubt(onward, walk.doubt, received) };
	}
	const full = received >= Math.min(servedSize, ask.size);
	// A page moved by a smaller page size says nothing yet about the row that was asked for.
	if (firstNewRow > 0 && full) return progress;
	if (full) {
		if (next.more === false) return { ...progress, walk: { ...onward, ended: true } };
		if (announced === undefined || announced <= passed) return progress;
		// A jump over all the rows that are still wanted is no way to say that there are none.
		if (announced >= walk.until) return { ...progress, misfit: misplaced(next.page, page) };
		return { ...progress, walk: { ...onward, passed: announced } };
	}
	return { ...progress, walk: afterShortPage(onward, ask, received, announced) };
}

function afterShortPage(
	onward: Walk,
	ask: PageAsk,
	received: number,
	announced: number | undefined,
): Walk {
	if (received === 0 && (ask.size === 1 || !onward.prove)) return { ...onward, ended: true };
	if (onward.prove) {
		// An empty page followed by another would never end, whatever is announced.
		return {
			...onward,
			doubt: { announced: received > 0 ? announced : undefined, served: received },
		};
	}
	return announced !== undefined && announced > onward.passed
		? { ...onward, passed: announced }
		: { ...onward, ended: true };
}

function afterDoubt(onward: Walk, doubt: Doubt, received: number): Walk {
	if (received > 0) {
		// A list that goes on after a short page serves no larger one; the documented default it does.
		const pageSize = Math.min(onward.pageSize, Math.max(doubt.served, SMALLEST_DEFAULT));
		return { ...onward, pageSize };
	}
	return doubt.announced !== undefined && doubt.announced > onward.passed
		? { ...onward, passed: doubt.announced }
		: { ...onward, ended: true };
}

function misplaced(nextPage: number | undefined, page: number): string {
	return `it named page ${nextPage ?? 'none'} as the one after page ${page}`;
}

function stopped(walk: Walk, misfit: string): Progress {
	return { walk, firstNewRow: 0, misfit };
}

interface Announced {
	page?: number;
	/** Undefined when the service says neither. */
	more?: boolean;
	misfit?: string;
}

function announcedNext(ask: PageAsk, { page, nextPage, hasMore }: PageAnswer): Announced {
	if (typeof nextPage === 'number') {
		if (nextPage > (page ?? ask.page)) return { page: nextPage, more: true };
		if (hasMore !== false) {
			return {
				more: true,
				misfit: misplaced(nextPage, page ?? ask.page),
			};
		}
	}
	if (hasMore === true) return { page: (page ?? ask.page) + 1, more: true };
	return { more: hasMore ?? (nextPage === null ? false : undefined) };
}

/**
 * The page size by which the service counted. Where it doesn't tell, a first page that is short
 * although more follows shows it; on a later page a low balance could look the same, and taking that
 * for smaller pages would misplace rows that were paid for.
 */
function sizeServed(ask: PageAsk, answer: PageAnswer, next: Announced): number {
	if (answer.perPage !== undefined) return answer.perPage;
	const received = answer.rows.length;
	const isClamped = ask.page === 1 && received > 0 && received < ask.size && next.more === true;
	return isClamped ? received : ask.size;
}
