/** What a run works with, and what comes of it. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { SavedRows, SpendingLimit } from '../messages/stoppedRun';
import type { Cost } from '../paging/pagedList';
import type { Result } from '../paging/fetchAll';
import type { FetchSettings } from '../parameters/fetching';
import type { Task, TaskOutput } from '../resources/operation';
import type { ApiAccess } from './apiAccess';
import type { ExecutionScope } from '../spending/scope';
import type { Output } from './output';

/** What a run works with. */
export interface Run {
	context: IExecuteFunctions;
	scope: ExecutionScope;
	api: ApiAccess;
	/** Those of the first item, which hold for the whole run. */
	settings: FetchSettings;
	output: Output;
}

/** A task, how it ended, and what has come of it; tasks that share a list may share rows. */
export type TaskResult = Result<Task> & TaskOutput;

/** What has come of a run. */
export interface RunResult {
	results: TaskResult[];
	/** Those of all tasks, each once. */
	rows: Json[];
	/** So many of them had been paid for before this run. */
	reusedRows: number;
	/** What this run has cost, and all that belongs together with it. */
	runCost: Cost;
	totalCost: Cost;
	/** What ended those tasks that ended for want of a budget. */
	limit: SpendingLimit;
	/** What is kept of the rows, where a task failed. */
	savedRows: SavedRows;
}
