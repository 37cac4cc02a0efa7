/** Pages of a list: in which size one begins at a row, what sizes are served, and what an answer contradicts. */
import { ENDPOINTS, type Page } from '../api/contract';
import type { Order, Purpose } from './ledger';

/**
 * A page that begins at a row, in the largest size, at most `most`, in which one does: page n begins at
 * row (n - 1) * size.
 */
export function pageAt(row: number, most: number, purpose: Purpose, maxResults?: number) {
	let size = most;
	while (row % size !== 0) size--;
	return { purpose, page: row / size + 1, size, first: row, maxResults } as const;
}

/** More rows than any list has, whatever of it a search reaches; pages up to there can be counted in 32 bits. */
const BEYOND = 1_000_000_000;

/** A page that no list has, in a size. */
export function pageBeyond(size: number, maxResults: number): Order<number> {
	return pageAt(BEYOND - (BEYOND % size), size, 'beyond', maxResults);
}

/** What answers show of the page sizes that the service serves, in rows. */
export class PageSizes {
	/** Certainly served: so many rows came in one page, or a smaller size was named. 0: not known. */
	served = 0;
	/** The largest that was asked for as a page that no list has, and not cut as far as the answer says. */
	tried = 0;
	/** No larger one is served; undefined until the service showed that. */
	most?: number;

	/** The size in which a page certainly begins where it was asked for. */
	get safe(): number {
		const documented = Math.min(ENDPOINTS.search.documentedPageSize, this.most ?? Infinity);
		return Math.max(this.served, documented);
	}

	keepToSafe(): void {
		this.most = this.safe;
	}

	learn(order: Order<number>, answer: Page): void {
		const { purpose, first, size } = order;
		const { rows, perPage = size } = answer;
		const isUnsafe = size > this.safe && first > 0;
		const named = namedSize(order, answer);
		this.served = Math.max(this.served, named ?? rows.length);
		const isAsked = purpose === 'beyond' && size > 1;
		const isCut = isAsked ? perPage < size : isUnsafe && rows.length > 0 && rows.length < size;
		if (named !== undefined) this.most = this.served;
		else if (isCut) this.keepToSafe();
		else if (isAsked) this.tried = Math.max(this.tried, size);
	}

	/** Takes in what was kept; may be called for several. */
	restore({ served, tried, most }: Pick<PageSizes, 'served' | 'tried' | 'most'>): void {
		this.served = Math.max(served, this.served);
		this.tried = Math.max(tried, this.tried);
		if (most !== undefined) this.most = Math.min(most, this.most ?? Infinity);
	}
}

/** The size of a page, where a smaller one than asked for is named, which is not just its number of rows. */
export function namedSize({ size }: Order, { rows, perPage = size, hasMore }: Page) {
	const isSize = perPage > rows.length || (perPage === rows.length && hasMore === true);
	return perPage < size && isSize ? perPage : undefined;
}

/** @returns what an answer with rows contradicts that was asked for or that it says itself, for people */
export function contradictionIn(order: Order, answer: Page): string | undefined {
	const { page, size, urls } = order;
	const { rows, perPage = size, nextPage, hasMore } = answer;
	const unit = urls ? 'URLs' : 'rows';
	if (answer.violation !== undefined) return answer.violation;
	// A profile may come twice.
	if (rows.length > (urls ? 2 * size : size))
		return `it sent ${rows.length} rows where ${size} were asked for`;
	// And the number of rows be named for the page size.
	if (perPage > size && !(urls && perPage === rows.length))
		return `it sent a page of ${perPage} ${unit} where ${size} were asked for`;
	if ((answer.page ?? page) !== page)
		return `it answered with page ${answer.page} where page ${page} was asked for`;
	if (typeof nextPage === 'number' && hasMore !== false && nextPage !== page + 1)
		return `it named page ${nextPage} as the one after page ${page}`;
	if (order.purpose === 'beyond') return `it sent rows as page ${page}, which no list has`;
	return undefined;
}

/** @param rows those that came of a page in a size that is not served */
export function smallerPages(rows: number): string {
	return `it serves smaller pages than it says, so that ${rows} rows of another place came`;
}
