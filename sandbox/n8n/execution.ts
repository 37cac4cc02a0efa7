import { parse } from 'flatted';

/** One item of a node's output. */
export interface Item {
	readonly json: Readonly<Record<string, unknown>>;
	readonly pairedItem?: unknown;
	readonly error?: unknown;
}

/** A hint that a node gave with its output. */
export interface Hint {
	readonly message: string;
	readonly type?: string;
	readonly location?: string;
}

/** A failure as n8n saves it. */
export interface Failure {
	readonly message: string;
	readonly description?: string | null;
	readonly name?: string;
	readonly httpCode?: string | null;
	readonly [field: string]: unknown;
}

/** One run of one node. */
export interface NodeRun {
	readonly status: string;
	/** Items by output: 0 is the main output; with an error output that comes next. */
	readonly outputs: ReadonlyArray<readonly Item[]>;
	readonly hints: readonly Hint[];
	readonly error: Failure | undefined;
	readonly milliseconds: number;
}

/** An execution that has ended. */
export interface Execution {
	readonly id: string;
	/** `success`, `error`, `canceled` or `crashed`. */
	readonly status: string;
	readonly error: Failure | undefined;
	readonly lastNodeExecuted: string | undefined;
	/** Every run of every node that ran, by the node's name. */
	readonly runs: Readonly<Record<string, readonly NodeRun[]>>;
	/** Milliseconds from start to end. */
	readonly milliseconds: number;
	/** The last run of a node; throws when the node has not run. */
	node(name: string): NodeRun;
	/** Items of the last run of a node, of its first output or of another one. */
	items(name: string, output?: number): readonly Item[];
}

/** An execution as the API hands it out. */
export interface SavedExecution {
	readonly id: string;
	readonly status: string;
	readonly startedAt?: string | null;
	readonly stoppedAt?: string | null;
	/** What nodes wrote beside the execution, for people to see and to filter by. */
	readonly customData?: Readonly<Record<string, string>>;
	/** The run data, in flatted notation. */
	readonly data?: string;
}

interface SavedRun {
	readonly executionStatus?: string;
	readonly executionTime?: number;
	readonly hints?: readonly Hint[];
	readonly error?: Failure;
	readonly data?: Readonly<Record<string, ReadonlyArray<readonly Item[] | null>>>;
}

interface SavedRunData {
	readonly resultData?: {
		readonly error?: Failure;
		readonly lastNodeExecuted?: string;
		readonly runData?: Readonly<Record<string, readonly SavedRun[]>>;
	};
}

/** Whether what the nodes did has been saved, too. */
export function hasRunData(saved: SavedExecution): boolean {
	return readRunData(saved)?.resultData !== undefined;
}

/** Every run of every node, by the node's name, as n8n saved it and takes it back. */
export function savedRunsOf(saved: SavedExecution): Readonly<Record<string, unknown>> {
	return readRunData(saved)?.resultData?.runData ?? {};
}

/** Turns a saved execution into one that is easy to ask. */
export function readExecution(saved: SavedExecution): Execution {
	const result = readRunData(saved)?.resultData;
	const runs = Object.fromEntries(
		Object.entries(result?.runData ?? {}).map(([name, savedRuns]) => [
			name,
			savedRuns.map(readRun),
		]),
	);

	function node(name: string): NodeRun {
		const run = runs[name]?.at(-1);
		if (run === undefined) {
			const others = Object.keys(runs).join(', ') || 'none';
			throw new Error(`Node "${name}" has no run in execution ${saved.id}; ran: ${others}`);
		}
		return run;
	}

	return {
		id: saved.id,
		status: saved.status,
		error: result?.error,
		lastNodeExecuted: result?.lastNodeExecuted,
		runs,
		milliseconds: millisecondsBetween(saved.startedAt, saved.stoppedAt),
		node,
		items: (name, output = 0) => node(name).outputs[output] ?? [],
	};
}

function readRunData({ data }: SavedExecution): SavedRunData | undefined {
	return data === undefined ? undefined : (parse(data) as SavedRunData | undefined);
}

function readRun(run: SavedRun): NodeRun {
	const outputs = run.data?.main ?? Object.values(run.data ?? {})[0] ?? [];
	return {
		status: run.executionStatus ?? 'unknown',
		outputs: outputs.map((items) => items ?? []),
		hints: run.hints ?? [],
		error: run.error,
		milliseconds: run.executionTime ?? 0,
	};
}

function millisecondsBetween(start?: string | null, end?: string | null): number {
	return start && end ? Date.parse(end) - Date.parse(start) : 0;
}
