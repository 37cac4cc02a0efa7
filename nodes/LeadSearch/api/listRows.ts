/** The rows of a list that have come, by their place in it. */
import type { Json } from './contract';
import { withoutRange, type RowRange } from './ranges';

/** Rows that follow each other in a list. */
interface Stretch {
	offset: number;
	rows: readonly Json[];
}

export class ListRows {
	/** In order, without overlap. */
	private readonly stretches: Stretch[] = [];

	/** Rows of the whole list, once the service has said that the next one doesn't exist. */
	end?: number;

	/** @param offset rows of the list before the first of these; none of their places is taken */
	add(offset: number, rows: readonly Json[]): void {
		if (rows.length === 0) return;
		const index = this.indexAfter(offset);
		this.stretches.splice(index, 0, { offset, rows });
	}

	/** The row behind so many others, if it has come. */
	at(offset: number): Json | undefined {
		const stretch = this.stretches[this.indexAfter(offset) - 1];
		return stretch?.rows[offset - stretch.offset];
	}

	/** The rows that came last before a place, as they came; none where there is a gap before it. */
	stretchBefore(offset: number): readonly Json[] {
		const stretch = this.stretches[this.indexAfter(offset - 1) - 1];
		return stretch && stretch.offset + stretch.rows.length === offset ? stretch.rows : [];
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
		return this.stretches.reduce<RowRange[]>(
			(missing, { offset, rows }) =>
				withoutRange(missing, { from: offset, to: offset + rows.length }),
			from < last ? [{ from, to: last }] : [],
		);
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

	/** The index of the first stretch that begins behind a place. */
	private indexAfter(offset: number): number {
		let index = this.stretches.length;
		while (index > 0 && (this.stretches[index - 1]?.offset ?? 0) > offset) index--;
		return index;
	}
}

/** Rows of the same service list their fields in the same order. */
export function isSameRow(one: Json, other: Json | undefined): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}
