/**
 * A list of leads by index. It learns its rows, its page size and its end from responses, and trusts the fields of
 * the contract.
 */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRejection, type Failure } from '../api/failures';
import type { PageRequest } from './job';
import { isSameRow, PagedList, profileOf, type Violation } from './pagedList';
import { CHECK_BALANCE, findViolation, truncationViolation, reportedSizeOf } from './pages';
import { MIN_REPEATED_PROFILES, Repetition, type Repeats } from './repetition';

/**
 * The service accepts pages up to this size, so that page n starts at row (n - 1) × size, unless a response shows
 * otherwise (contract, "Limits").
 */
const DOCUMENTED_SIZE = ENDPOINTS.search.documentedPageSize;

/** The facts of a run that users get a hint about: charged rows were wasted, or the rows differ from the request. */
export type HintKey =
	| 'truncatedPage'
	| 'repeatedLastPage'
	| 'changedList'
	| 'movedRows'
	| 'previewEnded'
	| 'refusedSize';

/** The end of the list, as far as responses show it. */
interface ListEnd {
	/** The index after the last row of the list, which is the number of its rows. */
	at: number;
	/**
	 * Whether the end is certain, so that no end check is sent: a request for exactly this row returned no row, or a
	 * preview said that it ends.
	 */
	isConfirmed: boolean;
	/**
	 * Whether the list probably ends here, usually because a page had fewer rows than requested. It is false if
	 * requests ended although there may be more rows: the service refused the next page, or said that more rows
	 * follow.
	 */
	isLikely: boolean;
	/**
	 * The failure with which the service refused to send a further page. Undefined if an earlier page already looked
	 * like the last one.
	 */
	refusal?: Failure | undefined;
}

/** The position in a list from which a poll continues. */
export interface PollPosition {
	/** The index of the next row that the trigger delivers. */
	row: number;
	/**
	 * The largest page size, in rows, that the service is known to accept; 0 if the service hasn't accepted the
	 * search yet.
	 */
	confirmedSize: number;
	/** Whether a response suggested that the list ends at this row. */
	mayEnd: boolean;
}

/** The indexes of rows: `from` is included, `to` isn't. */
export type RowRange = readonly [from: number, to: number];

/** The facts of a list that the next run continues from. The maps are shared with that run, not copied. */
export type LeadFacts = Pick<
	LeadList,
	| 'hasRaw'
	| 'cells'
	| 'repeats'
	| 'unmatchedByText'
	| 'lastRow'
	| 'confirmedSize'
	| 'sizeLimit'
	| 'end'
	| 'repetition'
>;

/**
 * A list of leads. It has the rows that were received, by their index in the list, and everything that was learned about
 * the list: page sizes that the service accepts, the end, repeated rows, the first unexpected response, hints for users.
 *
 * @example
 * const list = new LeadList();
 * const request = { purpose: 'rows', page: 1, size: 50, firstKey: 0 };
 * list.reserve(request);
 * list.settle(request, { rows: thirty, hasMore: false });
 * list.facts; // { cells: Map { 0 => {…}, … }, lastRow: 29, confirmedSize: 30, … }
 */
export class LeadList extends PagedList<number> {
	cells = new Map<number, Json>();
	/**
	 * The indexes of rows that were received a second time: an earlier execution paid for the same row at another
	 * index, so the list has changed since. Each such row is returned once.
	 */
	repeats = new Set<number>();
	/** The number of repeats that this run has paid for. */
	paidRepeatCount = 0;
	/**
	 * Charged rows that have no known index in the list. The keys are the rows' JSON, so that duplicates are found.
	 */
	unmatchedByText = new Map<string, Json>();
	/** Whether the requested rows have the field `raw`. */
	hasRaw = false;
	/** The index of the last row that this run or an earlier one received; -1 for none. */
	lastRow = -1;
	end: ListEnd | undefined;
	repetition = new Repetition();
	/** The hints of this run, each with the number or text that it contains. */
	readonly hints = new Map<HintKey, string>();
	/** Whether the service has accepted the search, in this run or an earlier one. */
	isAccepted = false;
	/**
	 * Whether only page sizes that the service is known to accept are requested. A poll needs that: it doesn't have
	 * the earlier rows that would show that a page starts at another row than requested.
	 */
	private isCautious = false;

	/**
	 * Creates a list without rows.
	 *
	 * @param isPaid false for a preview: a preview can't run out of credits, and its unexpected responses only end
	 * the list
	 */
	constructor(readonly isPaid = true) {
		super(isPaid ? 'search' : 'preview');
	}

