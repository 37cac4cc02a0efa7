/**
 * Which rows of a list a response holds. A service may serve other rows than requested: of a page of
 * another size, of another number, or the same ones again. What it says of the page counts where
 * the rows that came before bear it out.
 */
import type { Json, Page } from './contract';
import { isSameRow, type ListRows } from './listRows';
import type { PageRequest } from './pageRequest';

/** Where the rows of a response belong. */
export interface Placement {
	offset: number;
	/** Whether they are others than those requested, by the service's own account and by their content. */
	isMoved?: boolean;
	/** Whether `per_page` is their number, since there were no credits for more. */
	isCut?: boolean;
	/** Whether they have all come before. */
	isRepeated?: boolean;
	/** Whether they show that there is none behind them. */
	isEnd?: boolean;
	/** Why it can't be known which rows they are, or why no others come; for people. */
	misplaced?: string;
}

/** What is known of a list before a response. */
export interface KnownOfList {
	/** What has come of it, in the same shape as the rows of the response. */
	rows: ListRows;
	/** Responses that brought rows not seen before. */
	pagesWithRows: number;
	costsCredits: boolean;
	/** Whether the service is known to serve pages of so many rows. */
	isProven(size: number): boolean;
}

/**
 * Finds out which rows of the list these are. The service's own account counts where what came
 * before bears it out; rows are left out only where they are known to have come before.
 */
export function placeRows(request: PageRequest, page: Page, known: KnownOfList): Placement {
	const { rows } = page;
	const { offset, size } = request;
	if (rows.length === 0) return { offset };
	const isLastAgain = request.isEndProbe === true && isHeldUpTo(known.rows, offset, rows);
	// A service that answers a page behind the last one with the last or first one shows the end, too.
	const isFirstAgain =
		request.isEndProbe === true &&
		known.pagesWithRows > 1 &&
		isStartOf(known.rows.firstStretch(), rows);
	if (isLastAgain || isFirstAgain) return { offset, isRepeated: true, isEnd: true };
	const number = page.page ?? request.page;
	const claimed = (number - 1) * (page.perPage ?? size);
	const isClaimBorneOut = claimed !== offset && isBorneOut(claimed, request, page, known);
	if (isClaimBorneOut && claimed < offset) return { offset: claimed, isMoved: true };
	const found = findMoved(request, rows, known);
	if (found !== undefined) return { offset: found, isMoved: true };
	if (isRepeated(known.rows, offset, rows)) {
		return {
			offset,
			isRepeated: true,
			misplaced: `it answered page ${request.page} with rows that had come before`,
		};
	}
	if (isClaimBorneOut && number <= request.page) return { offset: claimed, isMoved: true };
	if (claimed === offset) return { offset };
	// Which rows these are can't be known. They are paid for, so they count as those requested.
	if (claimed < offset && number === request.page) {
		return { offset, isCut: page.perPage === rows.length };
	}
	return {
		offset,
		misplaced: `it answered with rows ${claimed + 1} to ${claimed + rows.length} where row ${offset + 1} was requested`,
	};
}

/** Whether rows may be those that the service says they are, by what came of them before. */
function isBorneOut(
	claimed: number,
	{ size }: PageRequest,
	page: Page,
	known: KnownOfList,
): boolean {
	const pairs = knownAt(known.rows, claimed, page.rows);
	return pairs.length > 0 ? pairs.every(isSamePair) : !mayBeRowCount(size, page, known);
}

/**
 * Whether `per_page` may be the number of rows: of those found, as on the last page of a list, or of
 * those that there were credits for. A size that is known to be served is not cut for another reason.
 */
function mayBeRowCount(
	size: number,
	{ rows, perPage, hasMore, nextPage }: Page,
	known: KnownOfList,
): boolean {
	if (perPage !== rows.length || perPage >= size) return false;
	const isLast = hasMore !== true && typeof nextPage !== 'number';
	return isLast || known.isProven(size);
}

/** Where rows of a short page have come before, as they do where its size falls with the balance. */
function findMoved(
	{ offset, size }: PageRequest,
	rows: readonly Json[],
	{ rows: held, costsCredits }: KnownOfList,
): number | undefined {
	const [first] = rows;
	if (!costsCredits || !first || rows.length < 2 || rows.length >= size) return undefined;
	const found = held.placeOf(first);
	if (found === undefined || found === offset) return undefined;
	return knownAt(held, found, rows).every(isSamePair) ? found : undefined;
}

/** Whether rows are those of the page before, those that came last, or the first of the list. */
function isRepeated(held: ListRows, offset: number, rows: readonly Json[]): boolean {
	const before = held.latestBefore(offset);
	return (
		isStartOf(before.rows, rows) ||
		isStartOf(held.firstStretch(), rows) ||
		isHeldUpTo(held, before.offset + before.rows.length, rows)
	);
}

/** Whether rows are those right before an offset, and not the first ones of the list as well. */
function isHeldUpTo(held: ListRows, offset: number, rows: readonly Json[]): boolean {
	const first = offset - rows.length;
	return first > 0 && rows.every((row, index) => isSameRow(row, held.at(first + index)));
}

/** Rows that would stand behind an offset, each with the one that has come of that place. */
function knownAt(
	held: ListRows,
	offset: number,
	rows: readonly Json[],
): Array<[row: Json, before: Json]> {
	return rows.flatMap((row, index): Array<[Json, Json]> => {
		const before = held.at(offset + index);
		return before === undefined ? [] : [[row, before]];
	});
}

function isSamePair([row, before]: [Json, Json]): boolean {
	return isSameRow(row, before);
}

/** Whether other rows begin with these. */
function isStartOf(others: readonly Json[], rows: readonly Json[]): boolean {
	return rows.every((row, index) => isSameRow(row, others[index]));
}
