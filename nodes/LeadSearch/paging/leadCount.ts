/**
 * Counts the rows of a list without fetching them all: bisection over the pages of a free preview. It
 * trusts rows, no totals, and says where it can't be sure.
 */
import { ENDPOINTS, MAX_RESULTS, type Page } from '../api/contract';
import { isRejection, type Failure } from '../api/failures';
import type { End, Job, PageRequest } from './job';
import { PagedList } from './ledger';
import { findViolation, reportedSizeOf, pageAt } from './pages';

/**
 * How long a list is, as far as previews show.
 *
 * @example
 * const list = new LeadCount(100);
 * const [{ end }] = await fetchAll([{ job: new CountJob(list) }], surroundings);
 * [end, list.count, list.isAtLeast]; // ['complete', 2350, false]
 */
export class LeadCount extends PagedList<number> {
	/** Rows known so far: the count, once nothing more is requested. */
	count = 0;
	/** The first row that is known not to be there. */
	endIndex = MAX_RESULTS;
	/** Whether there may be more. */
	isAtLeast = true;
	/** Whether nothing more can be told. */
	isDone = false;
	/** The size in which the preview serves pages, in rows: page 1 begins at row 0 whatever is served, so it shows that. */
	servedSize = 0;
	/** Page 1, by which a preview that ignores `_page` is known. */
	private firstPage: string | undefined;

	/** @param pageSize the page size to ask for, in rows */
	constructor(readonly pageSize: number) {
		super('preview');
	}

	get rowCount(): number {
		return this.count;
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
		if (isFirst)
			[this.firstPage, this.servedSize] = [text, reportedSizeOf(request, response) ?? rows.length];
		const isFirstPageRepeated = !isFirst && page > 1 && rows.length > 0 && text === this.firstPage;
		// The last page once more, for a page that is not there.
		const isLastPageRepeated = page < request.page && hasMore !== true && rows.length > 0;
		this.isDone = isFirstPageRepeated || (isUnexpected(request, response) && !isLastPageRepeated);
		if (this.isDone && !isFirst) return;
		const endOfPage = (isFirst ? 0 : (page - 1) * this.servedSize) + rows.length;
		if (rows.length > 0) this.count = Math.min(MAX_RESULTS, Math.max(this.count, endOfPage));
		if (
			isLastPageRepeated ||
			rows.length < this.servedSize ||
			rows.length === 0 ||
			hasMore === false
		)
			this.endIndex = rows.length > 0 ? this.count : request.firstKey;
	}

	/** A refusal says that there is no such page, where it doesn't say that it is too large. */
	override fail(request: PageRequest<number>, failure: Failure): Failure | undefined {
		const { firstKey, size, purpose } = request;
		const { status } = failure;
		const { documentedPageSize: documentedSize } = ENDPOINTS.preview;
		const isRefused = isRejection(failure) || (status === 404 && firstKey > 0);
		if (isRefused && !this.hasResponse && size > documentedSize) this.sizeLimit = documentedSize;
		else if (isRefused && purpose === 'endCheck') this.isDone = true;
		// The same was answered before, so that there is no such page.
		else if (isRefused && firstKey > 0 && status !== 413) this.endIndex = firstKey;
		else return super.fail(request, failure);
		return undefined;
	}
}

/** Which page to look at next; about 15 until the end. */
export class CountJob implements Job {
	readonly keyCount = 1;

	constructor(readonly list: LeadCount) {}

	next(): PageRequest<number> | 'wait' | End {
		const { count, endIndex, servedSize, pageSize, hasResponse, isDone, inFlight } = this.list;
		if (inFlight.size > 0) return 'wait';
		if (isDone || count >= MAX_RESULTS) return 'complete';
		if (!hasResponse) return pageAt(0, this.list.maxRequestSize(pageSize), 'rows');
		if (count < endIndex) {
			const pages = Math.ceil(count / servedSize);
			// The page right behind page 1 first, as most lists are short; else the page halfway.
			const isShort = pages === 1 && endIndex === MAX_RESULTS;
			const page = isShort ? pages : Math.floor((pages + Math.ceil(endIndex / servedSize)) / 2);
			return pageAt(page * servedSize, servedSize, 'rows');
		}
		// Whether the preview shows a row after it without filters: then none of those counted was cut off. A page may have been
		// refused since it ends too far, where a smaller page would not be.
		return pageAt(count, count > 0 && count % servedSize === 0 ? servedSize : 1, 'endCheck');
	}
}

/** Whether no supported service gives such an answer to the page asked for. */
function isUnexpected(request: PageRequest<number>, page: Page): boolean {
	if (page.rows.length > 0) return findViolation(request, page) !== undefined;
	return page.hasMore === true || page.violation !== undefined;
}
