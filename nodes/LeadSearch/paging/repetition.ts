/** Whether pages repeat leads that had come before, as happens when a list changes or starts again. */
import type { Json } from '../api/contract';
import { profileOf } from './ledger';

/** A page of so many profiles, all of them known, is no coincidence. */
const KNOWN_PROFILES = 3;
/** Nor are so many known rows in a row, of however few profiles: each further page would be paid for. */
const KNOWN_ROWS = 25;

export class Repetition {
	/** The profiles that have a place, by page: a set of 100,000 takes several times as long to fill. */
	private readonly profiles: Array<Set<string | undefined>> = [];
	/** How many of these pages came in earlier runs. */
	private earlier = 0;
	/** Rows since the last new row. */
	private knownRows = 0;

	/** @param rows that have their places already */
	constructor(rows: Iterable<Json> = []) {
		this.add(rows);
	}

	/** Notes rows that have got their places. */
	add(rows: Iterable<Json>): void {
		this.profiles.push(new Set(Array.from(rows, profileOf)));
	}

	/** Begins another run: rows that came before it are no sign of a list that starts again, but of one that has changed since. */
	beginRun(): void {
		this.earlier = this.profiles.length;
		this.knownRows = 0;
	}

	/**
	 * Takes in the rows of page after page.
	 *
	 * @param isExpected whether a row is known to be there
	 * @param isPaid false for a preview, which may mask profiles, so that all rows name the same
	 * @returns whether all that a page holds had come before in this run, or it begins so, or with a row of an earlier run
	 */
	of(
		rows: Json[],
		isExpected: (row: Json, index: number) => boolean,
		isPaid: boolean,
	): 'all' | 'start' | 'earlier' | undefined {
		const pageOf = (row: Json, index: number) => (isExpected(row, index) ? -1 : this.pageOf(row));
		const newAt = rows.findIndex((row, index) => pageOf(row, index) < this.earlier);
		const repeated = newAt < 0 ? rows : rows.slice(0, newAt);
		const isWide = new Set(repeated.map(profileOf)).size >= KNOWN_PROFILES;
		this.knownRows = newAt < 0 ? this.knownRows + rows.length : 0;
		if (newAt < 0) return isWide || (isPaid && this.knownRows >= KNOWN_ROWS) ? 'all' : undefined;
		if (isWide) return 'start';
		const next = rows[newAt];
		return next && pageOf(next, newAt) >= 0 ? 'earlier' : undefined;
	}

	/** The last of the pages that hold the profile; -1 where none does. */
	private pageOf(row: Json): number {
		const profile = profileOf(row);
		return profile === undefined ? -1 : this.profiles.findLastIndex((page) => page.has(profile));
	}
}
