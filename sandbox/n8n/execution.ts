import { parse } from 'flatted';
import type {
	INodeExecutionData,
	IRunExecutionData,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';

/** A failure as n8n saves it. */
export interface Failure {
	readonly message: string;
	readonly description?: string | null;
	readonly [field: string]: unknown;
}

/** One run of one node. */
export interface NodeRun {
	/** Items by output: 0 is the main output; with an error output that comes next. */
	readonly outputs: ReadonlyArray<readonly INodeExecutionData[]>;
	readonly hints: readonly NodeExecutionHint[];
	readonly error: Failure | undefined;
}

/** An execution that has ended. */
export interface Execution {
	readonly id: string;
	/** `success`, `error`, `canceled` or `crashed`. */
	readonly status: string;
	readonly error: Failure | undefined;
	/** Every run of every node that ran, by the node's name. */
	readonly runs: Readonly<Record<string, readonly NodeRun[]>>;
	/** The last run of a node; throws when the node has not run. */
	node(name: string): NodeRun;
	/** Items of the last run of a node, of its first output or of another one. */
	items(name: string, output?: number): readonly INodeExecutionData[];
}

/** An execution as the API hands it out. */
export interface SavedExecution {
	readonly id: string;
	readonly status: string;
	/** What nodes wrote beside the execution, for people to see and to filter by. */
	readonly customData?: Readonly<Record<string, string>>;
	/** The run data, in flatted notation. */
	readonly data?: string;
}

/** What the nodes did, as n8n saved it; undefined as long as that isn't saved. */
export function resultOf({
	data,
}: SavedExecution): Partial<IRunExecutionData['resultData']> | undefined {
	return data === undefined ? undefined : (parse(data) as IRunExecutionData | null)?.resultData;
}

/** Turns a saved execution into one that is easy to ask. */
export function readExecution(saved: SavedExecution): Execution {
	const { error, runData = {} } = resultOf(saved) ?? {};
	const runs: Record<string, NodeRun[]> = {};
	for (const [name, saves] of Object.entries(runData)) runs[name] = saves.map(readRun);

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
		error: error as Failure | undefined,
		runs,
		node,
		items: (name, output = 0) => node(name).outputs[output] ?? [],
	};
}

function readRun({ data = {}, hints = [], error }: ITaskData): NodeRun {
	const outputs = data.main ?? Object.values(data)[0] ?? [];
	return {
		outputs: outputs.map((items) => items ?? []),
		hints,
		error: error as Failure | undefined,
	};
}