	/**
	 * Creates the list of a poll. The list requests no rows before the cursor, and no page larger than the service is
	 * known to accept.
	 */
	static from({ row, confirmedSize, mayEnd }: PollPosition): LeadList {
		const list = new LeadList();
		list.isAccepted = confirmedSize > 0;
		if (list.isAccepted) list.confirmedSize = confirmedSize;
		// The service has reported a page size below the documented one, so it is the limit.
		if (list.confirmedSize < DOCUMENTED_SIZE) list.sizeLimit = list.confirmedSize;
		list.isCautious = row > 0 || mayEnd;
		if (mayEnd) list.end = { at: row, isConfirmed: false, isLikely: true };
		return list;
	}

	get rowCount(): number {
		return this.cells.size - this.repeats.size + this.unmatchedByText.size;
	}

	/** The charged rows that have no known index in the list. */
	get unmatchedRows(): Json[] {
		return [...this.unmatchedByText.values()];
	}

	override maxRequestSize(pageSize: number): number {
		const maxSize = super.maxRequestSize(pageSize);
		return this.isCautious ? Math.min(maxSize, this.confirmedSize) : maxSize;
	}

	/** The rows from an index up to another one, in order and without repeats. */
	rowsBetween(from: number, to: number): Json[] {
		const rows: Json[] = [];
		for (let at = from; at < Math.min(to, this.lastRow + 1); at++) {
			const row = this.cells.get(at);
			if (row && !this.repeats.has(at)) rows.push(row);
		}
		return rows;
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
		const { size, firstKey, purpose } = request;
		const { kind, status = 0, text } = failure;
		if (kind === 'noCredits') {
			this.forgetUnconfirmedEnd();
			return failure;
		}
		if (isRejection(failure) && size > this.confirmedSize) {
			// The size is a more likely reason than the page, so a smaller page is requested.
			this.sizeLimit = this.confirmedSize;
			this.hints.set('refusedSize', String(size));
			return undefined;
		}
		const isNoSuchPage = [400, 404, 422].includes(status) && firstKey > Math.max(0, this.lastRow);
		if (!isNoSuchPage || !this.isAccepted) return failure;
		if (purpose === 'rows') this.noteEnd({ at: firstKey, isConfirmed: false, isLikely: false });
		else {
			// The end check is refused, too, so the reason isn't the size.
			this.hints.delete('refusedSize');
			this.confirmEnd(firstKey, this.end?.isLikely ? undefined : { kind: 'refused', status, text });
		}
		return undefined;
	}

	/**
	 * What is known about the list, for a later run to continue from. If the list has changed, or the service refused
	 * to send more, the end of the list is returned as unconfirmed. The later run then checks again where the list
	 * ends, which is free.
	 */
	get facts(): LeadFacts {
		const {
			hasRaw,
			cells,
			repeats,
			unmatchedByText,
			lastRow,
			confirmedSize,
			sizeLimit,
			repetition,
		} = this;
		const isConfirmed = this.end?.isConfirmed === true && !this.end.refusal && repeats.size === 0;
		const end = this.end && { ...this.end, isConfirmed };
		return {
			hasRaw,
			cells,
			repeats,
			unmatchedByText,
			lastRow,
			confirmedSize,
			sizeLimit,
			repetition,
			end,
		};
	}

	/**
	 * Continues a list that earlier runs have paid for.
	 *
	 * @param ranges the rows that are requested
	 * @param executionId the execution that pays for further rows
	 */
	restore(
		{ confirmedSize, sizeLimit, end, ...facts }: LeadFacts,
		ranges: readonly RowRange[],
		executionId = '',
	): this {
		Object.assign(this, facts);
		this.sizeLimit = Math.min(this.sizeLimit, sizeLimit);
		this.confirmedSize = Math.min(Math.max(this.confirmedSize, confirmedSize), this.sizeLimit);
		this.isAccepted ||= this.lastRow >= 0;
		const wanted = ranges.flatMap(([from, to]) => this.rowsBetween(from, to));
		// If rows before the end are missing, time has passed and the list may have grown. Another end check is free.
		const isComplete = end?.isConfirmed && wanted.length >= countRowsBefore(end.at, ranges);
		// A run that wants only rows after an unconfirmed end ignores that end.
		if (isComplete || ranges.some(([from]) => end && from <= end.at))
			this.end = end && { ...end, isConfirmed: isComplete === true };
		for (const row of [...wanted, ...this.unmatchedRows]) this.reusedRows.add(row);
		this.repetition.continueAs(executionId);
		this.noteRepeats(ranges);
		if (this.end && this.lastRow >= this.end.at) this.end = undefined;
		return this;
	}

