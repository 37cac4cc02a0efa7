/** Computes the rows of a page, before a low balance truncates it (contract, search rules 1 to 4). */
import type { Paging, Request } from './model';
import type { Deviation, Readings } from './readings';
import type { Row } from './rows';

/** A list of rows. An array is one; others create their rows when they are needed. */
export interface List<T> {
	readonly length: number;
	slice: (from: number, to: number) => T[];
}

/** Returns the page for a request, or a status if the service rejects the page. */
export function pageOf(
	{ endpoint }: Request,
	paging: Paging,
	list: List<Row | Row[]>,
	{ pageSize, hasMore, afterLast, refusesFrom, maxResults, preview }: Readings,
	deviation: Deviation = {},
) {
	const { otherPage, firstPageFrom = Infinity, smallerPages, largerPages } = deviation;
	const { moreRows = 0, emptyPage, jump, filteredEvery, namesFirstPage } = deviation;
	const cappedSize = Math.min(paging.size, pageSize || Infinity);
	const isLater = smallerPages !== undefined && paging.page >= smallerPages.from;
	const size = Math.max(
		isLater ? Math.min(cappedSize, smallerPages.size) : cappedSize,
		largerPages ?? 1,
	);

	const maxRows = endpoint === 'preview' ? preview.most : paging.maxResults;
	const cap = endpoint === 'preview' || maxResults === 'rows' ? (maxRows ?? Infinity) : Infinity;
	const reach = Math.min(list.length, cap);
	const last = Math.max(1, Math.ceil(reach / size));

	const isRepeated = paging.page >= firstPageFrom;
	const isOther = paging.page === otherPage?.asked;
	const isEmpty = paging.page === emptyPage;
	const isAfterLast = paging.page > last && !isRepeated && !isOther && !isEmpty;
	if (endpoint !== 'lookUp' && refusesFrom && (paging.page - 1) * size >= refusesFrom.row)
		return { refused: refusesFrom.status };
	if (isAfterLast && typeof afterLast === 'number') return { refused: afterLast };
	const isLastAgain = isAfterLast && afterLast === 'lastPage';
	const page = isOther ? otherPage.page : isLastAgain ? last : paging.page;

	const from = isRepeated ? 0 : (page - 1) * size;
	const cells = isEmpty ? [] : list.slice(from, Math.min(from + size + moreRows, reach));
	const knownRows = hasMore === 'honest' ? reach : cells.length < size ? 0 : cap;
	const namedPage = isRepeated && namesFirstPage ? 1 : page;
	const isMore = !isLastAgain && (isEmpty || namedPage * size < knownRows);
	const isJump = paging.page === jump?.page && isMore;
	return {
		rows: cells.flat().filter(({ id }) => !filteredEvery || id % filteredEvery !== 0),
		page: namedPage,
		isLastAgain,
		/** Rows (or URLs) of a full page, and of all pages. */
		size,
		reach,
		hasMore: isMore,
		next: isJump ? jump.next : namedPage + 1,
		/** Whether the response would have another meaning without its paging fields. */
		isExplicit:
			isOther ||
			isLastAgain ||
			isEmpty ||
			isJump ||
			!!filteredEvery ||
			size > paging.size ||
			namedPage < page,
	};
}

export type Page = Extract<ReturnType<typeof pageOf>, { page: number }>;
