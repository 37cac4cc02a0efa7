/**
 * The spending scope: the runs of the node that share spending limits, wherever n8n runs it. No other file asks n8n for
 * an execution, a mode, a workflow or data that calls share, except the trigger's.
 *
 * | Environment of the node                                              | Scope                                        |
 * |----------------------------------------------------------------------|----------------------------------------------|
 * | an execution of a workflow                                           | the execution                                |
 * | n8n's own Agents, which have no execution, workflow or shared data;  | all calls with the same credential in the    |
 * | an MCP Server Trigger outside queue mode, because its execution      | last 60 minutes                              |
 * | starts after the call                                                |                                              |
 * | n8n's Engine 2, because its shared data is empty at each step        | the execution, from the process's own record |
 */
import { randomUUID } from 'crypto';
import type { IContextObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { CONSEQUENCES } from '../api/failures';
import type { Cost } from '../paging/pagedList';
import { addCosts, NO_COST, spentIn } from './cost';
import { isAmount, isRecord, SAVED_VERSIONS } from './savedData';

/**
 * The time for which the spending of a call without an execution counts toward the limits, in milliseconds. n8n's own
 * Agents, for example, call the node without an execution.
 */
const HOUR_MS = 3_600_000;
/**
 * The time for which the process remembers the spending of a scope, in milliseconds. An execution needs this only in
 * n8n's Engine 2: other executions find their spending in the data that their nodes share, but Engine 2 empties this
 * shared data at each step.
 */
const DAY_MS = 86_400_000;
const MAX_REMEMBERED = 10_000;

const SHARED_KEY = 'leadSearchSpending';
/** The key of records without a version. Packages that read it don't check what they read. */
const UNVERSIONED_KEY = 'leadSearchSpent';

/**
 * The spending of one node with one credential in an execution. If n8n calls the node without an execution (its own
 * Agents do), each call has an entry.
 */
interface SpendingEntry {
	credential: string;
	cost: Cost;
	/** When the cost was recorded, in milliseconds since 1970. */
	at: number;
}
type SpendingEntries = Readonly<Record<string, SpendingEntry>>;

/** What n8n saves for all nodes of an execution, and passes on to its Retry. */
interface SharedRecord {
	version: number;
	/** The scope of `entries`. In a Retry, it is that of the execution that is retried. */
	id: string;
	/** When the first run of the node started in the execution or, in a chain of Retries, in the first of them. */
	startedAt: number;
	entries: SpendingEntries;
}

/** The spending of the runs that share spending limits, and how a run adds its own cost. */
export interface SpendingRecord {
	/**
	 * The cost that counts toward the limit Max Credits. If n8n runs the node in an execution, it is the cost of this
	 * node's earlier runs in the execution. If n8n calls the node without an execution (its own Agents do), it is the
	 * cost of all calls with the credential in the last 60 minutes.
	 */
	readonly towardMaxCredits: Cost;
	/**
	 * The credits that count toward the Credit Ceiling, the limit in the credential. In an execution, these are the
	 * credits that all nodes with this credential have spent in it, including this run so far. Outside executions, these
	 * are the credits that all calls with this credential have spent in the last 60 minutes, including this call so far.
	 * Credits that may have been charged count as spent.
	 */
	readonly towardCeiling: number;
	/** Records the cost of this run so far. It replaces the cost that this run has recorded before. */
	record(runCost: Cost): void;
}

/**
 * The execution in which the node runs, and the spending that counts toward its limits.
 *
 * @example
 * // A node in execution 7, a Retry of execution 5.
 * executionScopeOf(context, '12'); // { executionId: '7', startedAt: 1764403200000, isExecution: true, … }
 */
export interface ExecutionScope {
	/**
	 * The ID of the execution. If n8n calls the node without an execution (its own Agents do), a new ID is made for
	 * each call.
	 */
	executionId: string;
	/**
	 * When the first run of the node started in this execution, or in the execution that it retries, in milliseconds since
	 * 1970.
	 */
	startedAt: number;
	/**
	 * The key of a lock. Runs with the same key run one after another, so that each run knows what the earlier ones
	 * have spent.
	 */
	lockKey: string;
	/**
	 * Whether n8n runs the node in an execution, so that limits apply to the execution. If not, they apply to all
	 * calls with the credential in the last 60 minutes.
	 */
	isExecution: boolean;
	spending: SpendingRecord;
	/** Whether earlier spending of the execution can't be read, so that its limits count from 0. */
	isSpendingUnreadable: boolean;
	/**
	 * The data that n8n saves for this node in the execution, and passes on to the Retry of the execution. It is
	 * undefined if n8n calls the node without an execution.
	 */
	nodeData: IContextObject | undefined;
	/**
	 * Whether users can press Retry for this execution. They can't for a sub-workflow: its parent runs it again, as a
	 * new execution.
	 */
	offersRetry: boolean;
}

/** The spending of operations that cost no credits. */
export const NO_SPENDING: SpendingRecord = {
	towardMaxCredits: NO_COST,
	towardCeiling: 0,
	record: () => undefined,
};

/**
 * The spending that this process remembers, by the ID of the scope in which limits apply: an execution ('execution 7')
 * or the calls with a credential ('credential 12'). The scope that spent last is the last entry.
 */
const spendingByScope = new Map<
	string,
	{ at: number; entries: SpendingEntries; startedAt: number }
>();

/**
 * Returns the scope of a run: the execution in which n8n runs the node, and the spending that counts toward the run's
 * limits.
 *
 * @param credentialId the ID of the run's credential; an empty string if the run has none
 */
export function executionScopeOf(context: IExecuteFunctions, credentialId: string): ExecutionScope {
	const id = context.getExecutionId() as string | undefined;
	const isExecution = id !== undefined && id !== '';
	const executionId = isExecution ? id : randomUUID();
	const { id: nodeId } = context.getNode();
	const scopeId = isExecution ? `execution ${id}` : `credential ${credentialId}`;
	const sharedData = isExecution ? context.getContext('flow') : undefined;
	const entryKey = isExecution ? `${nodeId} ${credentialId}` : executionId;
	const { startedAt, isUnreadable } = openSharedRecord(sharedData, scopeId, isExecution);
	return {
		executionId,
		startedAt,
		lockKey: isExecution ? `${scopeId} ${nodeId}` : scopeId,
		isExecution,
		spending: openSpendingRecord({
			scopeId,
			entryKey,
			credentialId,
			isExecution,
			sharedData,
			startedAt,
		}),
		isSpendingUnreadable: isUnreadable,
		nodeData: isExecution ? context.getContext('node') : undefined,
		offersRetry: isExecution && context.getMode() !== 'integrated',
	};
}

/** Returns the IDs of the execution and its workflow, and the name of the workflow, for lines of n8n's log. */
export function executionInfoOf(context: IExecuteFunctions | IPollFunctions) {
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	return { workflowId, workflowName, executionId: context.getExecutionId() as string | undefined };
}

/**
 * Starts the record of an execution, or continues one that is there. A Retry starts a new one, but keeps the time at
 * which the first execution started.
 */
function openSharedRecord(
	sharedData: IContextObject | undefined,
	scopeId: string,
	isExecution: boolean,
): { startedAt: number; isUnreadable: boolean } {
	if (!isExecution) return { startedAt: Date.now(), isUnreadable: false };
	const saved: unknown = sharedData?.[SHARED_KEY];
	const readable = isSharedRecord(saved) ? saved : undefined;
	const startedAt = readable?.startedAt ?? spendingByScope.get(scopeId)?.startedAt ?? Date.now();
	// A record of another scope is that of the execution that a Retry retries.
	const isUnreadable = [readable ? undefined : saved, sharedData?.[UNVERSIONED_KEY]].some(
		(other: unknown) =>
			other !== undefined && !(isRecord(other) && isOtherScope(other.id, scopeId)),
	);
	if (sharedData) Reflect.deleteProperty(sharedData, UNVERSIONED_KEY);
	if (sharedData && readable?.id !== scopeId)
		writeSharedRecord(sharedData, { id: scopeId, startedAt, entries: {} });
	return { startedAt, isUnreadable };
}

const isOtherScope = (id: unknown, scopeId: string): boolean =>
	typeof id === 'string' && id !== scopeId;

function writeSharedRecord(
	sharedData: IContextObject,
	record: Omit<SharedRecord, 'version'>,
): void {
	sharedData[SHARED_KEY] = { version: SAVED_VERSIONS.spending, ...record };
}

function isSharedRecord(saved: unknown): saved is SharedRecord {
	if (!isRecord(saved) || saved.version !== SAVED_VERSIONS.spending) return false;
	const { id, startedAt, entries } = saved;
	if (typeof id !== 'string' || !isAmount(startedAt) || !isRecord(entries)) return false;
	return Object.values(entries).every(isSpendingEntry);
}

function isSpendingEntry(entry: unknown): entry is SpendingEntry {
	if (!isRecord(entry) || typeof entry.credential !== 'string') return false;
	return isAmount(entry.at) && isRecord(entry.cost) && isCost(entry.cost);
}

function isCost({ lastLoss, ...cost }: Record<string, unknown>): boolean {
	const isLoss = (loss: unknown) =>
		isRecord(loss) && Object.hasOwn(CONSEQUENCES, String(loss.kind));
	const amounts = (Object.keys(NO_COST) as Array<keyof Cost>).map((name) => cost[name]);
	return amounts.every(isAmount) && (lastLoss === undefined || isLoss(lastLoss));
}

interface RecordOptions {
	scopeId: string;
	/**
	 * The key of this run's entry in {@link SpendingEntries}. If n8n runs the node in an execution, the key consists of
	 * the IDs of the node and the credential, so that all runs of the node share an entry. If not, the key is an ID that
	 * only this call has.
	 */
	entryKey: string;
	credentialId: string;
	isExecution: boolean;
	sharedData: IContextObject | undefined;
	startedAt: number;
}

function openSpendingRecord(options: RecordOptions): SpendingRecord {
	const { scopeId, entryKey, credentialId, isExecution, sharedData, startedAt } = options;
	const read = (): SpendingEntries => {
		const saved: unknown = sharedData?.[SHARED_KEY];
		const persisted = isSharedRecord(saved) && saved.id === scopeId ? saved.entries : {};
		const since = isExecution ? 0 : Date.now() - HOUR_MS;
		const entries = mergeSpending(persisted, spendingByScope.get(scopeId)?.entries ?? {});
		return Object.fromEntries(Object.entries(entries).filter(([, { at }]) => at > since));
	};
	let spentBefore: Cost | undefined;
	/** Returns the spending of this entry before this run. The spending is read once, when the run has the lock. */
	const ownSpending = (): Cost => (spentBefore ??= read()[entryKey]?.cost ?? NO_COST);
	const credentialSpending = () =>
		Object.values(read())
			.filter(({ credential }) => credential === credentialId)
			.reduce((sum, { cost }) => addCosts(sum, cost), NO_COST);
	return {
		get towardMaxCredits() {
			return isExecution ? ownSpending() : credentialSpending();
		},
		get towardCeiling() {
			return spentIn(credentialSpending());
		},
		record(runCost) {
			const at = Date.now();
			const spent = { credential: credentialId, cost: addCosts(ownSpending(), runCost), at };
			const entries = { ...read(), [entryKey]: spent };
			rememberSpending(scopeId, { at, entries, startedAt });
			if (sharedData) writeSharedRecord(sharedData, { id: scopeId, startedAt, entries });
		},
	};
}

/**
 * Merges two records of the spending in one scope: the record in the execution's data, and the record in the memory of
 * the process. If both have an entry with the same key, the larger cost is used, because the smaller cost isn't up to
 * date.
 */
function mergeSpending(a: SpendingEntries, b: SpendingEntries): SpendingEntries {
	const merged: Record<string, SpendingEntry> = { ...a };
	for (const [name, entry] of Object.entries(b)) {
		const previous = merged[name];
		if (!previous || spentIn(entry.cost) > spentIn(previous.cost)) merged[name] = entry;
	}
	return merged;
}

function rememberSpending(
	scopeId: string,
	spending: { at: number; entries: SpendingEntries; startedAt: number },
): void {
	const { at } = spending;
	spendingByScope.delete(scopeId);
	spendingByScope.set(scopeId, spending);
	for (const [oldest, { at: last }] of spendingByScope) {
		if (spendingByScope.size <= MAX_REMEMBERED && last > at - DAY_MS) break;
		spendingByScope.delete(oldest);
	}
}
