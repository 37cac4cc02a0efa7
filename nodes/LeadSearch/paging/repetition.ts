/** Finds pages that repeat the leads of earlier pages of a run, for example because the service ignores `_page`. */
import type { Json } from '../api/contract';
import { profileOf } from './pagedList';

/** If fewer different profiles come again, it can be a coincidence. */
const MIN_REPEATED_PROFILES = 3;
/**
 * If at least this many consecutive rows of a paid list come again, the service repeats rows even if they name fewer
 * than {@link MIN_REPEATED_PROFILES} profiles. A preview may mask profiles, so it has no such limit.
 */
const MIN_REPEATED_ROWS = 25;

/** The profiles that a run has received for a list. */
export class Repetition {
	/** One set per page, because a single set of 100,000 profiles takes several times as long to fill. */
	private readonly pages: Array<Set<string | undefined>> = [];
	/** The number of rows in the latest pages that contained only repeated rows. */
	private repeatedRows = 0;

	add(rows: Iterable<Json>): void {
		this.pages.push(new Set(Array.from(rows, profileOf)));
	}

	/**
	 * Returns which rows of a page repeat rows that were added before: 'all' rows, or only those at its 'start'. Call it
	 * once for each page.
	 *
	 * @param isExpected whether the list has this row at exactly this index, so that it isn't a repeat
	 */
	find(
		rows: Json[],
		isExpected: (row: Json, index: number) => boolean,
		isPaid: boolean,
	): 'all' | 'start' | undefined {
		const newAt = rows.findIndex((row, index) => isExpected(row, index) || !this.has(row));
		const repeated = newAt < 0 ? rows : rows.slice(0, newAt);
		this.repeatedRows = newAt < 0 ? this.repeatedRows + rows.length : 0;
		const isWide = new Set(repeated.map(profileOf)).size >= MIN_REPEATED_PROFILES;
		if (newAt >= 0) return isWide ? 'start' : undefined;
		return isWide || (isPaid && this.repeatedRows >= MIN_REPEATED_ROWS) ? 'all' : undefined;
	}

	private has(row: Json): boolean {
		const profile = profileOf(row);
		return profile !== undefined && this.pages.some((profiles) => profiles.has(profile));
	}
}
