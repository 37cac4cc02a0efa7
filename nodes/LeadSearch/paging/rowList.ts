/** Rows of leads, their places, which are row numbers, and where they end. */
import type { Json } from '../api/contract';
import type { Failure } from '../api/failures';
import { isSameRow, Ledger } from './ledger';
import { Repetition } from './repetition';

/** The first row that is not there, as far as answers say. */
export interface ListEnd {
	at: number;
	/** Whether exactly that row was asked for, and none came. */
	isProven: boolean;
	/** Whether an answer says that the list ends there, or lets it; else it said that more follow, or refused to go on. */
	isSaid: boolean;
	/** Its words, where it refused to go past a full page. */
	refusal?: Failure | undefined;
}

export abstract class RowList extends Ledger<number> {
	/** The last row that is there; -1 where none is. */
	lastRow = -1;
	end?: ListEnd | undefined;
	protected readonly repetition = new Repetition();

	/** The rows that are there from one place to another, in order. */
	rowsBetween(from: number, to: number): Json[] {
		const rows: Json[] = [];
		for (let at = from; at < Math.min(to, this.lastRow + 1); at++) {
			const row = this.rowAt(at);
			if (row) rows.push(row);
		}
		return rows;
	}

	override put(place: number, row: Json): void {
		super.put(place, row);
		this.lastRow = Math.max(this.lastRow, place);
		this.repetition.add(row);
	}

	protected isAt(place: number, row: Json): boolean {
		const there = this.rowAt(place);
		return there !== undefined && isSameRow(there, row);
	}

	/** Whether another row is known there. */
	protected isOther(place: number, row: Json): boolean {
		return this.cells.has(place) && !this.isAt(place, row);
	}

	/** Gives rows their places. Where another one is, it stays. */
	protected putAll(from: number, rows: Json[]): void {
		const loose: Json[] = [];
		rows.forEach((row, index) => {
			if (!this.cells.has(from + index)) this.put(from + index, row);
			else if (!this.isAt(from + index, row)) loose.push(row);
		});
		this.keepLoose(loose);
		// The list goes on after what looked like its end.
		if (this.end && this.lastRow >= this.end.at) this.end = undefined;
	}

	/** Keeps rows that were charged and have no place, unless they are there to the letter. */
	protected keepLoose(rows: Json[]): void {
		if (rows.length === 0) return;
		const known = new Set([...this.cells.values()].map((cell) => JSON.stringify(cell)));
		for (const row of rows) if (!known.has(JSON.stringify(row))) this.stray(row, []);
	}

	/** Notes where an answer lets the list end, unless it is known to go on there or to end before. */
	protected report(end: ListEnd): void {
		if (this.lastRow < end.at && !(this.end && this.end.at <= end.at)) this.end = end;
	}

	/** Nothing comes from this row on. */
	protected prove(at: number, refusal?: Failure): void {
		if (this.lastRow >= at || (this.end?.isProven && this.end.at <= at)) return;
		this.end = { at, isProven: true, isSaid: refusal === undefined, refusal };
	}
}
