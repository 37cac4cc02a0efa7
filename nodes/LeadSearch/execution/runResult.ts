import type { Json } from '../api/contract';
import type { SavedRows } from '../messages/stoppedRun';
import type { Cost } from '../paging/cost';
import type { Credits, SpendingLimit } from '../paging/credits';
import type { Result } from '../paging/fetchAll';
import type { FetchSettings } from '../parameters/fetching';
import type { Task, TaskOutput } from '../resources/operation';
import type { ApiAccess } from './apiAccess';
import type { Environment } from './environment';
import type { Output } from './output';

export interface Run {
	environment: Environment;
	api: ApiAccess;
	credits: Credits;
	/** The settings of the first input item. Each task has its own `pageSize` and `timeoutMs`. */
	settings: FetchSettings;
	output: Output;
	/** Saves the cost of the run, and reports it. */
	settle: (runCost: Cost) => void;
}

/** How a task ended, and its output. Tasks that use the same list can return the same row. */
export type TaskResult = Result<Task> & TaskOutput;

export interface RunResult {
	results: TaskResult[];
	/** The rows of all tasks without duplicates. */
	rows: Json[];
	/** The number of these rows that were paid for before this run. */
	reusedRows: number;
	runCost: Cost;
	/** The cost of this run and of the earlier runs that share Max Credits with it. */
	totalCost: Cost;
	/** The spending limit that leaves the fewest credits. */
	limit: SpendingLimit;
	savedRows: SavedRows;
}
