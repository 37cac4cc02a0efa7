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

/** A page that was asked for ahead of its turn. */
export interface PageAhead extends PageAsk {
	/** Rows that came; undefined while the request is under way. */
	received?: number;
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
	/** The largest page that came whole so far, in rows. Larger ones might be served in another size. */
	seenPageSize: number;
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

export type NextStep =
	| { ask: PageAsk }
	/** Nothing to ask for before an answer that is under way. */
	| { wait: true }
	/** Counts once nothing is under way. */
	| { end: WalkEnd };

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
		seenPageSize: 0,
		prove,
		isCeiling,
		ended: false,
	};
}

/**
 * Decides the next request.
 *
 * @param creditsLeft rows that may still be paid for in this execution (Infinity without a budget),
 * not counting those of requests under way
 * @param ahead pages asked for whose turn has not come yet, in their order. Their rows are taken to
 * come whole as long as nothing else is known
 * @returns the page to ask for, never more rows than are wanted and can be paid for; or why to stop
 */
export function nextStep(
	walk: Walk,
	creditsLeft: number,
	ahead: readonly PageAhead[] = [],
): NextStep {
	if (walk.ended) return { end: 'endOfList' };
	const after = firstGap(walk.passed, ahead);
	if (after >= walk.until) return { end: walk.isCeiling ? 'ceiling' : 'limit' };
	const underWay = ahead.filter(({ received }) => received === undefined);
	const rowsLeft = walk.rowsLeft - total(ahead.map(({ size, received }) => received ?? size));
	if (rowsLeft < 1) return { end: 'limit' };
	const affordable = creditsLeft - total(underWay.map(({ size }) => size));
	const most = Math.min(nextTaken(after, ahead, walk.until) - after, rowsLeft, affordable);
	if (most < 1) return { end: 'budget' };
	// Asking further on while the end is in doubt would only be asking past it.
	if (walk.doubt && underWay.length > 0) return { wait: true };
	const size = walk.doubt ? 1 : largestPage(after, Math.min(most, walk.pageSize));
	// A page served in a smaller size than asked for holds other rows, and pays for some of them
	// again. So a size that has not been seen yet goes alone.
	const isNew = Math.max(size, ...underWay.map((page) => page.size)) > walk.seenPageSize;
	if (underWay.length > 0 && isNew) return { wait: true };
	return { ask: { page: after / size + 1, size, after } };
}

/** The first row that is not asked for, less one. */
function firstGap(passed: number, ahead: readonly PageAhead[]): number {
	let after = passed;
	for (const page of ahead)
		if (page.after <= after) after = Math.max(after, page.after + page.size);
	return after;
}

/** Where the rows after `after` that were asked for ahead begin; `until` where there are none. */
function nextTaken(after: number, ahead: readonly PageAhead[], until: number): number {
	return Math.min(until, ...ahead.map((page) => page.after).filter((start) => start > after));
}

function total(numbers: number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0);
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
 *
 * @param ahead pages asked for whose turn has not come yet, in their order
 */
export function takeAnswer(
	walk: Walk,
	ask: PageAsk,
	answer: PageAnswer,
	ahead: readonly PageAhead[] = [],
): Progress {
	const received = answer.rows.length;
	const next = announcedNext(ask, answer);
	const servedSize = sizeServed(ask, answer, next);
	const page = answer.page ?? ask.page;
	const start = startOf(ask, answer);
	const pageSize = servedSize < ask.size ? Math.min(walk.pageSize, servedSize) : walk.pageSize;

	if (start > walk.passed && received > 0) {
		// Which rows these are can't be known. They are paid for, so they count as those asked for:
		// going on behind them may leave some out, going on before them would pay for them again.
		return {
			walk: {
				...walk,
				passed: walk.passed + received,
				rowsLeft: walk.rowsLeft - received,
			},
			firstNewRow: 0,
			misfit: `it answered with rows ${start + 1} to ${start + received} where row ${walk.passed + 1} was asked for`,
		};
	}
	const firstNewRow = received === 0 ? 0 : Math.min(received, walk.passed - start);
	const passed = received === 0 ? walk.passed : Math.max(walk.passed, start + received);
	// Rows that came twice count towards the rows wanted only where they cost credits.
	const rowsLeft = walk.rowsLeft - (walk.prove ? received : received - firstNewRow);
	const seenPageSize = Math.max(walk.seenPageSize, received >= ask.size ? ask.size : 0);
	const onward: Walk = { ...walk, passed, pageSize, seenPageSize, rowsLeft, doubt: undefined };
	const progress = { firstNewRow, walk: onward };
	if (passed >= walk.until) return progress;

	if (next.misfit !== undefined) return { ...progress, misfit: next.misfit };
	if (passed === walk.passed && received > 0 && servedSize >= ask.size) {
		return { ...progress, misfit: `it answered with page ${page} again` };
	}

	const announced = next.page === undefined ? undefined : (next.page - 1) * servedSize;
	// Rows that were asked for already are not jumped over: their own answers say what they are.
	const jump = (to: number) => Math.min(to, nextTaken(passed - 1, ahead, walk.until));
	if (walk.doubt && (received === 0 || next.more !== false)) {
		return { ...progress, walk: afterDoubt(onward, walk.doubt, received, jump) };
	}
	const full = received >= Math.min(servedSize, ask.size);
	// A page moved by a smaller page size says nothing yet about the row that was asked for.
	if (firstNewRow > 0 && full) return progress;
	if (full) {
		if (next.more === false) return { ...progress, walk: { ...onward, ended: true } };
		if (announced === undefined || announced <= passed) return progress;
		// A jump over all the rows that are still wanted is no way to say that there are none.
		if (announced >= walk.until) return { ...progress, misfit: misplaced(next.page, page) };
		return { ...progress, walk: { ...onward, passed: jump(announced) } };
	}
	return { ...progress, walk: afterShortPage(onward, ask, received, announced, jump) };
}

function afterShortPage(
	onward: Walk,
	ask: PageAsk,
	received: number,
	announced: number | undefined,
	jump: (to: number) => number,
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
		? { ...onward, passed: jump(announced) }
		: { ...onward, ended: true };
}

function afterDoubt(
	onward: Walk,
	doubt: Doubt,
	received: number,
	jump: (to: number) => number,
): Walk {
	if (received > 0) {
		// A list that goes on after a short page serves no larger one; the documented default it does.
		const pageSize = Math.min(onward.pageSize, Math.max(doubt.served, SMALLEST_DEFAULT));
		return { ...onward, pageSize };
	}
	return doubt.announced !== undefined && doubt.announced > onward.passed
		? { ...onward, passed: jump(doubt.announced) }
		: { ...onward, ended: true };
}

/** The rows of the list that come before those of an answer, by the service's word. */
export function startOf(ask: PageAsk, answer: PageAnswer): number {
	const size = sizeServed(ask, answer, announcedNext(ask, answer));
	return ((answer.page ?? ask.page) - 1) * size;
}

function misplaced(nextPage: number | undefined, page: number): string {
	return `it named page ${nextPage ?? 'none'} as the one after page ${page}`;
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
