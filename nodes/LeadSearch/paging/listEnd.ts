/** Where a list ends: any answer may report it; of a paid list, only a request for the next row that gets none proves it. */
import type { Page } from '../api/contract';
import type { Failure } from '../api/failures';
import { contradiction, leadsAfter } from './contradiction';
import type { Order } from './ledger';

/** Where an answer says that the list ends. */
export interface ReportedEnd {
	at: number;
	/** Whether a page came short there. */
	isShort: boolean;
	/** What that page said about more (contract, `has_more`). */
	saidMore: boolean | undefined;
	/** Whether the question takes one row only. */
	askOneRow: boolean;
}

export class ListEnd {
	reported: ReportedEnd | undefined;
	/** The first row that does not exist: asked for, and not there. */
	proven = Infinity;
	/** What the service said when it refused to go past a full page. */
	refusal: Failure | undefined;

	/** Where the question comes next whether there are more rows. */
	get known(): number {
		return Math.min(this.proven, this.reported?.at ?? Infinity);
	}

	/**
	 * Rows came.
	 *
	 * @param expected how many come if more follow
	 * @returns what the page contradicts
	 */
	afterRows(
		{ page, size, places: [at = 0] }: Order<number>,
		{ rows, hasMore, perPage = size }: Page,
		expected: number,
		{ isNextThere, isFree }: { isNextThere: boolean; isFree: boolean },
	): Failure | undefined {
		const next = at + rows.length;
		if (next > (this.reported?.at ?? Infinity)) this.reported = undefined;
		if (isFree && hasMore === false) this.prove(next);
		const isShort = rows.length < size;
		const isFull = !isShort || (hasMore === true && rows.length === perPage);
		const mayEnd = !isFull || hasMore === false;
		if (mayEnd && !isNextThere) {
			// A question that has_more has answered already is asked with one row only.
			this.report({ at: next, isShort, saidMore: hasMore, askOneRow: hasMore === false });
		}
		return hasMore === true && rows.length < expected
			? contradiction(
					`page ${page} held ${rows.length} of ${expected} rows and said that more follow`,
				)
			: undefined;
	}

	/** No rows came. @returns what that contradicts; or that credits ran out */
	afterNoRows(
		{ purpose, places: [at = 0] }: Order<number>,
		{ hasMore }: Page,
		isRowAfter: boolean,
	): Failure | undefined {
		const before = this.reportedAt(at);
		if (hasMore !== true) {
			if (isRowAfter) return contradiction(leadsAfter(at));
			this.prove(at);
			return undefined;
		}
		if (purpose === 'end' && before?.askOneRow && before.saidMore) {
			// Empty once more: after a page that came short, there were no credits for the rows.
			if (before.isShort) return { kind: 'noCredits', atEndProbe: true };
			return contradiction(`it said that more leads follow row ${at}, and sent none`);
		}
		const isShort = before?.isShort ?? false;
		if (purpose === 'end') this.reported = undefined;
		this.report({ at, isShort, saidMore: true, askOneRow: true });
		return undefined;
	}

	/** The service refused the page: it does not go past its last row, or past one of its choice. */
	afterRefusal(order: Order<number>, refusal: Failure): void {
		const [at = 0] = order.places;
		const before = this.reportedAt(at);
		const isExpected = before?.isShort === true || before?.saidMore === false;
		if (order.purpose === 'end' && !isExpected) this.refusal = refusal;
		this.noPageAt(order, { isShort: false, saidMore: undefined, askOneRow: false });
	}

	/** A page after the last row: the end if the question was about it, else a reason to ask. */
	noPageAt({ purpose, places: [at = 0] }: Order<number>, report: Omit<ReportedEnd, 'at'>): void {
		if (purpose === 'end') this.prove(at);
		else this.report({ at, ...report });
	}

	private reportedAt(row: number): ReportedEnd | undefined {
		return this.reported?.at === row ? this.reported : undefined;
	}

	/** Notes what an answer says, unless the list is known to end before. */
	private report(report: ReportedEnd): void {
		if (report.at <= this.known) this.reported = report;
	}

	private prove(row: number): void {
		this.proven = Math.min(this.proven, row);
	}
}
