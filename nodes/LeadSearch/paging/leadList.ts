/** A list of leads by row number: what answers say about its rows, its page size and its end. The contract's fields are believed. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import type { Contradiction, Order, SavedLedger } from './ledger';
import { CHECK_BALANCE, contradictionIn, cutTo, mostAfterLoss } from './pages';
import { RowList, type ListEnd } from './rowList';

const DOCUMENTED = ENDPOINTS.search.documentedPageSize;

/** What people should know of a run: why rows were charged in vain, or what came otherwise than asked for. */
export type Note = 'cutPage' | 'lastPageAgain' | 'moved' | 'previewEnded' | 'refusedSize';

/** All that a poll knows of a list. */
export interface PollPosition {
	/** The next row. */
	row: number;
	/** In which pages certainly begin where they are asked for, in rows; 0 for none but the documented one. */
	pageSize: number;
	/** Whether an answer let the list end there. */
	mayEnd: boolean;
}

/** What is kept of a list between runs. */
export interface SavedLeadList extends SavedLedger<number> {
	served: number;
	most?: number | undefined;
	end?: ListEnd | undefined;
	/** Lookups of other URLs go on. */
	broken?: Failure | undefined;
}

export class LeadList extends RowList {
	/** So many rows have come in one page: pages up to that size begin where they are asked for. */
	served = 0;
	/** The service's own page size, where it has named it, or refused a larger one; or half of one that was lost. */
	most?: number | undefined;
	/**
	 * The rows of page 1, where it came short and said that more follow. They are a page, as more rows show, or
	 * what credits allowed, as a 402 does. Not kept between runs.
	 */
	guess?: number | undefined;
	/** Of this run, each with the figure or the words that go with it. */
	readonly notes = new Map<Note, string>();

	/** @param isPaid false for a preview: no credits can run out, and nothing that comes ends the run as failed */
	constructor(readonly isPaid = true) {
		super();
	}

	/** The list of a poll, which keeps no rows. */
	static from({ row, pageSize, mayEnd }: PollPosition): LeadList {
		const list = new LeadList();
		list.served = pageSize;
		// Nothing is known that would show a page that begins elsewhere.
		if (row > 0 || mayEnd) list.most = pageSize || DOCUMENTED;
		if (mayEnd) list.end = { at: row, isProven: false, isSaid: true };
		return list;
	}

	/** The largest page that certainly begins where its number and size say. */
	get certain(): number {
		return Math.max(this.served, Math.min(DOCUMENTED, this.largest));
	}

	/** The largest page that is worth asking for. */
	get largest(): number {
		return Math.min(this.most ?? Infinity, this.guess ?? Infinity);
	}

	/** Whether the search was accepted, in this run or in one before. */
	get isAccepted(): boolean {
		return this.isAnswered || this.served > 0;
	}

	settle(order: Order<number>, answer: Page): Failure | undefined {
		this.receive(order, answer);
		const isEmpty = answer.rows.length === 0;
		const found = isEmpty ? this.settleNoRows(order, answer) : this.settleRows(order, answer);
		if (!found) return undefined;
		this.keepLoose(answer.rows);
		if (this.isPaid) return this.break(found);
		// It cost nothing, so that what came before is worth having.
		this.end = { at: order.first, isProven: true, isSaid: false };
		this.notes.set('previewEnded', found.text);
		return undefined;
	}

	fail(order: Order<number>, failure: Failure): Failure | undefined {
		const { size, first, purpose } = order;
		const { kind, status = 0, text } = failure;
		const most = Math.min(this.most ?? Infinity, mostAfterLoss(size, failure, DOCUMENTED));
		if (most < Infinity) this.most = most;
		if (kind === 'noCredits') {
			const atEndProbe = purpose === 'end' && this.end?.isSaid === true;
			this.runOut();
			return { ...failure, ...(atEndProbe && { atEndProbe }) };
		}
		if (isRefusal(failure) && size > this.certain) {
			// Rather the size than the page.
			this.most = this.certain;
			this.notes.set('refusedSize', String(size));
			return undefined;
		}
		const isNoSuchPage = [400, 404, 422].includes(status) && first > Math.max(0, this.lastRow);
		if (!isNoSuchPage || !this.isAccepted) return failure;
		if (purpose === 'rows') this.report({ at: first, isProven: false, isSaid: false });
		else {
			// Then it was the page that was refused before, too, and not its size.
			this.notes.delete('refusedSize');
			this.prove(first, this.end?.isSaid ? undefined : { kind: 'refused', status, text });
		}
		return undefined;
	}

	override toJSON(): SavedLeadList {
		const { served, most, end, broken } = this;
		return { ...super.toJSON(), served, most, end, broken };
	}

	override restore({ served, most, end, broken, ...saved }: SavedLeadList): this {
		super.restore(saved);
		Object.assign(this, { served, most, end, broken });
		return this;
	}

