/** Finds pages that repeat leads. They repeat if a list has changed, or if a service ignores page numbers. */
import type { Json } from '../api/contract';
import { profileOf } from './pagedList';

/**
 * If a page has at least this many profiles, and the list has all of them, the service repeats rows. Fewer can be a
 * coincidence.
 */
export const MIN_REPEATED_PROFILES = 3;
/**
 * If at least this many consecutive rows are in the list already, the service repeats rows, even if these rows name
 * few profiles. Each further page would be charged.
 */
const MIN_REPEATED_ROWS = 25;

/** The rows of a page that the list has already received. */
export interface Repeats {
	/** 'all' if the same execution had received all rows of the page before, 'start' if only those at its start. */
	ofExecution?: 'all' | 'start';
	/** The rows that name a profile for which an earlier execution has paid, by index in the page. */
	ofEarlier: readonly number[];
}

/**
 * The profiles of a list, by the execution that paid for them. Rows that come again within one execution are an
 * unexpected response. Rows that an earlier execution paid for mean that the list has changed since.
 *
 * @example
 * const repetition = new Repetition('7');
 * repetition.add([anna, bob]);
 * repetition.continueAs('8');
 * repetition.find([carl, bob], () => false, true); // { ofEarlier: [1] }
 */
export class Repetition {
	/**
	 * The profiles of each page. There is one set per page, because a single set of 100,000 profiles takes several
	 * times as long to fill.
	 */
	private readonly pages: Array<{ executionId: string; profiles: Set<string | undefined> }> = [];
	/** The profiles that other executions have paid for. They are collected when the first page is compared. */
	private earlierProfiles: Set<string | undefined> | undefined;
	/** The number of rows since the last row that was new. */
	private repeatedRows = 0;

	/**
	 * Creates the record for a list.
	 *
	 * @param executionId the execution that pays for the rows that are added next
	 */
	constructor(private executionId = '') {}

	/**
	 * Remembers rows that the list has received, so that {@link find} recognises them if a later page repeats them.
	 */
	add(rows: Iterable<Json>): void {
		const profiles = new Set(Array.from(rows, profileOf));
		this.pages.push({ executionId: this.executionId, profiles });
	}

	/** Sets the ID of the execution that pays for the rows that are added next. */
	continueAs(executionId: string): void {
		this.executionId = executionId;
		this.earlierProfiles = undefined;
		this.repeatedRows = 0;
	}

	/**
	 * Compares the rows of a page with all rows that were added. Call it once for each page.
	 *
	 * @param isExpected whether the list has this row at its index already
	 * @param isPaid false for a preview, which may mask profiles, so that all rows name the same one
	 */
	find(rows: Json[], isExpected: (row: Json, index: number) => boolean, isPaid: boolean): Repeats {
		const isOwn = (row: Json, index: number) =>
			!isExpected(row, index) && this.isPaidByExecution(profileOf(row));
		const otherAt = rows.findIndex((row, index) => !isOwn(row, index));
		const repeated = otherAt < 0 ? rows : rows.slice(0, otherAt);
		const isWide = new Set(repeated.map(profileOf)).size >= MIN_REPEATED_PROFILES;
		this.repeatedRows = otherAt < 0 ? this.repeatedRows + rows.length : 0;
		const isTooLong = isPaid && this.repeatedRows >= MIN_REPEATED_ROWS;
		if (otherAt < 0 && (isWide || isTooLong)) return { ofExecution: 'all', ofEarlier: [] };

		const earlier = this.profilesOfOthers();
		const isOfEarlier = (row: Json, index: number) =>
			earlier.has(profileOf(row)) && !isExpected(row, index) && !isOwn(row, index);
		const ofEarlier = rows.flatMap((row, index) => (isOfEarlier(row, index) ? [index] : []));
		return { ...(otherAt >= 0 && isWide && { ofExecution: 'start' }), ofEarlier };
	}

	private isPaidByExecution(profile: string | undefined): boolean {
		if (profile === undefined) return false;
		return this.pages.some(
			({ executionId, profiles }) => executionId === this.executionId && profiles.has(profile),
		);
	}

	private profilesOfOthers(): ReadonlySet<string | undefined> {
		if (this.earlierProfiles) return this.earlierProfiles;
		const others = this.pages.filter(({ executionId }) => executionId !== this.executionId);
		this.earlierProfiles = new Set(others.flatMap(({ profiles }) => [...profiles]));
		// Rows without a URL name no profile.
		this.earlierProfiles.delete(undefined);
		return this.earlierProfiles;
	}
}
