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

	/**
	 * Takes in the rows of page after page.
	 *
	 * @param isExpected whether a row is known to be there
	 * @param isPaid false for a preview, which may mask profiles, so that all rows name the same
	 * @returns whether all that a page holds had come before, or it begins so
	 */
	of(
		rows: Json[],
		isExpected: (row: Json, index: number) => boolean,
		isPaid: boolean,
	): 'all' | 'start' | undefined {
		const isNew = (row: Json, index: number) => !this.isKnown(row) || isExpected(row, index);
		const newAt = rows.findIndex(isNew);
		const repeated = newAt < 0 ? rows : rows.slice(0, newAt);
		const isWide = new Set(repeated.map(profileOf)).size >= KNOWN_PROFILES;
		this.knownRows = newAt < 0 ? this.knownRows + rows.length : 0;
		if (newAt < 0) return isWide || (isPaid && this.knownRows >= KNOWN_ROWS) ? 'all' : undefined;
		return isWide ? 'start' : undefined;
	}

	private isKnown(row: Json): boolean {
		const profile = profileOf(row);
		return profile !== undefined && this.profiles.some((page) => page.has(profile));
	}
}
