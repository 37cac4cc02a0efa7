import { parse } from 'flatted';
import type { ExecutionSummary, IRunExecutionData, ITaskData } from 'n8n-workflow';

export type NodeRun = ReturnType<typeof readRun>;

export type Execution = ReturnType<typeof readExecution>;

/** An execution as the API hands it out. */
export interface SavedExecution extends Pick<ExecutionSummary, 'id' | 'status'> {
	readonly data?: string;
}

/** What the nodes did, as n8n saved it; undefined as long as that isn't saved. */
export function resultOf({ data = '[null]' }: SavedExecution) {
	return (parse(data) as Partial<IRunExecutionData> | null)?.resultData;
}

/** An execution that is easy to ask. */
export function readExecution(saved: SavedExecution) {
	const { error, runData = {} } = resultOf(saved) ?? {};
	const runs = Object.fromEntries(
		Object.entries(runData).map(([name, saves]) => [name, saves.map(readRun)]),
	);

	/** @throws Error when the node has not run. */
	function node(name: string): NodeRun {
		const run = runs[name]?.at(-1);
		if (run !== undefined) return run;
		const others = Object.keys(runs).join(', ') || 'none';
		throw new Error(`Node "${name}" has no run in execution ${saved.id}; ran: ${others}`);
	}

	return {
		id: saved.id,
		/** `success`, `error`, `canceled` or `crashed`. */
		status: saved.status,
		error,
		runs,
		node,
		items: (name: string, output = 0) => node(name).outputs[output] ?? [],
	};
}

function readRun({ data = {}, hints = [] }: ITaskData) {
	const outputs = data.main ?? Object.values(data)[0] ?? [];
	return {
		/** Items by output: 0 is the main output; with an error output that comes next. */
		outputs: outputs.map((items) => items ?? []),
		hints,
	};
}
