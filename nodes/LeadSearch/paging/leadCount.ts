/**
 * Counts the rows of a list without fetching them all: bisection over the pages of a free preview. It
 * trusts rows, no totals, and says where it can't be sure.
 */
import { ENDPOINTS, MAX_RESULTS, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import type { End, Job, Order } from './job';
import { Ledger } from './ledger';
import { contradictionIn, namedSize, pageAt } from './pages';

/** A page that was looked at. */
interface Answer {
	order: Order<number>;
	page: Page;
}

/** What is looked for: page 1, in a smaller size where that is refused; the end; a row without filters; a row more than were counted. */
type Stage = 'first' | 'smaller' | 'bisect' | 'unfiltered' | 'further' | 'over';

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
	/** Whether there may be more. */
	isAtLeast = true;
	stage: Stage = 'first';
	/** The first row that is known not to be there. */
	none = MAX_RESULTS;
	/** The size in which the preview serves pages, in rows. */
	size: number;
	/** Whether the list looks as if it ended where page 1 did. */
	looksLikeEnd = false;
	/** Page 1, by which a preview that ignores `_page` is known. */
	private firstPage: Answer | undefined;
	/** A row without filters, where page 1 was all. */
	unfiltered: Answer | undefined;

	/** @param pageSize the page size to ask for, in rows */
	constructor(readonly pageSize: number) {
		super('preview');
		this.size = pageSize;
	}

	get rows(): number {
		return this.count;
	}

	settle(order: Order<number>, page: Page): undefined {
		this.receive(order, page);
		this.learn(order, { order, page });
	}

	/** A refusal says that there is no such page, where it doesn't say that it is too large. */
	override fail(order: Order<number>, failure: Failure): Failure | undefined {
		const { first, size, purpose } = order;
		const { status } = failure;
		const isTooLarge = !this.isAnswered && size > ENDPOINTS.preview.documentedPageSize;
		// The same was answered before, so that there is no such page.
		const isNoSuchPage = this.isAnswered && first > 0 && status !== 413;
		const isRefused = isRefusal(failure) || (status === 404 && first > 0);
		if (!isRefused || !(isTooLarge || isNoSuchPage || purpose === 'question'))
			return super.fail(order, failure);
		this.learn(order);
		return undefined;
	}

	/** Takes in what came; undefined where the service says that there is no such page. */
	private learn({ first }: Order<number>, answer?: Answer): void {
		if (this.stage === 'first' && !answer) this.stage = 'smaller';
		else if (this.stage === 'first' || this.stage === 'smaller') this.begin(answer);
		else if (this.stage === 'bisect') this.halve(first, answer);
		else if (this.stage === 'unfiltered') this.compare(answer);
		else this.end(answer);
	}

	/** Page 1 begins at row 0 whatever size is served, so it shows that. */
	private begin(answer: Answer | undefined): void {
		this.stage = 'over';
		if (!answer) return;
		const { rows, hasMore } = answer.page;
		this.firstPage = answer;
		this.count = rows.length;
		this.size = namedSize(answer.order, answer.page) ?? rows.length;
		this.looksLikeEnd = this.size < answer.order.size;
		if (rows.length < this.size || rows.length === 0 || hasMore === false) this.none = this.count;
		if (!isOdd(answer)) this.goOn();
	}

	/** @param row at which the page begins that was looked at */
	private halve(row: number, answer: Answer | undefined): void {
		this.looksLikeEnd = false;
		if (!answer || answer.page.rows.length === 0) {
			// Nothing more is known than what came.
			if (answer && isOdd(answer)) this.stage = 'over';
			else this.none = row;
		} else {
			const { rows, hasMore, page = answer.order.page } = answer.page;
			const isLast = page < answer.order.page && hasMore !== true;
			if (isSame(answer, this.firstPage) || (isOdd(answer) && !isLast)) this.stage = 'over';
			else {
				this.count = Math.max(this.count, (page - 1) * this.size + rows.length);
				if (isLast || rows.length < this.size || hasMore === false) this.none = this.count;
			}
		}
		if (this.stage === 'bisect') this.goOn();
	}

	/** Once the end is found, whether the preview shows a row after it without filters: then none of those counted was cut off. */
	private goOn(): void {
		if (this.count < this.none) {
			this.stage = 'bisect';
			return;
		}
		this.count = Math.min(this.count, MAX_RESULTS);
		// Where page 1 was all, nothing has shown yet that the preview heeds `_page`.
		const isHeeded = this.cost.requests > 1 || this.count === 0;
		const stage = isHeeded ? 'further' : 'unfiltered';
		this.stage = this.count < MAX_RESULTS ? stage : 'over';
	}

	private compare(answer: Answer | undefined): void {
		this.unfiltered = answer;
		this.stage = answer && !isOdd(answer) ? 'further' : 'over';
	}

	private end(answer: Answer | undefined): void {
		this.stage = 'over';
		if (!answer || isOdd(answer) || (this.unfiltered && isSame(answer, this.unfiltered))) return;
		this.isAtLeast = answer.page.rows.length === 0;
	}
}

/** Which page to look at next; about 20 at most until the end. */
export class CountJob implements Job {
	readonly width = 1;

	constructor(readonly ledger: LeadCount) {}

	next(): Order<number> | 'wait' | End {
		const { ledger } = this;
		if (ledger.inFlight.size > 0) return 'wait';
		if (ledger.stage === 'over') return 'whole';
		const { row, size, purpose } = nextLook(ledger);
		return pageAt(row, size, purpose);
	}
}

/** A 'question' is, in a count alone, asked without filters. */
function nextLook({ stage, pageSize, size, count, none, looksLikeEnd, unfiltered }: LeadCount) {
	const purpose = 'rows' as const;
	if (stage === 'first') return { row: 0, size: pageSize, purpose };
	if (stage === 'smaller')
		return { row: 0, size: Math.min(pageSize, ENDPOINTS.preview.documentedPageSize), purpose };
	if (stage === 'unfiltered') return { row: 0, size: 1, purpose: 'question' as const };
	if (stage === 'bisect') {
		// What looks like the end mostly is, so that the page right behind it comes next; else the page halfway.
		const next = Math.ceil(count / size);
		const middle = Math.floor((next + Math.ceil(none / size)) / 2) * size;
		const isBetween = !looksLikeEnd && middle > count && middle < none;
		return { row: isBetween ? middle : next * size, size, purpose };
	}
	// A page may have been refused since it ends too far, where a smaller page would not be.
	const isPage = !unfiltered && count > 0 && count % size === 0;
	return { row: count, size: isPage ? size : 1, purpose: 'question' as const };
}

/** Whether no supported service gives such an answer to the page asked for. */
function isOdd({ order, page }: Answer): boolean {
	if (page.rows.length > 0) return contradictionIn(order, page) !== undefined;
	return page.hasMore === true || page.violation !== undefined;
}

/** Whether a page is another page to the letter, as of a preview that ignores `_page`. */
function isSame({ order, page }: Answer, earlier: Answer | undefined): boolean {
	const isAnother = (page.page ?? order.page) > 1 && page.rows.length > 0;
	return isAnother && JSON.stringify(page.rows) === JSON.stringify(earlier?.page.rows);
}
