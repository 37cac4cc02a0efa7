/** A list of leads by index. It learns its rows and its end from responses, and trusts the fields of the contract. */
import type { Json, Page } from '../api/contract';
import type { Failure } from '../api/failures';
import type { PageRequest } from './job';
import { isSameRow, PagedList, profileOf, type Violation } from './pagedList';
import {
	CHECK_BALANCE,
	findViolation,
	reportedSizeOf,
	SMALL_PAGE_SIZE,
	truncationViolation,
} from './pages';

/** The service seems to ignore `_page` from this many repeated rows on. Fewer can come from an unstable order. */
const MIN_REPEATED_ROWS = 25;
/** The same for a preview, which may mask profiles: the number of different profiles on one repeated page. */
const MIN_REPEATED_PROFILES = 3;

export type HintKey = 'truncatedPage' | 'repeatedLastPage' | 'previewEnded';

/** The end of the list, as far as responses show it. An end check confirms a supposed end. */
export interface ListEnd {
	/** The index after the last row of the list. */
	at: number;
	/**
	 * Whether no end check is sent any more. It is true if there were no rows from `at` on, or if the end check was
	 * refused or brought only known rows. It is also true in a preview if a response said that no more rows follow, or
	 * was unexpected.
	 */
	isConfirmed: boolean;
	/**
	 * Whether the list seems to end here. It is false if the service refused the next page, said that more rows follow,
	 * or sent an unexpected response to a preview.
	 */
	isLikely: boolean;
	/** The refusal of the page after the end. It is undefined if an earlier page already looked like the last one. */
	refusal?: Failure | undefined;
}

/** The position at which a poll continues. `row` is the index of its first row. */
export interface PollPosition {
	row: number;
	isAccepted: boolean;
	mayEnd: boolean;
	pageSize?: number | undefined;
}

/** Indexes of rows. `from` is included, `to` isn't. */
export type RowRange = readonly [from: number, to: number];

/**
 * @example
 * const list = new LeadList();
 * const request = { purpose: 'rows', page: 1, size: 50, firstKey: 0 };
 * list.take(request);
 * list.settle(request, { rows: thirty, hasMore: false });
 * list.rowsBetween(0, 30); // [{…}, …]
 */
export class LeadList extends PagedList<number> {
	readonly cells = new Map<number, Json>();
	/**
	 * Charged rows without a known index, by their JSON without `raw`. A row has none if its page is unexpected, or if the list
	 * already has a different row at its index.
	 */
	private readonly unmatchedByText = new Map<string, Json>();
	/** The highest index of a row that this run or an earlier one received; -1 if there is none. */
	lastRow = -1;
	/** The same without reused rows, which may not exist any more. */
	lastReceivedRow = -1;
	end: ListEnd | undefined;
	/** Whether the rows are of two states of the list, so that some may be missing. */
	hasChanged = false;
	/** The index of a row of each profile. A row that this run has bought takes the place of a reused one. */
	private readonly indexByProfile = new Map<string, number>();
	/** The different rows of each profile with several indexes, as JSON without `raw`. */
	private readonly textsByProfile = new Map<string, Set<string>>();
	/** The number of rows in the latest pages that contained only rows that came before. */
	private repeatedRows = 0;
	hasRaw = false;
	/** The value is the number or text that the hint contains; an empty string if it contains none. */
	readonly hints = new Map<HintKey, string>();
	/**
	 * Whether the service has returned a page to this run or an earlier one. A refused page can then mean the end of
	 * the list. Before that, the same refusal is a failure.
	 */
	isAccepted = false;
	/** @param isPaid false for a preview: it can't run out of credits, and its unexpected responses only end the list */
	constructor(readonly isPaid = true) {
		super(isPaid ? 'search' : 'preview');
	}

	static from({ row, isAccepted, mayEnd, pageSize }: PollPosition): LeadList {
		const list = new LeadList();
		list.isAccepted = isAccepted;
		list.pageSize = pageSize;
		if (mayEnd) list.end = { at: row, isConfirmed: false, isLikely: true };
		return list;
	}