	/** @returns what the answer contradicts */
	private settleRows(order: Order<number>, answer: Page): Contradiction | undefined {
		const { page, size: asked, first, maxResults } = order;
		const { rows, hasMore, perPage } = answer;
		const named = this.cutSize(order, answer);
		const size = named ?? asked;
		if (this.isLastPage(order, answer, size)) {
			this.settleLastPage(order, answer, size);
			return undefined;
		}
		const from = (page - 1) * size;
		const to = from + rows.length;
		const isShort = rows.length < size;
		const found = this.contradictionOf(order, answer, from);
		if (found) return found;

		// Rows follow, so that it was no low balance that cut page 1.
		if (first > 0 && this.guess !== undefined && this.guess >= DOCUMENTED) this.most ??= this.guess;
		if (named !== undefined) this.most = named;
		if (from !== first) this.notes.set('cutPage', String(named));
		this.served = Math.max(this.served, named ?? rows.length);
		this.putAll(from, rows);
		// Page 1 begins at row 0 whatever size is served.
		const isPage = hasMore === true || (hasMore === undefined && perPage === rows.length);
		if (isShort && first === 0 && isPage && named === undefined) this.guess = rows.length;
		// What was asked for may end there, and the service mean that.
		else if (to !== maxResults && (isShort || hasMore === false))
			this.report({ at: to, isProven: false, isSaid: hasMore !== true });
		// Where nothing costs credits, none can have run out.
		if (!this.isPaid && hasMore === false && to !== maxResults) this.prove(to);
		return undefined;
	}

	private settleNoRows(order: Order<number>, answer: Page): Contradiction | undefined {
		const { first } = order;
		const found = contradictionIn(order, answer);
		if (found) return found;
		if (answer.hasMore === true) {
			this.runOut();
			return {
				text: `it sent no leads after row ${first.toLocaleString('en')} and said that more follow`,
				advice: CHECK_BALANCE,
			};
		}
		if (this.lastRow > first)
			return { text: `it sent no lead for row ${first + 1}, but leads after it` };
		this.prove(first);
		return undefined;
	}

	/** A smaller size that the answer names, where that decides where the page begins; and from page 1, where it costs nothing. */
	private cutSize(order: Order<number>, { rows, perPage }: Page): number | undefined {
		const { page, size, first } = order;
		const isRead = first === 0 || size > this.certain;
		// From row 0 it may as well be the number of rows, of the list or of what credits allowed.
		const isNumber = first === 0 && perPage === rows.length;
		if (perPage === undefined || perPage >= size || !isRead || isNumber) return undefined;
		// A row that is known where such a page would begin shows whether it does.
		const from = (page - 1) * perPage;
		return this.isOther(from, rows[0] ?? {}) ? undefined : perPage;
	}

	/** Whether a page that is not there is answered by the last one, which says that none follows. */
	private isLastPage(order: Order<number>, answer: Page, size: number): boolean {
		const { rows, page = order.page, hasMore, nextPage, violation } = answer;
		const saysEnd = hasMore === false || (hasMore === undefined && nextPage === null);
		if (page >= order.page || !saysEnd || rows.length > size || violation !== undefined)
			return false;
		const from = (page - 1) * size;
		const isKnownAfter = this.lastRow >= from + size;
		return !isKnownAfter && !rows.some((row, index) => this.isOther(from + index, row));
	}

	private settleLastPage(order: Order<number>, { rows, page = 1 }: Page, size: number): void {
		this.putAll((page - 1) * size, rows);
		this.served = Math.max(this.served, rows.length);
		this.notes.set('lastPageAgain', String(rows.length));
		const at = this.lastRow + 1;
		if (order.purpose === 'end' && at === order.first) this.prove(at);
		else this.report({ at, isProven: false, isSaid: true });
	}

	/** @param from the row at which the page begins */
	private contradictionOf(
		order: Order<number>,
		answer: Page,
		from: number,
	): Contradiction | undefined {
		const { page, size, first } = order;
		const { rows, perPage = size } = answer;
		const found = this.isPaid ? contradictionIn(order, answer) : undefined;
		if (found) return found;
		// In a size that is proven, a low balance may name its number of rows; nothing else is served.
		const isProven = first > 0 && size <= this.certain;
		if (this.isPaid && isProven && perPage < size && perPage !== rows.length)
			return {
				text: `it serves pages of ${perPage} rows where ${size} were asked for, and served more before`,
				advice: `Set 'Page Size' to ${perPage}.`,
			};
		const isExpected = (row: Json, index: number) => this.isAt(from + index, row);
		const repeated = this.repetition.of(rows, isExpected, this.isPaid);
		// A page that was cut without a word begins earlier, with rows that are known.
		if (first > 0 && from === first && size > this.certain && rows.length < size) {
			if (this.isAt((page - 1) * rows.length, rows[0] ?? {})) return cutTo(rows.length, size);
			if (repeated) return cutTo('fewer', size);
		}
		if (repeated === 'all') return { text: `page ${page} holds leads that had come before` };
		if (repeated === 'start') this.notes.set('moved', '');
		return undefined;
	}

	/** Too few credits explain a short page. */
	private runOut(): void {
		this.guess = undefined;
		if (this.end?.isProven === false) this.end = undefined;
	}
}
