/** Whether pages repeat leads that had come before, as happens when a list changes or starts again. */
import type { Json } from '../api/contract';
import { profileOf, type Order } from './ledger';

/** Known profiles at the start of a page from which on it repeats what had come before. */
const KNOWN_PROFILES = 3;
/** Known rows in one page after another, of however few profiles, that are no chance. */
const KNOWN_ROWS = 25;
/** Profiles in one set: one of 100,000 takes twice the time to fill. */
const MOST_IN_SET = 1_000;

export class Repetition {
	/** The profiles that have a place. */
	private readonly profiles = [new Set<string>()];
	/** Whether a page began with rows that had come before, as happens when a list changes. */
	hasMoved = false;
	/** Rows since the last new one. */
	private knownRows = 0;

	/** Notes a row that has got its place. */
	add(row: Json): void {
		const profile = profileOf(row);
		if (profile === undefined) return;
		const last = this.profiles.at(-1);
		if (last && last.size < MOST_IN_SET) last.add(profile);
		else this.profiles.push(new Set([profile]));
	}

	/**
	 * Takes the rows of one page after another in.
	 *
	 * @param isExpected whether a row is one that is known to be there
	 * @param isPaid false for a preview, which may mask profiles, so that all rows name the same
	 * @returns what it contradicts, for people, that a page holds nothing new, or begins so and is short
	 */
	contradictionIn(
		{ page, size }: Order,
		rows: Json[],
		isExpected: (row: Json, index: number) => boolean,
		isPaid: boolean,
	): string | undefined {
		const newAt = rows.findIndex((row, index) => !this.isKnown(row) || isExpected(row, index));
		const known = newAt < 0 ? rows : rows.slice(0, newAt);
		const isRepeating = new Set(known.map(profileOf)).size >= KNOWN_PROFILES;
		this.knownRows = newAt < 0 ? this.knownRows + rows.length : 0;
		const isLong = isPaid && this.knownRows >= KNOWN_ROWS;
		if (newAt < 0 && (isRepeating || isLong))
			return `page ${page} holds leads that had come before`;
		if (newAt < 0 || !isRepeating) return undefined;
		this.hasMoved ||= rows.length === size;
		return rows.length < size
			? `page ${page} is short and begins with leads that had come before`
			: undefined;
	}

	private isKnown(row: Json): boolean {
		const profile = profileOf(row);
		return profile !== undefined && this.profiles.some((some) => some.has(profile));
	}
}