	get rowCount(): number {
		return this.cells.size + this.unmatchedByText.size;
	}

	get unmatchedRows(): Json[] {
		return [...this.unmatchedByText.values()];
	}

	/**
	 * Returns rows without repeats, and counts the repeats: rows that are identical to an earlier one, except for `raw`.
	 */
	rowsBetween(from: number, to: number): { rows: Json[]; repeats: number } {
		const rows: Json[] = [];
		const returned = new Set<string>();
		let repeats = 0;
		for (let index = from; index < Math.min(to, this.lastRow + 1); index++) {
			const row = this.cells.get(index);
			if (!row) continue;
			const isOnce = !this.textsByProfile.has(profileOf(row) ?? '');
			const text = isOnce ? '' : textWithoutRaw(row);
			if (!isOnce && returned.has(text)) repeats += 1;
			else rows.push(row);
			if (!isOnce) returned.add(text);
		}
		return { rows, repeats };
	}

	settle(request: PageRequest<number>, response: Page): Failure | undefined {
		this.recordResponse(request, response);
		this.isAccepted = true;
		const countBefore = this.rowCount;
		const violation =
			response.rows.length === 0
				? this.settleNoRows(request, response)
				: this.settleRows(request, response);
		if (violation) this.addUnmatched(response.rows);
		this.cost.wasted += response.rows.length - (this.rowCount - countBefore);
		if (!violation) return undefined;
		if (this.isPaid) return this.stopWith(violation);
		// The preview was free, and the rows before the unexpected response are still useful.
		this.end = { at: request.firstKey, isConfirmed: true, isLikely: false };
		this.hints.set('previewEnded', violation.text);
		return undefined;
	}

	override fail(request: PageRequest<number>, failure: Failure): Failure | undefined {
		super.fail(request, failure);
		const { firstKey, purpose } = request;
		const { kind, status = 0, text } = failure;
		if (kind === 'noCredits') {
			this.forgetUnconfirmedEnd();
			return failure;
		}
		const isNoSuchPage =
			[400, 404, 422].includes(status) && firstKey > Math.max(0, this.lastReceivedRow);
		if (!isNoSuchPage || !this.isAccepted) return failure;
		if (purpose === 'rows') this.noteEnd({ at: firstKey, isConfirmed: false, isLikely: false });
		else {
			this.confirmEnd(firstKey, this.end?.isLikely ? undefined : { kind: 'refused', status, text });
		}
		return undefined;
	}

	rowsOf(index: number): readonly Json[] {
		const row = this.cells.get(index);
		return row ? [row] : [];
	}

	restore(index: number, rows: readonly Json[]): void {
		for (const row of rows) {
			this.setRow(index, row);
			this.reusedRows.add(row);
		}
		this.isAccepted = true;
		this.forgetEndBefore(index);
	}

	/** Adds a cached end. If it is confirmed, restored rows after it don't exist any more. */
	restoreEnd(end: ListEnd): void {
		this.isAccepted = true;
		this.end = end;
		if (end.isConfirmed && this.lastRow >= end.at) this.hasChanged = true;
		this.forgetEndBefore(this.lastRow);
	}

	restoreUnmatched(rows: readonly Json[]): void {
		this.addUnmatched(rows);
		for (const row of this.unmatchedRows) this.reusedRows.add(row);
	}

	/** @returns whether the row is a repeat: it is identical to one at another index */
	setRow(index: number, row: Json): boolean {
		const isRepeat = !this.cells.has(index) && this.noteProfile(index, row);
		this.cells.set(index, row);
		if (this.unmatchedByText.size > 0) this.unmatchedByText.delete(textWithoutRaw(row));
		this.lastRow = Math.max(this.lastRow, index);
		return isRepeat;
	}

