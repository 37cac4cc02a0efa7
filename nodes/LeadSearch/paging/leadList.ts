/** A list of leads by row number: what answers say about its rows, its page size and its end. The contract's fields are believed. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRejection, type Failure } from '../api/failures';
import type { PageRequest } from './job';
import { isSameRow, PagedList, profileOf, type Violation } from './ledger';
import { CHECK_BALANCE, findViolation, truncationViolation, reportedSizeOf } from './pages';
import { MIN_REPEATED_PROFILES, Repetition, type Repeats } from './repetition';

/** In pages up to this size, rows begin where they are asked for, until a service says otherwise (contract, "Limits"). */
const DOCUMENTED_SIZE = ENDPOINTS.search.documentedPageSize;

/** What people should know of a run: why rows were charged in vain, or what came otherwise than requested. */
export type HintKey =
	| 'truncatedPage'
	| 'repeatedLastPage'
	| 'changedList'
	| 'movedRows'
	| 'previewEnded'
	| 'refusedSize';

/** The first row that is not there, as far as answers say. */
interface ListEnd {
	at: number;
	/** Whether exactly that row was requested, and none came. */
	isConfirmed: boolean;
	/** False where the answer said that more follow, or refused to go on; true also where it said nothing. */
	isStated: boolean;
	/** Its words, where it refused to go past a full page. */
	refusal?: Failure | undefined;
}

/** All that a poll knows of a list. */
export interface PollPosition {
	/** The next row. */
	row: number;
	/** The largest page, in rows, that certainly begins where it is asked for; 0: only the documented size. */
	confirmedSize: number;
	/** Whether an answer let the list end there. */
	mayEnd: boolean;
}

/** Rows from a place up to another, which is not among them. */
export type RowRange = readonly [from: number, to: number];

/** What outlasts a run of a list, and is handed on to the next: its own maps, and no copies. */
export type LeadFacts = Pick<
	LeadList,
	| 'hasRaw'
	| 'cells'
	| 'repeats'
	| 'unmatchedByText'
	| 'lastRow'
	| 'receivedSize'
	| 'sizeLimit'
	| 'end'
	| 'repetition'
>;

/**
 * The facts of a list of leads are its rows by place, rows without a place, the proven size and the size at most, the
 * end, what repeats, what an answer contradicts, and notes for people.
 *
 * @example
 * const list = new LeadList();
 * list.reserve({ purpose: 'rows', page: 1, size: 50, first: 0 });
 * list.settle({ purpose: 'rows', page: 1, size: 50, first: 0 }, { rows: thirty, hasMore: false });
 * list.facts; // { cells: Map { 0 => {…}, … }, lastRow: 29, proven: 30, … }
 */
export class LeadList extends PagedList<number> {
	cells = new Map<number, Json>();
	/** The indexes of rows that an earlier execution paid for, with the same values, at another index: the list has changed since. They are returned once. */
	repeats = new Set<number>();
	/** How many of them this run has paid for. */
	paidRepeatCount = 0;
	/** Rows that were charged and have no place, by their JSON, so that a row that comes again is known. */
	unmatchedByText = new Map<string, Json>();
	/** Whether rows are asked for with their field `raw`. */
	hasRaw = false;
	/** The last row that is there, or was paid for before, wanted or not; -1 where none is. */
	lastRow = -1;
	/** The largest page that has come, or that the service has named as its size: pages up to it begin where they are asked for. */
	receivedSize = 0;
	end: ListEnd | undefined;
	repetition = new Repetition();
	/** Of this run, each with the figure or the words that go with it. */
	readonly hints = new Map<HintKey, string>();
	/** Whether only pages are asked for that certainly begin where they are: nothing is known that would show others. */
	private isCautious = false;

	/** @param isPaid false for a preview: no credits can run out, and nothing that comes ends the run as failed */
	constructor(readonly isPaid = true) {
		super(isPaid ? 'search' : 'preview');
	}

	/** The list of a poll, which wants no rows before its place and asks for no page that may begin elsewhere. */
	static from({ row, confirmedSize, mayEnd }: PollPosition): LeadList {
		const list = new LeadList();
		list.receivedSize = confirmedSize;
		// Smaller pages than documented are what the service has said.
		if (confirmedSize > 0 && confirmedSize < DOCUMENTED_SIZE) list.sizeLimit = confirmedSize;
		list.isCautious = row > 0 || mayEnd;
		if (mayEnd) list.end = { at: row, isConfirmed: false, isStated: true };
		return list;
	}

