/** What a run works with, and what comes of it. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { Limit } from '../messages/stoppedRun';
import type { Result } from '../paging/run';
import type { FetchSettings } from '../parameters/fetching';
import type { Outcome, Task } from '../resources/operation';
import type { ApiAccess } from './apiAccess';
import type { Output } from './output';

/** What a run works with. */
export interface Run {
	context: IExecuteFunctions;
	executionId: string;
	api: ApiAccess;
	/** Those of the first item, which hold for the whole run. */
	settings: FetchSettings;
	output: Output;
}

/** Credits, rows and requests of ledgers (`paging/ledger.ts`), and the rows that were put out. */
export type Spending = Record<
	'charged' | 'repeated' | 'atRisk' | 'lost' | 'requests' | 'returned',
	number
>;

/** A task, how it ended, and what has come of it; tasks that share a list may share rows. */
export type Ended = Result<Task> & Outcome;

/** What has come of a run. */
export interface RunResult {
	ended: Ended[];
	/** Those of all tasks, each once. */
	rows: Json[];
	/** What this run has spent, and the whole execution before it has put anything out. */
	ofRun: Spending;
	inAll: Spending;
	/** What ended those tasks that ended for want of a budget. */
	limit: Limit;
}