	setRow(index: number, row: Json): void {
		this.cells.set(index, row);
		if (this.unmatchedByText.size > 0) this.unmatchedByText.delete(JSON.stringify(row));
		this.lastRow = Math.max(this.lastRow, index);
	}

	private settleRows(request: PageRequest<number>, response: Page): Violation | undefined {
		const { page, firstKey, maxResults } = request;
		const { rows, hasMore } = response;
		// The reported size is used if the requested size isn't confirmed, because it decides where the page starts. It is
		// also used for page 1, which starts at row 0 in any size.
		const usesNamedSize = firstKey === 0 || request.size > this.confirmedSize;
		const reportedSize = usesNamedSize ? reportedSizeOf(request, response) : undefined;
		const size = reportedSize ?? request.size;
		if (this.isLastPageRepeated(request, response, size)) {
			this.settleLastPage(request, response, size);
			return undefined;
		}
		const startIndex = (page - 1) * size;
		const endIndex = startIndex + rows.length;
		const isExpected = (row: Json, index: number) => this.hasRowAt(startIndex + index, row);
		const repeats = this.repetition.find(rows, isExpected, this.isPaid);
		const violation = this.findPageViolation(request, response, startIndex, repeats);
		if (violation) return violation;
		if (repeats.ofExecution) this.hints.set('movedRows', '');
		this.addRepeats(startIndex, rows, repeats.ofEarlier);

		if (startIndex !== firstKey) this.hints.set('truncatedPage', String(reportedSize));
		if (reportedSize === undefined) this.confirmSize(rows.length);
		else {
			this.confirmedSize = reportedSize;
			this.sizeLimit = reportedSize;
		}
		this.placeRows(startIndex, rows);
		// If the rows stop at `max_results`, the service may mean that limit and not the end of the list.
		if (endIndex !== maxResults && (rows.length < size || hasMore === false))
			this.noteEnd({ at: endIndex, isConfirmed: false, isLikely: hasMore !== true });
		// A preview can't run out of credits, so its statement is trusted.
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
		if (this.lastRow > firstKey)
			return { text: `it sent no lead for row ${firstKey + 1}, but leads for later rows` };
		this.confirmEnd(firstKey);
		return undefined;
	}

	/**
	 * Whether the service sent its last page again although a page after the end was requested, and said that no page
	 * follows.
	 */
	private isLastPageRepeated(request: PageRequest<number>, response: Page, size: number): boolean {
		const { rows, page = request.page, hasMore, nextPage, violation } = response;
		const saysEnd = hasMore === false || (hasMore === undefined && nextPage === null);
		if (page >= request.page || !saysEnd || rows.length > size || violation !== undefined)
			return false;
		const startIndex = (page - 1) * size;
		const isOtherRow = (row: Json, index: number) =>
			this.cells.has(startIndex + index) && !this.hasRowAt(startIndex + index, row);
		return this.lastRow < startIndex + size && !rows.some(isOtherRow);
	}

	private settleLastPage(
		request: PageRequest<number>,
		{ rows, page = 1 }: Page,
		size: number,
	): void {
		this.placeRows((page - 1) * size, rows);
		this.confirmSize(rows.length);
		this.hints.set('repeatedLastPage', String(rows.length));
		const index = this.lastRow + 1;
		if (request.purpose === 'endCheck' && index === request.firstKey) this.confirmEnd(index);
		else this.noteEnd({ at: index, isConfirmed: false, isLikely: true });
	}

	/**
	 * Compares a page with its request and with the rows received before.
	 *
	 * @param startIndex the index of the first row of the page
	 * @param repeats the rows of the page that were received before: by this execution (`ofExecution`), or by earlier
	 * executions (`ofEarlier`)
	 * @returns the first violation; undefined if the page is as expected
	 */
	private findPageViolation(
		request: PageRequest<number>,
		response: Page,
		startIndex: number,
		{ ofExecution, ofEarlier }: Repeats,
	): Violation | undefined {
		const { page, size, firstKey } = request;
		const { rows } = response;
		const violation = this.isPaid ? findViolation(request, response) : undefined;
		if (violation) return violation;
		// A page that is truncated without a reported size starts earlier, with known rows. If an earlier execution paid for
		// these rows, the list has changed instead.
		const mayBeTruncated = firstKey > 0 && startIndex === firstKey && size > this.confirmedSize;
		if (mayBeTruncated && rows.length < size && ofEarlier.length === 0) {
			if (this.hasRowAt((page - 1) * rows.length, rows[0] ?? {}))
				return truncationViolation(rows.length, size);
			if (ofExecution) return truncationViolation('fewer', size);
		}
		if (ofExecution === 'all')
			return { text: `page ${page} contains only leads that were already received` };
		return undefined;
	}