	get rowCount(): number {
		return this.cells.size - this.repeats.size + this.unmatchedByText.size;
	}

	/** Rows that were charged and have no place. */
	get unmatchedRows(): Json[] {
		return [...this.unmatchedByText.values()];
	}

	/** The largest page that certainly begins where its number and size say. */
	get confirmedSize(): number {
		return Math.max(this.receivedSize, Math.min(DOCUMENTED_SIZE, this.sizeLimit));
	}

	override maxRequestSize(pageSize: number): number {
		const maxSize = super.maxRequestSize(pageSize);
		return this.isCautious ? Math.min(maxSize, this.confirmedSize) : maxSize;
	}

	/** Whether the search was accepted, in this run or in a run before. */
	get wasAccepted(): boolean {
		return this.hasResponse || this.receivedSize > 0;
	}

	/** The rows that are there from a place to another, in order. */
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
		const countBefore = this.rowCount;
		const violation =
			response.rows.length === 0
				? this.settleNoRows(request, response)
				: this.settleRows(request, response);
		if (violation) this.addUnmatched(response.rows);
		this.cost.wasted += response.rows.length - (this.rowCount - countBefore);
		if (!violation) return undefined;
		if (this.isPaid) return this.stopWith(violation);
		// It cost nothing, so that what came before is worth having.
		this.end = { at: request.firstKey, isConfirmed: true, isStated: false };
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
			// Rather the size than the page.
			this.sizeLimit = this.confirmedSize;
			this.hints.set('refusedSize', String(size));
			return undefined;
		}
		const isNoSuchPage = [400, 404, 422].includes(status) && firstKey > Math.max(0, this.lastRow);
		if (!isNoSuchPage || !this.wasAccepted) return failure;
		if (purpose === 'rows') this.noteEnd({ at: firstKey, isConfirmed: false, isStated: false });
		else {
			// The question is refused, too, so that it was the page and not its size.
			this.hints.delete('refusedSize');
			this.confirmEnd(firstKey, this.end?.isStated ? undefined : { kind: 'refused', status, text });
		}
		return undefined;
	}

	/** What a later run continues with. A changed list never counts as complete, and a refusal is free to check again. */
	get facts(): LeadFacts {
		const {
			hasRaw,
			cells,
			repeats,
			unmatchedByText,
			lastRow,
			receivedSize,
			sizeLimit,
			repetition,
		} = this;
		const isConfirmed = this.end?.isConfirmed === true && !this.end.refusal && repeats.size === 0;
		const end = this.end && { ...this.end, isConfirmed: isConfirmed };
		return {
			hasRaw,
			cells,
			repeats,
			unmatchedByText,
			lastRow,
			receivedSize,
			sizeLimit,
			repetition,
			end,
		};
	}

	/**
	 * Continues a list that was paid for before.
	 *
	 * @param ranges the rows that are wanted
	 * @param executionId the execution that pays for further rows
	 */
	restore(
		{ receivedSize, sizeLimit, end, ...facts }: LeadFacts,
		ranges: readonly RowRange[],
		executionId = '',
	): this {
		Object.assign(this, facts);
		this.receivedSize = Math.max(this.receivedSize, receivedSize);
		this.sizeLimit = Math.max(this.receivedSize, Math.min(this.sizeLimit, sizeLimit));
		const wanted = ranges.flatMap(([from, to]) => this.rowsBetween(from, to));
		// Where rows are to be bought before the end, more may have come after it meanwhile, and to ask is free.
		const isComplete = end?.isConfirmed && wanted.length >= countRowsBefore(end.at, ranges);
		// An end that is in question is no business of whoever wants later rows alone.
		if (isComplete || ranges.some(([from]) => end && from <= end.at))
			this.end = end && { ...end, isConfirmed: isComplete === true };
		for (const row of [...wanted, ...this.unmatchedRows]) this.reusedRows.add(row);
		this.repetition.continueAs(executionId);
		this.noteRepeats(ranges);
		if (this.end && this.lastRow >= this.end.at) this.end = undefined;
		return this;
	}

	/** Gives a row its place. */
	setRow(index: number, row: Json): void {
		this.cells.set(index, row);
		if (this.unmatchedByText.size > 0) this.unmatchedByText.delete(JSON.stringify(row));
		this.lastRow = Math.max(this.lastRow, index);
	}

	/** @returns what the answer contradicts */
	private settleRows(request: PageRequest<number>, response: Page): Violation | undefined {
		const { page, firstKey, maxResults } = request;
		const { rows, hasMore } = response;
		// The size that an answer names is read where it decides where the page begins, and of page 1, which begins at row 0 anyway.
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

		if (reportedSize !== undefined) this.sizeLimit = reportedSize;
		if (startIndex !== firstKey) this.hints.set('truncatedPage', String(reportedSize));
		this.receivedSize = Math.max(this.receivedSize, reportedSize ?? rows.length);
		this.placeRows(startIndex, rows);
		// Where rows stop at `max_results`, the service may mean that, and not the list.
		if (endIndex !== maxResults && (rows.length < size || hasMore === false))
			this.noteEnd({ at: endIndex, isConfirmed: false, isStated: hasMore !== true });
		// Where nothing costs credits, none can have run out.
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
				text: `it sent no leads after row ${firstKey.toLocaleString('en')} and said that more follow`,
				advice: CHECK_BALANCE,
			};
		}
		if (this.lastRow > firstKey)
			return { text: `it sent no lead for row ${firstKey + 1}, but leads after it` };
		this.confirmEnd(firstKey);
		return undefined;
	}

	/** Whether a page that is not there is answered by the last page, which says that none follows. */
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
		this.receivedSize = Math.max(this.receivedSize, rows.length);
		this.hints.set('repeatedLastPage', String(rows.length));
		const index = this.lastRow + 1;
		if (request.purpose === 'endCheck' && index === request.firstKey) this.confirmEnd(index);
		else this.noteEnd({ at: index, isConfirmed: false, isStated: true });
	}

	/** @param startIndex the row at which the page begins */
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
		// A page that the service truncates without naming its size begins earlier, with rows that are known. Rows that an
		// earlier execution paid for mean that the list has changed.
		const mayBeTruncated = firstKey > 0 && startIndex === firstKey && size > this.confirmedSize;
		if (mayBeTruncated && rows.length < size && ofEarlier.length === 0) {
			if (this.hasRowAt((page - 1) * rows.length, rows[0] ?? {}))
				return truncationViolation(rows.length, size);
			if (ofExecution) return truncationViolation('fewer', size);
		}
		if (ofExecution === 'all') return { text: `page ${page} holds leads that had come before` };
		return undefined;
	}

	/**
	 * Marks rows that an earlier execution paid for at another index, so that they are returned once. A row with other
	 * values is returned: the profile may have several rows, or the service has updated it.
	 *
	 * @param startIndex the index of the first row of the page
	 * @param known the rows of the page that name a profile for which an earlier execution paid, by index in the page
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

	/** Says again that a list has changed if the rows that are wanted include repeats. */
	private noteRepeats(ranges: readonly RowRange[]): void {
		const isWanted = (index: number) => ranges.some(([from, to]) => index >= from && index < to);
		const { length } = [...this.repeats].filter(isWanted);
		if (length > 0) this.hints.set('changedList', String(length));
	}

	private hasRowAt(index: number, row: Json): boolean {
		const cell = this.cells.get(index);
		return cell !== undefined && isSameRow(cell, row);
	}

	/** Gives rows their places. Where another row is, it stays. */
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
		// The list goes on after what looked like its end.
		if (this.end && this.lastRow >= this.end.at) this.end = undefined;
	}

	/** Keeps rows that were charged and have no place, unless they are there to the letter. */
	private addUnmatched(rows: Json[]): void {
		if (rows.length === 0) return;
		const texts = new Set([...this.cells.values()].map((cell) => JSON.stringify(cell)));
		for (const row of rows) {
			const text = JSON.stringify(row);
			if (!texts.has(text)) this.unmatchedByText.set(text, row);
		}
	}

	/** Notes where an answer lets the list end, unless it is known to go on there or to end before. */
	private noteEnd(end: ListEnd): void {
		if (this.lastRow < end.at && !(this.end && this.end.at <= end.at)) this.end = end;
	}

	/** Nothing comes from this row on. */
	private confirmEnd(index: number, refusal?: Failure): void {
		if (this.lastRow >= index || (this.end?.isConfirmed && this.end.at <= index)) return;
		this.end = { at: index, isConfirmed: true, isStated: refusal === undefined, refusal };
	}

	/** Too few credits explain a short page. */
	private forgetUnconfirmedEnd(): void {
		if (this.end?.isConfirmed === false) this.end = undefined;
	}
}

/** How many rows are wanted before a place. */
function countRowsBefore(end: number, ranges: readonly RowRange[]): number {
	return ranges.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - from), 0);
}
