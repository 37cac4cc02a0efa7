/**
 * Counts the rows of a list without fetching them all: bisection over the pages of a free preview. It
 * trusts rows, no totals, and says where it can't be sure.
 */
import { MAX_RESULTS, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { LeadJob } from './leadJob';
import { LeadList } from './leadList';
import type { End, Order } from './ledger';
import { pageAt } from './pages';

/** A list of which only some pages come. What its answers contradict ends the count, and is no failure. */
class CountedList extends LeadList {
	/** Whether an answer came that no supported service gives: then no more than what came is known. */
	isOdd = false;
	/** Page 1, as JSON: a preview that ignores `_page` sends it again. */
	private firstPage: string | undefined;

	/** The row after the last one that is known. */
	get known(): number {
		return Math.max(this.lastRow + 1, this.strays.length);
	}

	override settle(order: Order<number>, answer: Page): undefined {
		const { rows, hasMore, page = order.page } = answer;
		const text = JSON.stringify(rows);
		const isFirstAgain = rows.length > 0 && page > 1 && text === this.firstPage;
		if (order.page === 1) this.firstPage = text;
		this.isOdd ||= isFirstAgain || (rows.length === 0 && hasMore === true);
		this.isAnswered = true;
		if (this.isOdd) this.release(order);
		else this.isOdd = super.settle(order, answer) !== undefined;
		this.broken = undefined;
	}

	override fail(order: Order<number>, failure: Failure): Failure | undefined {
		// Page 1 without filters may be refused, as no other page 1 that is asked for after an answer.
		this.isOdd ||= this.isAnswered && order.first === 0 && isRefusal(failure);
		return this.isOdd ? undefined : super.fail(order, failure);
	}
}

export class LeadCount {
	/** Without filters, to learn whether the preview reaches further than the rows counted. */
	private reach: { list: CountedList; job: LeadJob } | undefined;
	private readonly list = new CountedList(false);

	/** @param size the page size to ask for, in rows */
	constructor(private readonly size: number) {}

	get ledger(): CountedList {
		return this.reach?.list ?? this.list;
	}

	/** Whether what is asked for now has no filters. */
	get isUnfiltered(): boolean {
		return this.reach !== undefined;
	}

	get count(): number {
		return Math.min(this.list.known, MAX_RESULTS);
	}

	/** Whether there may be more. */
	get isAtLeast(): boolean {
		return this.reach?.list.rowAt(this.count) === undefined;
	}

	/** @returns the next page to look at; at most 20 until the end */
	next(): Order<number> | 'wait' | End {
		const { list, size, count } = this;
		if (this.ledger.inFlight.size > 0) return 'wait';
		if (!list.isAnswered) return pageAt(0, Math.min(size, list.sizes.most ?? size), 'rows');
		if (list.isOdd || count >= MAX_RESULTS) return 'whole';
		if (count < list.end.proven) return this.nextPage();
		this.reach ??= this.askUnfiltered();
		// Where page 1 was all, nothing has shown yet that the preview heeds `_page`.
		if (list.requests === 1 && count > 0 && this.reach.list.requests === 0)
			return pageAt(0, 1, 'rows');
		const next = this.ledger.isOdd ? 'whole' : this.reach.job.next(Infinity);
		return typeof next === 'string' ? 'whole' : next;
	}

	/** What looks like the end most often is; without such a place, halfway between what is known and what is not. */
	private nextPage(): Order<number> {
		const { list, size, count } = this;
		const served = Math.min(size, list.sizes.safe, list.sizes.most ?? size);
		const end = Math.min(list.end.proven, MAX_RESULTS);
		const pages = Math.ceil(count / served) + Math.ceil(end / served);
		const middle = Math.floor(pages / 2) * served;
		const isBetween = count < list.end.questionAt && middle > count && middle < end;
		return pageAt(isBetween ? middle : count, served, 'end');
	}

	/** A row after those counted, without filters, means that the preview reaches further. */
	private askUnfiltered(): { list: CountedList; job: LeadJob } {
		const list = new CountedList(false);
		// Previews were answered before, so that a refusal means that there is no such row.
		list.isAnswered = true;
		return { list, job: new LeadJob(list, { skip: this.count, limit: 1, pageSize: 1 }) };
	}
}
