/**
 * Counts the rows of a list without fetching them all: bisection over the pages of a free preview. It
 * trusts rows, no totals, and says where it can't be sure.
 */
import { ENDPOINTS, MAX_RESULTS, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import type { End, Job, Order } from './job';
import { Ledger } from './ledger';
import { contradictionIn, namedSize, pageAt } from './pages';

/**
 * How long a list is, as far as previews show.
 *
 * @example
 * const list = new LeadCount(100);
 * const [{ end }] = await fetchAll([{ job: new CountJob(list) }], surroundings);
 * [end, list.count, list.isAtLeast]; // ['whole', 2350, false]
 */
export class LeadCount extends Ledger<number> {
	/** Rows known so far: the count, once nothing more is requested. */
	count = 0;
	/** The first row that is known not to be there. */
	none = MAX_RESULTS;
	/** Whether there may be more. */
	isAtLeast = true;
	/** Whether nothing more can be told. */
	isOver = false;
	/** The size in which the preview serves pages, in rows: page 1 begins at row 0 whatever is served, so it shows that. */
	size = 0;
	/** Page 1, by which a preview that ignores `_page` is known. */
	private firstPage: string | undefined;

	/** @param pageSize the page size to ask for, in rows */
	constructor(readonly pageSize: number) {
		super('preview');
	}

	get rows(): number {
		return this.count;
	}

	settle(order: Order<number>, answer: Page): undefined {
		const isFirst = !this.isAnswered;
		this.receive(order, answer);
		const { rows, hasMore, page = order.page } = answer;
		if (order.purpose === 'question') {
			this.isOver = true;
			this.isAtLeast = rows.length === 0 || isOdd(order, answer);
			return;
		}
		const text = JSON.stringify(rows);
		if (isFirst) [this.firstPage, this.size] = [text, namedSize(order, answer) ?? rows.length];
		const isFirstAgain = !isFirst && page > 1 && rows.length > 0 && text === this.firstPage;
		// The last page once more, for a page that is not there.
		const isLast = page < order.page && hasMore !== true && rows.length > 0;
		this.isOver = isFirstAgain || (isOdd(order, answer) && !isLast);
		if (this.isOver && !isFirst) return;
		const to = (isFirst ? 0 : (page - 1) * this.size) + rows.length;
		if (rows.length > 0) this.count = Math.min(MAX_RESULTS, Math.max(this.count, to));
		if (isLast || rows.length < this.size || rows.length === 0 || hasMore === false)
			this.none = rows.length > 0 ? this.count : order.first;
	}

	/** A refusal says that there is no such page, where it doesn't say that it is too large. */
	override fail(order: Order<number>, failure: Failure): Failure | undefined {
		const { first, size, purpose } = order;
		const { status } = failure;
		const { documentedPageSize: documented } = ENDPOINTS.preview;
		const isRefused = isRefusal(failure) || (status === 404 && first > 0);
		if (isRefused && !this.isAnswered && size > documented) this.most = documented;
		else if (isRefused && purpose === 'question') this.isOver = true;
		// The same was answered before, so that there is no such page.
		else if (isRefused && first > 0 && status !== 413) this.none = first;
		else return super.fail(order, failure);
		return undefined;
	}
}

/** Which page to look at next; about 15 until the end. */
export class CountJob implements Job {
	readonly width = 1;

	constructor(readonly ledger: LeadCount) {}

	next(): Order<number> | 'wait' | End {
		const { count, none, size, pageSize, isAnswered, isOver, inFlight } = this.ledger;
		if (inFlight.size > 0) return 'wait';
		if (isOver || count >= MAX_RESULTS) return 'whole';
		if (!isAnswered) return pageAt(0, this.ledger.atOnce(pageSize), 'rows');
		if (count < none) {
			const pages = Math.ceil(count / size);
			// The page right behind page 1 first, as most lists are short; else the page halfway.
			const isShort = pages === 1 && none === MAX_RESULTS;
			const page = isShort ? pages : Math.floor((pages + Math.ceil(none / size)) / 2);
			return pageAt(page * size, size, 'rows');
		}
		// Whether the preview shows a row after it without filters: then none of those counted was cut off. A page may have been
		// refused since it ends too far, where a smaller page would not be.
		return pageAt(count, count > 0 && count % size === 0 ? size : 1, 'question');
	}
}

/** Whether no supported service gives such an answer to the page asked for. */
function isOdd(order: Order<number>, page: Page): boolean {
	if (page.rows.length > 0) return contradictionIn(order, page) !== undefined;
	return page.hasMore === true || page.violation !== undefined;
}
