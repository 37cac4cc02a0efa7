/**
 * Requests for pages of a list. Page n of size s is rows (n-1)s+1 to ns, so the rows behind an offset
 * can be requested exactly with any page size that divides the offset.
 */

/** One page to request: `size` rows behind an offset. */
export interface PageRequest {
	/** Page number, 1-based. */
	page: number;
	/** Rows a page. */
	size: number;
	/** Rows of the list that come before this page. */
	offset: number;
	/** The most rows that the response may hold, which is what it may cost in credits. */
	cost: number;
	/** Asks whether exactly the next row exists; a list ends only where it does not. */
	isEndProbe?: boolean;
	/** Asks for a page behind the last row of any list, to learn the page size. */
	isSizeProbe?: boolean;
	/** Asks for such a page of one row, to learn whether pages behind the end of the list are free. */
	isPageProbe?: boolean;
}

/** More rows than any list has, and less than a 32-bit integer holds. */
const BEHIND_ALL_ROWS = 2_000_000_000;

/** The page of a size that begins behind an offset, which the size divides. */
export function pageOf(
	offset: number,
	size: number,
	kind: Pick<PageRequest, 'isEndProbe'> = {},
): PageRequest {
	return { page: offset / size + 1, size, offset, cost: size, ...kind };
}

/** A page that holds no row, even where a service serves more rows than `max_results`. */
export function pageBehindAll(
	size: number,
	kind: Pick<PageRequest, 'isSizeProbe' | 'isPageProbe'> & { offset?: number },
): PageRequest {
	return {
		page: Math.floor(BEHIND_ALL_ROWS / size) + 1,
		size,
		offset: 0,
		cost: size,
		...kind,
	};
}

/**
 * The largest page size up to `most` whose pages have a border at an offset.
 *
 * @returns a divisor of `offset`, or `most` at the start of the list
 */
export function largestPageSize(offset: number, most: number): number {
	if (offset === 0) return most;
	let size = Math.min(most, offset);
	while (size > 1 && offset % size !== 0) size--;
	return size;
}
