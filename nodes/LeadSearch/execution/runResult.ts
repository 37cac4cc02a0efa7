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

/** What a run works with. */
export interface Run {
	environment: Environment;
	scope: ExecutionScope;
	api: ApiAccess;
	/** The settings of the first item. They apply to the whole run. */
	settings: FetchSettings;
	output: Output;
	/** Writes the cost to the execution's custom data and to n8n's log. */
	reportCost: (report: CostReport) => void;
}

/** A task, how it ended, and its output. Tasks that share a list can share rows. */
export type TaskResult = Result<Task> & TaskOutput;

/** The result of a run. */
export interface RunResult {
	results: TaskResult[];
	/** The rows of all tasks without duplicates. */
	rows: Json[];
	/** Number of rows that were paid for before this run. */
	reusedRows: number;
	/** The cost of this run alone. */
	runCost: Cost;
	/** The cost of all runs in the same spending scope, including this run. */
	totalCost: Cost;
	/** The limit that ended the tasks for which no budget was left. */
	limit: SpendingLimit;
	/** The facts about saved rows that the message of a failed task needs. */
	savedRows: SavedRows;
}
