/** Where a list ends: any answer may report it; of a paid list, only a request for the next row that gets none proves it. */
import type { Page } from '../api/contract';
import type { Failure } from '../api/failures';
import type { Order } from './ledger';

/** Where an answer says that the list ends. */
export interface ReportedEnd {
	at: number;
	/** Whether a page came short there. */
	isShort: boolean;
	/** Whether it can only be the end, or credits that ran out. */
	isSure: boolean;
	/** Whether a refusal to go past it says nothing new. */
	isExpected: boolean;
}

/** What is kept of it between runs. */
export type SavedListEnd = Pick<ListEnd, 'reported' | 'cameShort' | 'isCharged' | 'refusal'> & {
	/** Infinity is null in JSON. */
	proven: number | null;
};

export class ListEnd {
	reported: ReportedEnd | undefined;
	/** Whether a page came short, as credits that run out make it. */
	cameShort = false;
	/** The first row that does not exist: asked for, and not there. */
	proven = Infinity;
	/** Whether a page after the last row is charged, as the last page once more, or may be. */
	isCharged = false;
	/** What the service said when it refused to go past that row, where no answer had said that it is the end. */
	refusal: Failure | undefined;
	/** Rows for which an empty page came that said that more follow. */
	private readonly empty = new Set<number>();

	/** From which row on the question comes next whether there are more. */
	get questionAt(): number {
		return Math.min(this.proven, this.reported?.at ?? Infinity);
	}

	/** Whether one row is enough of an answer to that question: its answer is as good as known, or was empty. */
	get takesOneRow(): boolean {
		return (
			this.reported !== undefined && (this.reported.isSure || this.empty.has(this.reported.at))
		);
	}

	/**
	 * Rows came where they were asked for.
	 *
	 * @param isProven whether pages of this size certainly are served
	 * @param isNextThere whether the row after them is there already
	 * @returns what the page contradicts, for people
	 */
	afterRows(
		{ page, size, first }: Order<number>,
		{ rows, hasMore, nextPage, perPage = size }: Page,
		isProven: boolean,
		isNextThere: boolean,
	): string | undefined {
		const at = first + rows.length;
		const isShort = rows.length < size;
		const saysMore = hasMore === true || typeof nextPage === 'number';
		this.cameShort ||= isShort;
		if (at > this.questionAt) this.reported = undefined;
		const isFull = !isShort || (hasMore === true && rows.length === perPage);
		if ((!isFull || hasMore === false) && !isNextThere)
			this.report({
				at,
				isShort,
				isSure: hasMore === false || (isShort && isProven),
				isExpected: hasMore === false || (isShort && !saysMore),
			});
		// A page whose size is hidden may have been full.
		const full = isProven ? size : rows.length;
		const expected = perPage < size ? perPage : full;
		return hasMore === true && rows.length < expected
			? `page ${page} held ${rows.length} of ${expected} rows and said that more follow`
			: undefined;
	}

	/** An empty page said that more follow. @returns what it contradicts, for people; or that credits ran out */
	afterEmptyPage({ purpose, first }: Order<number>): string | Failure | undefined {
		if (purpose === 'far') {
			// There would be rows for credits, so those of the last page once more.
			this.isCharged = true;
			return undefined;
		}
		const before = this.reported?.at === first ? this.reported : undefined;
		if (purpose === 'end' && this.empty.has(first)) {
			// Empty once more: after a page that came short, there were no credits for the row.
			return this.cameShort
				? { kind: 'noCredits', atEndProbe: true }
				: `it said that more leads follow row ${first}, and sent none`;
		}
		this.empty.add(first);
		const { isShort = false, isExpected = false } = before ?? {};
		this.report({ at: first, isShort, isSure: false, isExpected });
		return undefined;
	}

	/** The service refused the page: it does not go past its last row, or past one of its choice. */
	afterRefusal({ purpose, first }: Order<number>, refusal: Failure): void {
		const before = this.reported?.at === first ? this.reported : undefined;
		if (purpose === 'rows') {
			if (!before) this.report({ at: first, isShort: false, isSure: false, isExpected: false });
			return;
		}
		this.prove(first);
		if (purpose === 'end' && this.proven === first && !before?.isExpected) this.refusal = refusal;
	}

	/** The last page came once more, in place of one after it. @param at the row after its own */
	afterLastPage({ purpose, first }: Order<number>, at: number): void {
		this.isCharged = true;
		if (purpose === 'end') this.prove(first);
		if (this.reported?.at !== at)
			this.report({ at, isShort: false, isSure: true, isExpected: true });
	}

	toJSON(): SavedListEnd {
		const { proven, refusal, reported, cameShort, isCharged } = this;
		return { proven, refusal, reported, cameShort, isCharged };
	}

	/** Takes in what was kept; may be called for several. */
	restore({ proven, refusal, reported, cameShort, isCharged }: SavedListEnd): void {
		this.prove(proven ?? Infinity);
		if (reported) this.report(reported);
		if (this.proven === proven) this.refusal ??= refusal;
		this.cameShort ||= cameShort;
		this.isCharged ||= isCharged;
	}

	/** Nothing comes from this row on. */
	prove(row: number): void {
		if (row >= this.proven) return;
		this.proven = row;
		this.refusal = undefined;
	}

	/** Rows came after it. */
	withdraw(): void {
		this.proven = Infinity;
		this.refusal = undefined;
	}

	/** Notes what an answer says, unless the list is known to end before. */
	private report(report: ReportedEnd): void {
		if (report.at <= this.questionAt) this.reported = report;
	}
}
