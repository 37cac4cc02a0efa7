/**
 * Whose money it is: what belongs together where n8n runs the node. Budgets and sums ask here, and nothing else asks
 * n8n for an execution, a mode, a workflow or for data that calls share.
 *
 * | Where                                                             | Belongs together                       |
 * |-------------------------------------------------------------------|----------------------------------------|
 * | an execution of a workflow                                        | the execution                          |
 * | n8n's own Agents, which have no execution, workflow or shared     | calls with a credential within an hour |
 * | data; an MCP Server Trigger, whose execution begins after the     |                                        |
 * | call, except in queue mode                                        |                                        |
 * | n8n's Engine 2, whose shared data is empty at each step           | the execution, in the process's memory |
 */
import { randomUUID } from 'crypto';
import type { IContextObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { NO_COST, type Cost } from '../paging/ledger';

/** Outside of an execution, what was spent longer ago belongs to no call any more. */
const HOUR_MS = 3_600_000;
/** How long the process remembers what an execution has spent: n8n's data outlasts it, but in Engine 2. */
const DAY_MS = 86_400_000;
const MOST_REMEMBERED = 10_000;

const CONTEXT_KEY = 'leadSearchSpent';
const BEGINNING_KEY = 'leadSearchBegan';

/** What a node has spent, or a call outside of executions. */
interface SpentEntry {
	credential: string;
	cost: Cost;
	/** Milliseconds since 1970. */
	at: number;
}
type Entries = Readonly<Record<string, SpentEntry>>;

/** When an execution, or the one that it retries, began to use this package. */
export interface Beginning {
	/** The execution; of a Retry the one that it retries. */
	id: string;
	/** Milliseconds since 1970. */
	at: number;
}

/** What has been spent that belongs together. */
export interface Books {
	/** By this node in its execution, before this run; outside of executions by all calls with the credential within the hour. */
	readonly together: Cost;
	/** Credits, and those that may have been charged, by all that the credential's ceiling holds for. */
	readonly withCredential: number;
	/** Takes in what this run has spent so far. */
	write(ofRun: Cost): void;
}

/**
 * @example
 * // A node in execution 7 of workflow 3, run by hand.
 * belongingOf(context, '12'); // { executionId: '7', turn: 'execution 7 a1b2…', isExecution: true, … }
 */
export interface Belonging {
	/** The execution; outside of any, an id that no other call has. */
	executionId: string;
	/** What was bought since, or by it, is not bought again; outside of any execution it is now. */
	beginning: Beginning;
	/** What has the same runs one after another: each is to know what the run before has paid for. */
	turn: string;
	/** Whether an execution limits what is spent; else an hour does. */
	isExecution: boolean;
	books: Books;
	/** What n8n keeps with the execution for this node and hands to its Retry; undefined outside of executions. */
	keptByN8n: IContextObject | undefined;
	/** Whether people find Retry where they look: of a sub-workflow it is the parent's, which starts it anew. */
	hasRetry: boolean;
}

/** What the process remembers, by what belongs together, the latest last. */
const remembered = new Map<string, { at: number; entries: Entries }>();
const beginnings = new Map<string, Beginning>();

/** @param credentialId empty for none */
export function belongingOf(context: IExecuteFunctions, credentialId: string): Belonging {
	const id = context.getExecutionId() as string | undefined;
	const isExecution = id !== undefined && id !== '';
	const executionId = isExecution ? id : randomUUID();
	const { id: nodeId } = context.getNode();
	const together = isExecution ? `execution ${id}` : `credential ${credentialId}`;
	const shared = isExecution ? context.getContext('flow') : undefined;
	const entry = isExecution ? `${nodeId} ${credentialId}` : executionId;
	return {
		executionId,
		isExecution,
		turn: isExecution ? `${together} ${nodeId}` : together,
		beginning: beginningOf(executionId, shared),
		books: openBooks({ id: together, entry, credentialId, isExecution, shared }),
		keptByN8n: isExecution ? context.getContext('node') : undefined,
		hasRetry: isExecution && context.getMode() !== 'integrated',
	};
}

/** @param shared what n8n keeps of the execution, and brings along for its Retry */
function beginningOf(id: string, shared: IContextObject | undefined): Beginning {
	const saved = shared?.[BEGINNING_KEY] as Beginning | undefined;
	const beginning = saved ?? beginnings.get(id) ?? { id, at: Date.now() };
	if (!shared) return beginning;
	shared[BEGINNING_KEY] = beginning;
	beginnings.set(id, beginning);
	for (const oldest of beginnings.keys())
		if (beginnings.size > MOST_REMEMBERED) beginnings.delete(oldest);
	return beginning;
}

/** What runs, as a line of the log names it. */
export function runningOf(context: IExecuteFunctions | IPollFunctions) {
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	return { workflowId, workflowName, executionId: context.getExecutionId() as string | undefined };
}

/** @param id what belongs together @param entry the name of what this run spends @param shared what n8n keeps of it */
function openBooks({
	id,
	entry,
	credentialId,
	isExecution,
	shared,
}: {
	id: string;
	entry: string;
	credentialId: string;
	isExecution: boolean;
	shared: IContextObject | undefined;
}): Books {
	const read = (): Entries => {
		const saved = shared?.[CONTEXT_KEY] as { id: string; entries: Entries } | undefined;
		// A Retry is an execution of its own, although n8n brings the data of the first along.
		const ofN8n = saved?.id === id ? saved.entries : {};
		const since = isExecution ? 0 : Date.now() - HOUR_MS;
		const entries = larger(ofN8n, remembered.get(id)?.entries ?? {});
		return Object.fromEntries(Object.entries(entries).filter(([, { at }]) => at > since));
	};
	let before: Cost | undefined;
	/** Of this node, before this run; read once, when its turn has come. */
	const own = (): Cost => (before ??= read()[entry]?.cost ?? NO_COST);
	const ofCredential = () =>
		Object.values(read())
			.filter(({ credential }) => credential === credentialId)
			.reduce((sum, { cost }) => add(sum, cost), NO_COST);
	return {
		get together() {
			return isExecution ? own() : ofCredential();
		},
		get withCredential() {
			return spentIn(ofCredential());
		},
		write(ofRun) {
			const at = Date.now();
			const spent = { credential: credentialId, cost: add(own(), ofRun), at };
			const entries = { ...read(), [entry]: spent };
			remember(id, entries, at);
			if (shared) shared[CONTEXT_KEY] = { id, entries };
		},
	};
}

/** What has been charged, or may have been. */
export function spentIn({ charged, atRisk }: Cost): number {
	return charged + atRisk;
}

export function add(a: Cost, b: Cost): Cost {
	const lastLost = b.lastLost ?? a.lastLost;
	return {
		...(lastLost && { lastLost }),
		charged: a.charged + b.charged,
		repeated: a.repeated + b.repeated,
		atRisk: a.atRisk + b.atRisk,
		lost: a.lost + b.lost,
		requests: a.requests + b.requests,
	};
}

/** Of two records of the same spending, the larger: what the smaller lacks was spent all the same. */
function larger(a: Entries, b: Entries): Entries {
	const merged: Record<string, SpentEntry> = { ...a };
	for (const [name, entry] of Object.entries(b)) {
		const previous = merged[name];
		if (!previous || spentIn(entry.cost) > spentIn(previous.cost)) merged[name] = entry;
	}
	return merged;
}

function remember(id: string, entries: Entries, at: number): void {
	remembered.delete(id);
	remembered.set(id, { at, entries });
	for (const [oldest, { at: last }] of remembered) {
		if (remembered.size <= MOST_REMEMBERED && last > at - DAY_MS) break;
		remembered.delete(oldest);
	}
}
