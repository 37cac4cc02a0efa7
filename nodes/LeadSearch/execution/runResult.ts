/** The types of a run: what it works with, and its result. */
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

/** The inputs of a run: its settings, its connection, its limits and its output. */
export interface Run {
	environment: Environment;
	scope: ExecutionScope;
	api: ApiAccess;
	/**
	 * The settings of the first input item. They apply to the whole run, except `pageSize` and `timeoutMs`: each task
	 * has its own.
	 */
	settings: FetchSettings;
	output: Output;
	/** Writes the cost to the execution's custom data and to n8n's log. */
	reportCost: (report: CostReport) => void;
}

/**
 * A task, how it ended, and its output. Two tasks can use the same list, for example if two input items request the
 * same leads with different limits. The outputs of both tasks can then contain the same row.
 */
export type TaskResult = Result<Task> & TaskOutput;

/** The result of a run: how its tasks ended, their rows, and what they cost. */
export interface RunResult {
	results: TaskResult[];
	/** The rows of all tasks without duplicates. */
	rows: Json[];
	/** Number of rows that were paid for before this run. */
	reusedRows: number;
	/** The cost of this run alone. */
	runCost: Cost;
	/** The cost of all runs that share spending limits with this run, including this run. */
	totalCost: Cost;
	/**
	 * The spending limit that leaves the fewest credits. If a task stopped for lack of credits, its message names
	 * this limit.
	 */
	limit: SpendingLimit;
	/** How many of the rows are saved, and for how long. The message of a failed task says so. */
	savedRows: SavedRows;
}
