import type { Json } from '../api/contract';
import type { SavedRows, SpendingLimit } from '../messages/stoppedRun';
import type { Cost } from '../paging/pagedList';
import type { Result } from '../paging/fetchAll';
import type { FetchSettings } from '../parameters/fetching';
import type { Task, TaskOutput } from '../resources/operation';
import type { CostReport } from '../spending/costReport';
import type { ApiAccess } from './apiAccess';
import type { Environment } from './environment';
import type { ExecutionScope } from '../spending/scope';
import type { Output } from './output';

export interface Run {
	environment: Environment;
	scope: ExecutionScope;
	api: ApiAccess;
	/** The settings of the first input item. Each task has its own `pageSize` and `timeoutMs`. */
	settings: FetchSettings;
	output: Output;
	reportCost: (report: CostReport) => void;
}

/** Tasks that use the same list can return the same row. */
export type TaskResult = Result<Task> & TaskOutput;

export interface RunResult {
	results: TaskResult[];
	/** The rows of all tasks without duplicates. */
	rows: Json[];
	/** The number of rows that were paid for before this run. */
	reusedRows: number;
	runCost: Cost;
	/** It includes the earlier runs that share spending limits with this one. */
	totalCost: Cost;
	/** The spending limit that leaves the fewest credits. */
	limit: SpendingLimit;
	savedRows: SavedRows;
}
