/** Counts the rows of a list by bisection over the pages of a free preview. It trusts rows but no totals. */
import { MAX_RESULTS, type Page } from '../api/contract';
import { isRejection, type Failure } from '../api/failures';
import type { Job, Outcome, PageRequest } from './job';
import { PagedList } from './pagedList';
import { DEFAULT_PAGE_SIZE, findViolation, pageAt, reportedSizeOf } from './pages';

export class LeadCount extends PagedList<number> {
	count = 0;
	/** The first index at which the list is known to have no row. The count is found once `count` is equal to it. */
	endIndex = MAX_RESULTS;
	/** Whether the list may have more rows than `count`. */
	isAtLeast = true;
	isDone = false;
	/** The rows of page 1, as JSON. If another page has the same rows, the preview ignores `_page`, so the count ends. */
	private firstPage: string | undefined;

	constructor() {
		super('preview');
	}

	get rowCount(): number {
		return this.count;
	}

	restore(): void {
		// A count has no rows.
	}

	rowsOf(): [] {
		return [];
	}

	settle(request: PageRequest<number>, response: Page): undefined {
		const isFirst = !this.hasResponse;
		this.recordResponse(request, response);
		const { rows, hasMore, page = request.page } = response;
		if (request.purpose === 'endCheck') {
			this.isDone = true;
			this.isAtLeast = rows.length === 0 || isUnexpected(request, response);
			return;
		}
		const text = JSON.stringify(rows);
		if (isFirst) {
			this.firstPage = text;
			// Page 1 shows the size in which the preview serves pages, because it starts at row 0 in any size.
			if (rows.length > 0) this.pageSize = reportedSizeOf(request, response) ?? rows.length;
		}
		const size = isFirst ? (this.pageSize ?? 1) : request.size;
		const isFirstPageRepeated = !isFirst && page > 1 && rows.length > 0 && text === this.firstPage;
		// Some services return the last page again if the requested page doesn't exist.
		const isLastPageRepeated = page < request.page && hasMore !== true && rows.length > 0;
		this.isDone = isFirstPageRepeated || (isUnexpected(request, response) && !isLastPageRepeated);
		if (this.isDone && !isFirst) return;
		const endOfPage = (isFirst ? 0 : (page - 1) * size) + rows.length;
		if (rows.length > 0) this.count = Math.min(MAX_RESULTS, Math.max(this.count, endOfPage));
		if (isLastPageRepeated || rows.length < size || hasMore === false)
			this.endIndex = rows.length > 0 ? this.count : request.firstKey;
	}

	/** A rejected page after the first doesn't exist. If the end check is rejected, more rows may exist. */
	override fail(request: PageRequest<number>, failure: Failure): Failure | undefined {
		const { firstKey, purpose } = request;
		const isRefused = isRejection(failure) || (failure.status === 404 && firstKey > 0);
		if (isRefused && purpose === 'endCheck') this.isDone = true;
		else if (isRefused && firstKey > 0) this.endIndex = firstKey;
		else return super.fail(request, failure);
		return undefined;
	}
}

/**
 * Chooses the previews from which {@link LeadCount} learns the count. Each request depends on the response before, so
 * only one is in flight. `keyCount` is 1 because the number of rows isn't known, and Infinity would mean all rows.
 */
export class CountJob implements Job {
	readonly keyCount = 1;

	constructor(
		readonly list: LeadCount,
		readonly pageSize: number | undefined,
	) {}

	next(maxRows: number): PageRequest<number> | 'wait' | Outcome {
		const { count, endIndex, hasResponse, isDone, inFlight } = this.list;
		const pageSize = this.pageSize ?? DEFAULT_PAGE_SIZE;
		const size = Math.min(pageSize, this.list.pageSize ?? pageSize, maxRows);
		if (inFlight.size > 0) return 'wait';
		if (isDone || count >= MAX_RESULTS) return 'complete';
		if (!hasResponse) return pageAt(0, size, 'rows');
		if (count < endIndex) {
			const pages = Math.floor(count / size);
			// Page 2 comes first, since most lists are short.
			const isShort = pages === 1 && endIndex === MAX_RESULTS;
			const page = isShort ? pages : Math.floor((pages + Math.ceil(endIndex / size)) / 2);
			return pageAt(page * size, size, 'rows');
		}
		// The end check has no filters. If it returns a row, the preview goes further than the count, so the count isn't
		// truncated. A single row is requested if possible: a preview may refuse a larger page that ends too far.
		return pageAt(count, count > 0 && count % size === 0 ? size : 1, 'endCheck');
	}
}

/** Whether a response contradicts its request or itself, so that its rows prove nothing about the count. */
function isUnexpected(request: PageRequest<number>, page: Page): boolean {
	if (page.rows.length > 0) return findViolation(request, page) !== undefined;
	return page.hasMore === true || page.violation !== undefined;
}
