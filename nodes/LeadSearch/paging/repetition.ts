/**
 * Finds pages that repeat leads. A page repeats leads if the list has changed since an earlier page, or if the service
 * ignores page numbers.
 */
import type { Json } from '../api/contract';
import { profileOf } from './pagedList';

/**
 * If at least this many different profiles of a page were received before, the service repeats rows. Fewer repeated
 * profiles can be a coincidence.
 */
export const MIN_REPEATED_PROFILES = 3;
/**
 * If at least this many consecutive rows were received before, the service repeats rows, even if the rows name fewer
 * than {@link MIN_REPEATED_PROFILES} profiles. The number applies only to paid lists, because each further page of
 * repeated rows would be charged.
 */
const MIN_REPEATED_ROWS = 25;

/** Says which rows of a new page repeat rows that were received earlier for the same list. */
export interface Repeats {
	/**
	 * The rows that the current execution itself has received before: 'all' rows of the page, or only the rows at its
	 * 'start'. The field is missing if there are no such rows, or so few that they can be a coincidence.
	 */
	ofExecution?: 'all' | 'start';
	/**
	 * Which rows of the page an earlier execution has already paid for, as indexes in the page: `[1]` means that only the
	 * second row is such a row. If `ofExecution` is 'all', this array is empty, because all rows are repeats of this
	 * execution.
	 */
	ofEarlier: readonly number[];
}

/**
 * The record of the profiles in a list, by the execution that paid for them. A later execution can continue a list that
 * an earlier execution has begun. If a row comes again within one execution, the response is unexpected. If an earlier
 * execution paid for the row, the list has changed since then.
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
	/**
	 * The profiles that other executions have paid for. {@link find} collects them when it needs them for the first time.
	 * Undefined until then, and again after {@link continueAs}.
	 */
	private earlierProfiles: Set<string | undefined> | undefined;
	/** The number of rows in the latest pages that contained only repeated rows; 0 if the latest page had another row. */
	private repeatedRows = 0;

	/**
	 * Creates the record for a list.
	 *
	 * @param executionId the execution that pays for the rows that are added next
	 */
	constructor(private executionId = '') {}

	/**
	 * Adds rows that were received for the list to this record, so that {@link find} recognizes them if a later page
	 * repeats them.
	 */
	add(rows: Iterable<Json>): void {
		const profiles = new Set(Array.from(rows, profileOf));
		this.pages.push({ executionId: this.executionId, profiles });
	}

	/**
	 * Continues the record in another execution. All profiles that were added under another ID then count as paid for by
	 * an earlier execution.
	 *
	 * @param executionId the execution that pays for the rows that are added next
	 */
	continueAs(executionId: string): void {
		this.executionId = executionId;
		this.earlierProfiles = undefined;
		this.repeatedRows = 0;
	}

	/**
	 * Finds the rows of a page that repeat rows added before. Call this method once for each page, because it counts the
	 * repeated rows of consecutive pages.
	 *
	 * @param isExpected whether the list already has this row at exactly this index. Such a row isn't a repeat: the
	 * service has only sent the same row for the same index again
	 * @param isPaid false for a preview. A preview may mask profiles, so that all its rows seem to name the same profile.
	 * Therefore a long series of repeated rows is reported only for a paid list
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
