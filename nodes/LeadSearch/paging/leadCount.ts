/**
 * Counts the rows of a list without fetching them: bisection over the pages of a free preview. It
 * trusts rows, no totals, and says where it can't be sure.
 */
import { ENDPOINTS, MAX_RESULTS, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { Ledger, type End, type Order } from './ledger';
import { contradictionIn } from './pages';

/** A list of which nothing but the number of its rows is wanted; ledger and job at once. */
export class LeadCount extends Ledger<number> {
	readonly ledger = this;
	/** Rows counted so far. */
	count = 0;
	/** Whether there may be more. */
	isAtLeast = true;
	/** Rows of the first page: as many as a full one holds, as far as is known. */
	private served = 0;

	private readonly steps: Generator<Order<number>, void, Page | undefined>;
	private step: IteratorResult<Order<number>, void>;

	/** @param size the page size to ask for, in rows */
	constructor(private size: number) {
		super();
		this.steps = this.search();
		this.step = this.steps.next();
	}

	/** @returns the next page to look at; at most 20 until the end */
	next(): Order<number> | 'wait' | End {
		if (this.inFlight.size > 0) return 'wait';
		return this.step.done === true ? 'whole' : { ...this.step.value, size: this.size };
	}

	settle(order: Order<number>, page: Page): undefined {
		const { length } = page.rows;
		const isFirst = !this.isAnswered;
		this.receive(order, page);
		if (isFirst) this.served = length;
		if (!this.isOdd(order, page)) {
			this.step = this.steps.next(page);
			return;
		}
		if (isFirst) this.count = length;
		this.isAtLeast = true;
		this.step = { done: true, value: undefined };
	}

	/** Whether no supported service answers so: then no more than what came is known. */
	private isOdd(order: Order<number>, answer: Page): boolean {
		const { rows, hasMore, page = order.page, perPage = order.size } = answer;
		// The last page may come in place of one after it, named as such.
		const asked = { ...order, page: Math.min(order.page, page) };
		if (rows.length > 0 && contradictionIn(asked, answer) !== undefined) return true;
		const named = perPage < order.size ? perPage : rows.length;
		const full = order.page === 1 ? named : this.served;
		return hasMore === true && (rows.length === 0 || rows.length < full);
	}

	refuse(order: Order<number>, failure: Failure): Failure | undefined {
		if (!this.isAnswered) {
			const { documentedPageSize } = ENDPOINTS.preview;
			if (!isRefusal(failure) || order.size <= documentedPageSize) return failure;
			this.size = documentedPageSize;
		} else {
			if (!isRefusal(failure) && failure.status !== 404) return failure;
			// A preview may refuse pages after its last one instead of answering them empty.
			this.step = this.steps.next(undefined);
		}
		return undefined;
	}

	private page(page: number, purpose: Order['purpose'] = 'rows'): Order<number> {
		return { purpose, page, size: this.size, first: (page - 1) * this.size };
	}

	private *search(): Generator<Order<number>, void, Page | undefined> {
		const first = (yield this.page(1))?.rows ?? [];
		const { served } = this;
		const firstText = JSON.stringify(first);
		let last = { page: 1, rows: served };
		let firstEmpty = served === 0 ? 1 : Math.ceil(MAX_RESULTS / served) + 1;
		this.count = served;
		while (firstEmpty > last.page + 1) {
			// What looks like the end most often is: a page that is shorter than the first, or than asked for.
			const isShort = last.rows < served || (last.page === 1 && served < this.size);
			const number = isShort ? last.page + 1 : Math.floor((last.page + firstEmpty) / 2);
			const { rows, page = number } = (yield this.page(number)) ?? { rows: [] };
			if (rows.length === 0) {
				firstEmpty = number;
				continue;
			}
			// Pages of different sizes, one after a short one, page 1 again: where rows stand can't be known.
			const isOther = page > number || page < last.page || last.rows < served;
			if (isOther || rows.length > served || JSON.stringify(rows) === firstText) return;
			// The last page in place of one after it, named as such, is the end.
			if (page < number) firstEmpty = page + 1;
			last = { page, rows: rows.length };
			this.count = Math.min((page - 1) * served + rows.length, MAX_RESULTS);
		}
		if (this.count < MAX_RESULTS) yield* this.tellIfExact();
	}

	/** A row after as many as were counted, without filters, means that the preview reaches further. */
	private *tellIfExact(): Generator<Order<number>, void, Page | undefined> {
		const { count, served, size } = this;
		if (count === served && count < size) {
			const rows = (yield this.page(1, 'reach'))?.rows.length ?? 0;
			this.isAtLeast = rows <= count;
			// As many rows as were counted may be a whole page: then the row is on the next one.
			if (rows !== count || count === 0) return;
		}
		const number = Math.floor(count / served) + 1;
		const { rows, page = number } = (yield this.page(number, 'reach')) ?? { rows: [] };
		this.isAtLeast = page !== number || rows.length <= count % served;
	}
}