	/** Returns whether a row is a repeat. A preview has no repeats: it is free, and may mask its rows. */
	private noteProfile(index: number, row: Json): boolean {
		const profile = profileOf(row);
		if (profile === undefined) return false;
		const known = this.indexByProfile.get(profile);
		const knownRow = known === undefined ? undefined : this.cells.get(known);
		if (!knownRow || this.reusedRows.has(knownRow)) this.indexByProfile.set(profile, index);
		if (!knownRow || !this.isPaid) return false;
		const texts = this.textsByProfile.get(profile) ?? new Set([textWithoutRaw(knownRow)]);
		const { size } = texts;
		this.textsByProfile.set(profile, texts.add(textWithoutRaw(row)));
		return texts.size === size;
	}

	/**
	 * Whether the service seems to ignore `_page`: full pages have only profiles that this run has received at other
	 * indexes. Other values may change with each request, so they aren't compared.
	 */
	private isRepetition(rows: Json[], startIndex: number, size: number): boolean {
		const isRepeated = (row: Json, at: number) => {
			const index = this.indexByProfile.get(profileOf(row) ?? '');
			const known = index === undefined ? undefined : this.cells.get(index);
			return known !== undefined && index !== startIndex + at && !this.reusedRows.has(known);
		};
		const isRepeatedPage = rows.length >= size && rows.every(isRepeated);
		this.repeatedRows = isRepeatedPage ? this.repeatedRows + rows.length : 0;
		if (this.isPaid) return this.repeatedRows >= MIN_REPEATED_ROWS;
		// A preview may mask profiles, so that all its rows seem to name the same one.
		return isRepeatedPage && new Set(rows.map(profileOf)).size >= MIN_REPEATED_PROFILES;
	}

	private settleRows(request: PageRequest<number>, response: Page): Violation | undefined {
		const { page, firstKey, maxResults } = request;
		const { rows, hasMore } = response;
		// The reported size decides where the page starts.
		const reportedSize = reportedSizeOf(request, response);
		const size = reportedSize ?? request.size;
		if (reportedSize !== undefined)
			this.pageSize = Math.min(reportedSize, this.pageSize ?? reportedSize);
		if (this.isLastPageRepeated(request, response, size)) {
			this.settleLastPage(request, response, size);
			return undefined;
		}
		const startIndex = (page - 1) * size;
		const endIndex = startIndex + rows.length;
		const violation = this.isPaid ? findViolation(request, response) : undefined;
		if (violation) return violation;
		if (this.isRepetition(rows, startIndex, size))
			return { text: `page ${page} contains only leads that were already received` };

		if (startIndex !== firstKey) this.hints.set('truncatedPage', String(reportedSize));
		const repeats = this.placeRows(startIndex, rows);
		const isAfterShortPage1 = firstKey >= SMALL_PAGE_SIZE && firstKey < this.receivedSize;
		if (request.purpose === 'endCheck' && repeats > 0) this.confirmEnd(endIndex);
		else if (request.purpose === 'endCheck' && isAfterShortPage1 && this.pageSize === undefined)
			return truncationViolation(firstKey, this.receivedSize);
		// If the rows stop at `max_results`, the service may mean that limit and not the end of the list.
		if (endIndex !== maxResults && (rows.length < size || hasMore === false))
			this.noteEnd({
				at: endIndex,
				isConfirmed: false,
				isLikely: hasMore !== true,
			});
		if (!this.isPaid && hasMore === false && endIndex !== maxResults) this.confirmEnd(endIndex);
		return undefined;
	}

	private settleNoRows(request: PageRequest<number>, response: Page): Violation | undefined {
		const { firstKey } = request;
		const violation = findViolation(request, response);
		if (violation) return violation;
		if (response.hasMore === true) {
			this.forgetUnconfirmedEnd();
			return {
				text: `it sent no leads after row ${firstKey.toLocaleString('en')} but said that more follow`,
				advice: CHECK_BALANCE,
			};
		}
		if (this.lastReceivedRow > firstKey)
			return { text: `it sent no lead for row ${firstKey + 1}, but leads for later rows` };
		this.confirmEnd(firstKey);
		return undefined;
	}

