/** Where a list stands that is not whole, in terms of Skip and Limit. Pure. */
import type { Endpoint } from '../service/contract';
import type { PullResult, RowRange } from '../service/pull';
import type { Job, List } from './operation';

/** Where a list stands that is not whole, and what of the execution was not run. */
export interface Gap {
	endpoint: Endpoint;
	/** What to set in Skip to go on; rows from the start of the list. */
	resumeSkip: number;
	/** Whether nothing of the list came, so that Skip and Limit can stay as they are. */
	isUntouched: boolean;
	/** Rows that are missing before it, from the start of the list. */
	missing: RowRange[];
	/** What is left of Limit beyond both; Infinity where all are returned. */
	remaining: number;
	/** The input items that the list belongs to; none where it belongs to all of them. */
	items: number[];
	/** The input items of the lists after it, where those were not run. */
	notRun: number[];
}

/**
 * Finds out where the list of a job stands.
 *
 * @param inputItems number of input items of the execution
 * @param later the lists after it that are not run
 */
export function gapOf(
	endpoint: Endpoint,
	job: Job,
	{ walk, reached, missing }: PullResult,
	inputItems: number,
	later: List[],
): Gap {
	const { list, skipBefore = 0 } = job;
	const resumeSkip = skipBefore + reached;
	const rowsMissing = missing.reduce((sum, { after, until }) => sum + until - after, 0);
	return {
		endpoint,
		resumeSkip,
		isUntouched: resumeSkip === list.skip,
		missing: missing.map(({ after, until }) => ({
			after: skipBefore + after,
			until: skipBefore + until,
		})),
		remaining: Number.isFinite(job.fetching().rows)
			? Math.min((list.longest ?? walk.until) - resumeSkip, walk.rowsLeft - rowsMissing)
			: Infinity,
		items: list.items.length < inputItems ? list.items : [],
		notRun: later.flatMap(({ items }) => items),
	};
}
