/** Where a list ends: any answer may report it; of a paid list, only a request for the next row that gets none proves it. */
import type { Page } from '../api/contract';
import type { Failure } from '../api/failures';
import { contradiction, leadsAfter } from './contradictions';
import type { Order } from './ledger';

/** Where an answer says that the list ends. */
export interface ReportedEnd {
	at: number;
	/** Whether a page came short there. */
	isShort: boolean;
	/** What that page said about more (contract, `has_more`). */
	saidMore: boolean | undefined;
	/** Whether an empty page said there that more follow. */
	promisedMore: boolean;
}

export class ListEnd {
	reported: ReportedEnd | undefined;
	/** Whether a page came short, as credits that run out make it. */
	cameShort = false;
	/** The first row that does not exist: asked for, and not there. */
	proven = Infinity;
	/** What the service said when it refused to go past a full page. */
	refusal: Failure | undefined;

	/** Where the question comes next whether there are more rows. */
	get questionAt(): number {
		return Math.min(this.proven, this.reported?.at ?? Infinity);
	}

	/** Whether one row is enough of an answer to that question: its answer is as good as known, or was empty. */
	get takesOneRow(): boolean {
		return this.reported?.saidMore === false || this.reported?.promisedMore === true;
	}

	/**
	 * Rows came.
	 *
	 * @param expected how many come if more follow
	 * @param isNextThere whether the row after them is there already
	 * @returns what the page contradicts
	 */
	afterRows(
		{ page, size, first }: Order<number>,
		{ rows, hasMore, perPage = size }: Page,
		expected: number,
		isNextThere: boolean,
	): Failure | undefined {
		const next = first + rows.length;
		if (next > (this.reported?.at ?? Infinity)) this.reported = undefined;
		const isShort = rows.length < size;
		this.cameShort ||= isShort;
		const isFull = !isShort || (hasMore === true && rows.length === perPage);
		if ((!isFull || hasMore === false) && !isNextThere)
			this.report({ at: next, isShort, saidMore: hasMore, promisedMore: false });
		return hasMore === true && rows.length < expected
			? contradiction(
					`page ${page} held ${rows.length} of ${expected} rows and said that more follow`,
				)
			: undefined;
	}

	/** No rows came. @returns what that contradicts; or that credits ran out */
	afterNoRows(
		{ purpose, first }: Order<number>,
		{ hasMore }: Page,
		isRowAfter: boolean,
	): Failure | undefined {
		if (hasMore !== true) {
			if (isRowAfter) return contradiction(leadsAfter(first));
			this.prove(first);
			return undefined;
		}
		const before = this.reportedAt(first);
		if (purpose === 'end' && before?.promisedMore) {
			// Empty once more: after a page that came short, there were no credits for the rows.
			if (this.cameShort) return { kind: 'noCredits', atEndProbe: true };
			return contradiction(`it said that more leads follow row ${first}, and sent none`);
		}
		if (purpose === 'end') this.reported = undefined;
		const isShort = before?.isShort ?? false;
		this.report({ at: first, isShort, saidMore: true, promisedMore: true });
		return undefined;
	}

	/**
	 * The service refused the page: it does not go past its last row, or past one of its choice.
	 *
	 * @param isAfterRow whether the row before the page is there
	 */
	afterRefusal(order: Order<number>, refusal: Failure, isAfterRow: boolean): void {
		const before = this.reportedAt(order.first);
		const isExpected = before?.isShort === true || before?.saidMore === false;
		if (order.purpose === 'end' && isAfterRow && !isExpected) this.refusal = refusal;
		this.noPageAt(order, undefined);
	}

	/**
	 * A page after the last row: the end if the question was about it, else a reason to ask.
	 *
	 * @param saidMore false where the answer names the last page
	 */
	noPageAt({ purpose, first }: Order<number>, saidMore: false | undefined): void {
		if (purpose === 'end') this.prove(first);
		else this.report({ at: first, isShort: false, saidMore, promisedMore: false });
	}

	/** Nothing comes from this row on. */
	prove(row: number): void {
		this.proven = Math.min(this.proven, row);
	}

	private reportedAt(row: number | undefined): ReportedEnd | undefined {
		return this.reported?.at === row ? this.reported : undefined;
	}

	/** Notes what an answer says, unless the list is known to end before. */
	private report(report: ReportedEnd): void {
		if (report.at <= this.questionAt) this.reported = report;
	}
}
