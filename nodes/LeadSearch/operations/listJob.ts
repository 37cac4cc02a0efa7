import type { Json } from '../service/contract';
import type { Fetching } from './itemParameters';
import type { Job } from './operation';

/** The part of a job that lists of leads have in common: every item that asked gets every row. */
export function listJob(
	items: number[],
	fetching: Fetching,
	toJson: (row: Json) => Json,
): Pick<Job, 'items' | 'list' | 'fetching' | 'deliver' | 'unserved'> {
	return {
		items,
		list: { items, skip: fetching.skip },
		fetching: () => fetching,
		deliver(rows, output) {
			for (const row of rows) output.addForEach(items, toJson(row));
		},
		unserved: () => items,
	};
}