	/**
	 * Whether the response is the last page again. Some services send it if a page after the end is requested. It names
	 * an earlier page than the requested one, and says that no page follows.
	 */
	private isLastPageRepeated(request: PageRequest<number>, response: Page, size: number): boolean {
		const { rows, page = request.page, hasMore, nextPage, violation } = response;
		const saysEnd = hasMore === false || (hasMore === undefined && nextPage === null);
		if (page >= request.page || !saysEnd || rows.length > size || violation !== undefined)
			return false;
		const startIndex = (page - 1) * size;
		const isOtherRow = (row: Json, index: number) =>
			this.cells.has(startIndex + index) && !this.hasRowAt(startIndex + index, row);
		return this.lastReceivedRow < startIndex + size && !rows.some(isOtherRow);
	}

	private settleLastPage(
		request: PageRequest<number>,
		{ rows, page = 1 }: Page,
		size: number,
	): void {
		this.placeRows((page - 1) * size, rows);
		this.hints.set('repeatedLastPage', String(rows.length));
		const index = this.lastReceivedRow + 1;
		if (request.purpose === 'endCheck' && index === request.firstKey) this.confirmEnd(index);
		else this.noteEnd({ at: index, isConfirmed: false, isLikely: true });
	}

	private hasRowAt(index: number, row: Json): boolean {
		const cell = this.cells.get(index);
		return cell !== undefined && isSameRow(cell, row);
	}

	/**
	 * Adds the rows of a page. If the list already has a different row at an index, the old row stays, and the new one
	 * becomes unmatched.
	 *
	 * @returns the number of repeats
	 */
	private placeRows(startIndex: number, rows: Json[]): number {
		const unmatched: Json[] = [];
		let repeats = 0;
		rows.forEach((row, at) => {
			const index = startIndex + at;
			if (!this.cells.has(index)) {
				if (this.setRow(index, row)) repeats += 1;
				this.receivedKeys.push(index);
			} else if (!this.hasRowAt(index, row)) unmatched.push(row);
		});
		this.cost.wasted += repeats;
		this.lastReceivedRow = Math.max(this.lastReceivedRow, startIndex + rows.length - 1);
		this.addUnmatched(unmatched);
		// The list continues after its supposed end.
		if (this.end && this.lastReceivedRow >= this.end.at) this.end = undefined;
		return repeats;
	}

	private addUnmatched(rows: readonly Json[]): void {
		if (rows.length === 0) return;
		const texts = new Set([...this.cells.values()].map(textWithoutRaw));
		for (const row of rows) {
			const text = textWithoutRaw(row);
			if (!texts.has(text)) this.unmatchedByText.set(text, row);
		}
	}

	/** Records a supposed end, unless the list has later rows, or has an end at the same or an earlier index already. */
	private noteEnd(end: ListEnd): void {
		if (this.lastReceivedRow < end.at && !(this.end && this.end.at <= end.at)) this.end = end;
	}

	/**
	 * Records that the list has no row at `index` or later. This is ignored if the list has later rows, or a confirmed
	 * end at the same or an earlier index.
	 *
	 * @param refusal the failure, if the service refused the row at `index` although every page before was full
	 */
	private confirmEnd(index: number, refusal?: Failure): void {
		if (this.lastReceivedRow >= index || (this.end?.isConfirmed && this.end.at <= index)) return;
		this.end = { at: index, isConfirmed: true, isLikely: refusal === undefined, refusal };
		if (this.lastRow >= index) this.hasChanged = true;
	}

	/** Removes an end that isn't confirmed if the list has a row after it. */
	private forgetEndBefore(index: number): void {
		if (this.end && index >= this.end.at) this.forgetUnconfirmedEnd();
	}

	/** Call this if credits may have run out: the low balance may be why a page was short and suggested the end. */
	private forgetUnconfirmedEnd(): void {
		if (this.end?.isConfirmed === false) this.end = undefined;
	}
}

function textWithoutRaw(row: Json): string {
	return JSON.stringify({ ...row, raw: undefined });
}