	/**
	 * Marks the rows of a page that this account has already paid for in an earlier execution, at another index of
	 * the list. Each marked row is returned once. Only identical rows are marked. If the values differ from the
	 * earlier row of the same profile, the row is new: the profile has several rows, or the service has updated it.
	 *
	 * @param startIndex the index of the first row of the page
	 * @param known the rows that name a profile for which an earlier execution paid, by index in the page
	 */
	private addRepeats(startIndex: number, rows: Json[], known: readonly number[]): void {
		if (known.length === 0) return;
		const profilesAt = (indexes: readonly number[]) =>
			new Set(indexes.map((index) => profileOf(rows[index] ?? {})));
		const profiles = profilesAt(known);
		const texts = new Set<string>();
		for (const row of this.cells.values())
			if (profiles.has(profileOf(row))) texts.add(JSON.stringify(row));
		const isRepeat = (index: number) =>
			!this.cells.has(startIndex + index) && texts.has(JSON.stringify(rows[index]));
		const repeated = known.filter(isRepeat);
		for (const index of repeated) this.repeats.add(startIndex + index);
		this.paidRepeatCount += repeated.length;
		if (repeated.length > 0) this.hints.set('changedList', String(this.repeats.size));
		const others = known.filter((index) => !repeated.includes(index));
		if (profilesAt(others).size >= MIN_REPEATED_PROFILES) this.hints.set('movedRows', '');
	}

	/** If the requested rows include repeats, adds the hint that the list has changed. */
	private noteRepeats(ranges: readonly RowRange[]): void {
		const isWanted = (index: number) => ranges.some(([from, to]) => index >= from && index < to);
		const { length } = [...this.repeats].filter(isWanted);
		if (length > 0) this.hints.set('changedList', String(length));
	}

	private confirmSize(size: number): void {
		this.confirmedSize = Math.max(this.confirmedSize, size);
	}

	private hasRowAt(index: number, row: Json): boolean {
		const cell = this.cells.get(index);
		return cell !== undefined && isSameRow(cell, row);
	}

	/**
	 * Puts the rows of a page at their indexes in the list. If the list has another row at an index, that row stays,
	 * and the new one becomes an unmatched row.
	 */
	private placeRows(startIndex: number, rows: Json[]): void {
		const placed: Json[] = [];
		const unmatched: Json[] = [];
		rows.forEach((row, index) => {
			if (!this.cells.has(startIndex + index)) {
				this.setRow(startIndex + index, row);
				placed.push(row);
			} else if (!this.hasRowAt(startIndex + index, row)) unmatched.push(row);
		});
		this.repetition.add(placed);
		this.addUnmatched(unmatched);
		// The list continues after its supposed end.
		if (this.end && this.lastRow >= this.end.at) this.end = undefined;
	}

	/** Adds charged rows that have no known index, unless the list has a row with equal values. */
	private addUnmatched(rows: Json[]): void {
		if (rows.length === 0) return;
		const texts = new Set([...this.cells.values()].map((cell) => JSON.stringify(cell)));
		for (const row of rows) {
			const text = JSON.stringify(row);
			if (!texts.has(text)) this.unmatchedByText.set(text, row);
		}
	}

	/** Records a supposed end of the list, unless the list has later rows or an earlier end. */
	private noteEnd(end: ListEnd): void {
		if (this.lastRow < end.at && !(this.end && this.end.at <= end.at)) this.end = end;
	}

	/**
	 * Records that the list has no row from this index on, unless the list has later rows or an earlier confirmed
	 * end.
	 */
	private confirmEnd(index: number, refusal?: Failure): void {
		if (this.lastRow >= index || (this.end?.isConfirmed && this.end.at <= index)) return;
		this.end = { at: index, isConfirmed: true, isLikely: refusal === undefined, refusal };
	}

	/** Removes a supposed end, because a low balance may be the reason for the short page. */
	private forgetUnconfirmedEnd(): void {
		if (this.end?.isConfirmed === false) this.end = undefined;
	}
}

/** Counts the requested rows before the end of the list. */
function countRowsBefore(end: number, ranges: readonly RowRange[]): number {
	return ranges.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - from), 0);
}
