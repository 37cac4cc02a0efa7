/** Which rows a page holds, before credits cut it (contract: search rules 1 to 4). */
import type { Asked, Request } from './model';
import type { Deviation, Readings } from './readings';
import type { Row } from './rows';

/** An array is one; a long one may make its members when they are asked for. */
export interface List<T> {
	readonly length: number;
	slice: (from: number, to: number) => T[];
}

export function pageOf(
	{ endpoint }: Request,
	asked: Asked,
	list: List<Row | Row[]>,
	{ pageSize, hasMore, afterLast, refusesFrom, maxResults, preview }: Readings,
	deviation: Deviation = {},
) {
	const { otherPage, firstPageFrom = Infinity, smallerPages, largerPages } = deviation;
	const { moreRows = 0, emptyPage, jump, filteredEvery, namesFirstPage } = deviation;
	const cut = Math.min(asked.size, pageSize || Infinity);
	const isLater = smallerPages !== undefined && asked.page >= smallerPages.from;
	const size = Math.max(isLater ? Math.min(cut, smallerPages.size) : cut, largerPages ?? 1);

	const most = endpoint === 'preview' ? preview.most : asked.maxResults;
	const cap = endpoint === 'preview' || maxResults === 'rows' ? (most ?? Infinity) : Infinity;
	const reach = Math.min(list.length, cap);
	const last = Math.max(1, Math.ceil(reach / size));

	const isRepeated = asked.page >= firstPageFrom;
	const isOther = asked.page === otherPage?.asked;
	const isEmpty = asked.page === emptyPage;
	const isAfterLast = asked.page > last && !isRepeated && !isOther && !isEmpty;
	if (endpoint !== 'lookUp' && refusesFrom && (asked.page - 1) * size >= refusesFrom.row)
		return { refused: refusesFrom.status };
	if (isAfterLast && typeof afterLast === 'number') return { refused: afterLast };
	const isLastAgain = isAfterLast && afterLast === 'lastPage';
	const page = isOther ? otherPage.page : isLastAgain ? last : asked.page;

	const from = isRepeated ? 0 : (page - 1) * size;
	const places = isEmpty ? [] : list.slice(from, Math.min(from + size + moreRows, reach));
	const follows = hasMore === 'honest' ? reach : places.length < size ? 0 : cap;
	const named = isRepeated && namesFirstPage ? 1 : page;
	const isMore = !isLastAgain && (isEmpty || named * size < follows);
	const isJump = asked.page === jump?.page && isMore;
	return {
		rows: places.flat().filter(({ id }) => !filteredEvery || id % filteredEvery !== 0),
		page: named,
		isLastAgain,
		/** Places of a full page, and all that can be served. */
		size,
		reach,
		hasMore: isMore,
		next: isJump ? jump.next : named + 1,
		/** Whether the answer would mean something else without its fields. */
		isExplicit:
			isOther ||
			isLastAgain ||
			isEmpty ||
			isJump ||
			!!filteredEvery ||
			size > asked.size ||
			named < page,
	};
}

export type Page = Extract<ReturnType<typeof pageOf>, { page: number }>;
