/** Whether pages repeat leads that had come before, as happens when a list changes or starts again. */
import type { Json } from '../api/contract';
import { profileOf, type Order } from './ledger';

/** Known profiles in a page from which on it is taken for one that came before. */
const KNOWN_PROFILES = 3;
/** Pages in a row that hold nothing but known profiles, however few. */
const KNOWN_PAGES = 10;

export class Repetition {
	/** Whether a page began with rows that had come before. */
	hasMoved = false;
	/** The profiles that have a place. */
	private readonly profiles = new Set<string>();
	/** The profiles of the latest pages that held nothing new, and the number of those pages. */
	private readonly again = { profiles: new Set<string>(), pages: 0 };

	/** @param rows those that have a place already */
	constructor(rows: Iterable<Json>) {
		for (const row of rows) this.add(row);
	}

	/** Notes a row that has got its place. */
	add(row: Json): void {
		const profile = profileOf(row);
		if (profile !== undefined) this.profiles.add(profile);
	}

	/**
	 * @param isExpected whether a row is one that is known to be there
	 * @param mayBeShort whether the page may hold fewer rows than asked for and still be full
	 * @returns how a page repeats what had come before, for people
	 */
	find(
		{ page, size }: Order,
		rows: Json[],
		isExpected: (row: Json, index: number) => boolean,
		mayBeShort: boolean,
	): string | undefined {
		const { again } = this;
		const isKnown = (row: Json, index: number) =>
			this.profiles.has(profileOf(row) ?? '') && !isExpected(row, index);
		const firstNew = rows.findIndex((row, index) => !isKnown(row, index));
		if (firstNew < 0) {
			again.pages += 1;
			for (const row of rows) again.profiles.add(profileOf(row) ?? '');
			const isRepeating = again.profiles.size >= KNOWN_PROFILES || again.pages >= KNOWN_PAGES;
			return isRepeating ? `page ${page} holds leads that had come before` : undefined;
		}
		again.profiles.clear();
		again.pages = 0;
		if (new Set(rows.slice(0, firstNew).map(profileOf)).size < KNOWN_PROFILES) return undefined;
		this.hasMoved = true;
		return rows.length < size && !mayBeShort
			? `page ${page} is short and begins with leads that had come before`
			: undefined;
	}
}
