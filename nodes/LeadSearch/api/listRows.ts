/** The rows of a list that have come, by their place in it. */
import type { Json } from './contract';
import type { RowRange } from './ranges';
import type { KnownSizes } from './servedSizes';

/** Rows that follow each other in a list. */
interface Stretch {
	offset: number;
	rows: readonly Json[];
	/** When they were paid for, where that was in an earlier run; milliseconds since 1970. */
	boughtAt?: number;
}

/** Rows that have come. */
export interface Held {
	/** Those that were paid for in an earlier run included. */
	rows: number;
	/** Those that were paid for in an earlier run. */
	reused: number;
	/** When the first of these was paid for, in milliseconds since 1970; Infinity for none. */
	boughtAt: number;
}

export const NOTHING_HELD: Held = { rows: 0, reused: 0, boughtAt: Infinity };

/** @param boughtAt when the rows were paid for; undefined where that was in this run */
export function addHeld(held: Held, rows: number, boughtAt: number | undefined): Held {
	return {
		rows: held.rows + rows,
		reused: held.reused + (boughtAt === undefined ? 0 : rows),
		boughtAt: Math.min(held.boughtAt, boughtAt ?? Infinity),
	};
}

/** What is kept of a list between runs. */
export interface ListSnapshot {
	stretches: Array<Stretch & { boughtAt: number }>;
	end?: number;
	sizes?: KnownSizes;
	violation?: string;
	statusBehindEnd?: number;
}

export class ListRows {
	/** In order, without overlap. */
	private readonly stretches: Stretch[] = [];

	/** Rows of the whole list, once the service has said that the next one doesn't exist. */
	end?: number;

	/** The page sizes that the service is known to serve. */
	readonly sizes: KnownSizes = { provenSize: 0 };

	/** The status with which the service fails pages behind the end of the list; undefined where none fails. */
	statusBehindEnd?: number;

	/** Why it can't be known which rows some of these are, for people. They are paid for all the same. */
	violation?: string;

	/**
	 * @param kept what was kept of earlier runs, the latest first
	 * @param since rows paid for before this time are left out; milliseconds since 1970
	 */
	constructor(kept: readonly ListSnapshot[] = [], since = -Infinity) {
		for (const { stretches } of kept) {
			for (const { offset, rows, boughtAt } of stretches) {
				if (boughtAt < since) continue;
				for (const { from, to } of this.missingOf({
					from: offset,
					to: offset + rows.length,
				})) {
					this.insert({
						offset: from,
						rows: rows.slice(from - offset, to - offset),
						boughtAt,
					});
				}
			}
		}
		const [latest] = kept;
		if (!latest) return;
		const isWhole = latest.stretches.every(({ boughtAt }) => boughtAt >= since);
		this.end = isWhole ? latest.end : undefined;
		this.violation = isWhole ? latest.violation : undefined;
		this.statusBehindEnd = latest.statusBehindEnd;
		Object.assign(this.sizes, latest.sizes);
	}

	/** @param now when the rows that came in this run were paid for */
	snapshot(now: number): ListSnapshot {
		return {
			stretches: this.stretches.map((stretch) => ({ boughtAt: now, ...stretch })),
			end: this.end,
			sizes: { ...this.sizes },
			violation: this.violation,
			statusBehindEnd: this.statusBehindEnd,
		};
	}

	/** Number of rows that have come. */
	get size(): number {
		return this.stretches.reduce((sum, { rows }) => sum + rows.length, 0);
	}

	/** What has come of ranges that don't overlap. */
	heldOf(ranges: readonly RowRange[]): Held {
		let held = NOTHING_HELD;
		for (const { offset, rows, boughtAt } of this.stretches) {
			for (const range of ranges) {
				const from = Math.max(offset, range.from);
				const to = Math.min(offset + rows.length, range.to);
				if (to > from) held = addHeld(held, to - from, boughtAt);
			}
		}
		return held;
	}

	/** @param offset rows of the list before the first of these; none of their places is taken */
	add(offset: number, rows: readonly Json[]): void {
		if (rows.length > 0) this.insert({ offset, rows });
	}

	/** Takes out rows that were added together. */
	remove(offset: number): void {
		const index = this.stretches.findIndex((stretch) => stretch.offset === offset);
		if (index >= 0) this.stretches.splice(index, 1);
	}

	/** The row behind so many others, if it has come. */
	at(offset: number): Json | undefined {
		const stretch = this.stretches[this.indexAfter(offset) - 1];
		return stretch?.rows[offset - stretch.offset];
	}

	/** The first place of a row that has come. */
	placeOf(row: Json): number | undefined {
		for (const { offset, rows } of this.stretches) {
			const index = rows.findIndex((other) => isSameRow(row, other));
			if (index >= 0) return offset + index;
		}
		return undefined;
	}

	/** The rows that came together and begin closest before a place. */
	latestBefore(offset: number): Pick<Stretch, 'offset' | 'rows'> {
		return this.stretches[this.indexAfter(offset - 1) - 1] ?? { offset: 0, rows: [] };
	}

	/** The first rows that have come, as they came. */
	firstStretch(): readonly Json[] {
		return this.stretches[0]?.rows ?? [];
	}

	/** Where the next rows behind a place begin that have come; Infinity where none have. */
	nextFrom(offset: number): number {
		return this.stretches[this.indexAfter(offset - 1)]?.offset ?? Infinity;
	}

	/** What has not come of a range, and may exist. */
	missingOf({ from, to }: RowRange): RowRange[] {
		const last = Math.min(to, this.end ?? Infinity);
		const missing: RowRange[] = [];
		let next = from;
		// Lists are long and mostly asked about their end, so what lies before the range is not read.
		for (let index = Math.max(0, this.indexAfter(from) - 1); next < last; index++) {
			const stretch = this.stretches[index];
			const start = Math.min(stretch?.offset ?? last, last);
			if (start > next) missing.push({ from: next, to: start });
			if (!stretch) break;
			next = Math.max(next, stretch.offset + stretch.rows.length);
		}
		return missing;
	}

	/** The rows of a range that have come, in order. */
	*of({ from, to }: RowRange): Generator<Json> {
		for (const { offset, rows } of this.stretches) {
			if (offset >= to) return;
			const last = Math.min(rows.length, to - offset);
			for (let index = Math.max(0, from - offset); index < last; index++) {
				const row = rows[index];
				if (row !== undefined) yield row;
			}
		}
	}

	private insert(stretch: Stretch): void {
		this.stretches.splice(this.indexAfter(stretch.offset), 0, stretch);
	}

	/** The index of the first stretch that begins behind a place. */
	private indexAfter(offset: number): number {
		let index = this.stretches.length;
		while (index > 0 && (this.stretches[index - 1]?.offset ?? 0) > offset) index--;
		return index;
	}
}

/** Rows of the same service list their fields in the same order. */
export function isSameRow(one: Json, other: Json | undefined): boolean {
	if (one === other) return true;
	if (other === undefined) return false;
	// Most rows differ in a text or a number, which is quicker to compare than all of the row.
	for (const key in one) {
		if (typeof one[key] !== 'object' && one[key] !== other[key]) return false;
	}
	return JSON.stringify(one) === JSON.stringify(other);
}
