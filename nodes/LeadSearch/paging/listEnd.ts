/** Where a list ends: any answer may report it; of a paid list, only a request for the next row that gets none proves it. */
import type { Page } from '../api/contract';
import type { Failure } from '../api/failures';
import type { Order } from './ledger';

/** Where an answer lets the list end. */
export interface ReportedEnd {
	at: number;
	/** Whether it may well go on in smaller pages: one was refused, or may have been cut to such a size without a word. */
	mayGoOn: boolean;
	/** Whether the answer says so, or leaves no doubt; then a refusal to go past it is no news. */
	isSaid: boolean;
}

/** What is kept of it between runs: Infinity is null in JSON. */
export type SavedListEnd = Partial<
	Pick<ListEnd, 'reported' | 'lastPageEnd' | 'cameShort' | 'priceAfter' | 'refusal'> & {
		proven: number | null;
	}
>;

export class ListEnd {
	reported: ReportedEnd | undefined;
	/** The row after the last page, where that came once more. */
	lastPageEnd: number | undefined;
	/** Whether a page held fewer rows than asked for, as credits that run out make it. */
	cameShort = false;
	/** The first row that does not exist: asked for, and not there. */
	proven = Infinity;
	/** Whether pages after the last row are charged, as the last page once more, or may be. */
	priceAfter: 'unknown' | 'free' | 'charged' = 'unknown';
	/** What the service said when it refused to go past that row, where no answer had said that it is the end. */
	refusal: Failure | undefined;

	/** From which row on the question comes next whether there are more. */
	get questionAt(): number {
		const { proven, reported, lastPageEnd = Infinity } = this;
		return Math.min(proven, reported?.at ?? Infinity, lastPageEnd);
	}

	/**
	 * Rows came where they were asked for.
	 *
	 * @param isSafe whether pages of this size certainly are served
	 * @param isNextThere whether the row after them is there already
	 * @returns what the page contradicts, for people
	 */
	afterRows(
		{ page, size, first, maxResults }: Order<number>,
		{ rows, hasMore, perPage = size }: Page,
		isSafe: boolean,
		isNextThere: boolean,
	): string | undefined {
		const at = first + rows.length;
		const isShort = rows.length < size;
		this.cameShort ||= isShort;
		const isFull = !isShort || (hasMore === true && rows.length === perPage);
		const saysMore = hasMore ?? rows.length === perPage;
		// What was asked for ends there: the service may mean that.
		const saysEnd = hasMore === false && at !== maxResults;
		if ((!isFull || saysEnd) && !isNextThere)
			this.report({ at, mayGoOn: !isSafe && hasMore !== false, isSaid: !saysMore });
		// A page whose size is hidden may have been full.
		const isKnown = isSafe || perPage < size;
		return hasMore === true && isKnown && rows.length < perPage
			? `page ${page} held ${rows.length} of ${perPage} rows and said that more follow`
			: undefined;
	}

	/** An empty page said that more follow. @returns what it contradicts, for people; or that credits ran out */
	afterEmptyPage({ purpose, size, first }: Order<number>): string | Failure | undefined {
		if (purpose !== 'rows' && size === 1) {
			// Also as one row: after a page that came short, there were no credits for it.
			return this.cameShort
				? { kind: 'noCredits', status: 402, atEndProbe: purpose === 'end' }
				: `it said that more leads follow row ${first}, and sent none`;
		}
		const isSaid = this.reported?.at === first && this.reported.isSaid;
		this.report({ at: first, mayGoOn: false, isSaid });
		// Where it is reported to end before, too, the same is asked for as one row now.
		if (this.reported) this.reported.mayGoOn = false;
		return undefined;
	}

	/** The service refused the page: it does not go past its last row, or past one of its choice. */
	afterRefusal({ purpose, first }: Order<number>, refusal: Failure): void {
		const before = this.reported?.at === first ? this.reported : undefined;
		if (purpose === 'rows') {
			if (!before) this.report({ at: first, mayGoOn: true, isSaid: false });
			return;
		}
		this.prove(first);
		if (this.proven === first && !before?.isSaid) this.refusal = refusal;
	}

	/** The last page came once more, in place of one after it. @param at the row after its own */
	afterLastPage({ purpose, first }: Order<number>, at: number): void {
		this.priceAfter = 'charged';
		if (purpose === 'end') this.prove(first);
		this.lastPageEnd = Math.min(at, this.lastPageEnd ?? Infinity);
	}

	/** Nothing comes from this row on. */
	prove(row: number): void {
		if (row >= this.proven) return;
		this.proven = row;
		this.refusal = undefined;
	}

	/** Rows come up to this one: the list doesn't end before. */
	goOn(row: number): void {
		if (row > (this.reported?.at ?? Infinity)) this.reported = undefined;
		if (row > (this.lastPageEnd ?? Infinity)) this.lastPageEnd = undefined;
		if (row <= this.proven) return;
		this.proven = Infinity;
		this.refusal = undefined;
	}

	/** Notes what an answer says, unless the list is known to end before. */
	private report(report: ReportedEnd): void {
		if (report.at <= this.questionAt) this.reported = report;
	}
}
