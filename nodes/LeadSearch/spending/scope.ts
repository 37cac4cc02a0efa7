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

import { isObject } from '../api/contract';
import { CONSEQUENCES } from '../api/failures';
import { addCosts, NO_COST, spentIn, type Cost } from '../paging/cost';
import { Credits } from '../paging/credits';
import { isAmount, SAVED_VERSIONS } from './savedData';

/** The time for which the spending of a call without an execution counts toward the limits. */
const HOUR_MS = 3_600_000;
/**
 * The time for which the process remembers the spending of a scope. Other executions than those of n8n's Engine 2 have
 * it in their shared data, too.
 */
const DAY_MS = 86_400_000;
const MAX_REMEMBERED = 10_000;

const SHARED_KEY = 'leadSearchSpending';
/** The key of older versions of this package. They don't check what they read, so it is deleted. */
const UNVERSIONED_KEY = 'leadSearchSpent';

/** The spending of one node with one credential in an execution; without an execution, that of one call. */
interface SpendingEntry {
	credential: string;
	cost: Cost;
	/** When the cost was recorded, in milliseconds since 1970. */
	at: number;
}
type SpendingEntries = Readonly<Record<string, SpendingEntry>>;

/** The spending of an execution. n8n saves it for all its nodes, and passes it on to the Retry. */
interface SharedRecord {
	version: number;
	/** The scope of `entries`. When a Retry starts, it is still that of the execution that is retried. */
	id: string;
	/** When the node first ran in the execution or, in a chain of Retries, in the first of them. */
	startedAt: number;
	entries: SpendingEntries;
}

export interface ExecutionScope {
	/** The ID of the execution. Each call without an execution has a new one. */
	executionId: string;
	/** When the node first ran in the execution or the one that it retries, in milliseconds since 1970. */
	startedAt: number;
	/** Runs with this key run one after another, so that each run knows what the earlier ones have spent. */
	lockKey: string;
	isExecution: boolean;
	/** Returns the credits of this run. Call it when the run has the lock, and `settle` at the end. */
	openCredits(limits: { maxCredits: number; ceiling: number }): RunCredits;
	/** Whether earlier spending of the execution can't be read, so that its limits count from 0. */
	isSpendingUnreadable: boolean;
	/** n8n saves these data for this node, and passes them on to the Retry. They are undefined without an execution. */
	nodeData: IContextObject | undefined;
	/** Whether users can press Retry. They can't for a sub-workflow: its parent runs it again, as a new execution. */
	offersRetry: boolean;
}

export interface RunCredits {
	credits: Credits;
	/** Saves the cost of the run in place of the credits that it has reserved. */
	settle: (runCost: Cost) => void;
}

/** What a scope has spent, in the memory of the process. */
interface ScopeSpending {
	/** When the scope was last used, in milliseconds since 1970. */
	at: number;
	entries: SpendingEntries;
	/** The credits of runs whose cost isn't in the entries yet, with the ID of their credential. */
	readonly running: Map<Credits, string>;
	startedAt: number;
}

/**
 * The key is the ID of the scope: 'execution 7', or 'credential 12' for calls without an execution. The scope that was
 * used last is the last entry.
 */
const spendingByScope = new Map<string, ScopeSpending>();

/** @param credentialId an empty string if the run has no credential */
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
		openCredits: (limits) =>
			openCredits(limits, {
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

export function executionInfoOf(context: IExecuteFunctions | IPollFunctions) {
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	return { workflowId, workflowName, executionId: context.getExecutionId() as string | undefined };
}

/** Reads or starts the record of an execution. A Retry starts one, but keeps the start of the first execution. */
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
			other !== undefined && !(isObject(other) && isOtherScope(other.id, scopeId)),
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
	if (!isObject(saved) || saved.version !== SAVED_VERSIONS.spending) return false;
	const { id, startedAt, entries } = saved;
	if (typeof id !== 'string' || !isAmount(startedAt) || !isObject(entries)) return false;
	return Object.values(entries).every(isSpendingEntry);
}

function isSpendingEntry(entry: unknown): entry is SpendingEntry {
	if (!isObject(entry) || typeof entry.credential !== 'string') return false;
	return isAmount(entry.at) && isObject(entry.cost) && isCost(entry.cost);
}

function isCost({ lastLoss, ...cost }: Record<string, unknown>): boolean {
	const isLoss = (loss: unknown) =>
		isObject(loss) && Object.hasOwn(CONSEQUENCES, String(loss.kind));
	const amounts = (Object.keys(NO_COST) as Array<keyof Cost>).map((name) => cost[name]);
	return amounts.every(isAmount) && (lastLoss === undefined || isLoss(lastLoss));
}

interface CreditsOptions {
	scopeId: string;
	/**
	 * The key in {@link SpendingEntries}. All runs of a node with one credential share an entry in an execution. Each
	 * call without an execution has its own.
	 */
	entryKey: string;
	credentialId: string;
	isExecution: boolean;
	sharedData: IContextObject | undefined;
	startedAt: number;
}

function openCredits(
	limits: { maxCredits: number; ceiling: number },
	{ scopeId, entryKey, credentialId, isExecution, sharedData, startedAt }: CreditsOptions,
): RunCredits {
	const spending = spendingByScope.get(scopeId) ?? {
		at: 0,
		entries: {},
		running: new Map<Credits, string>(),
		startedAt,
	};
	rememberSpending(scopeId, spending);
	const saved: unknown = sharedData?.[SHARED_KEY];
	if (isSharedRecord(saved) && saved.id === scopeId)
		spending.entries = mergeSpending(saved.entries, spending.entries);
	const recentEntries = () => {
		const since = isExecution ? 0 : Date.now() - HOUR_MS;
		return Object.entries(spending.entries).filter(([, { at }]) => at > since);
	};
	const ofCredential = () =>
		recentEntries().reduce(
			(sum, [, { credential, cost }]) => (credential === credentialId ? addCosts(sum, cost) : sum),
			NO_COST,
		);
	const before = isExecution ? (spending.entries[entryKey]?.cost ?? NO_COST) : ofCredential();
	const credits: Credits = new Credits(limits, {
		before,
		isExecution,
		towardCeiling: () => {
			let sum = spentIn(ofCredential());
			for (const [other, credential] of spending.running)
				if (other !== credits && credential === credentialId) sum += other.reserved;
			return sum;
		},
	});
	spending.running.set(credits, credentialId);
	return {
		credits,
		settle: (runCost) => {
			const cost = isExecution ? addCosts(before, runCost) : runCost;
			const entry = { credential: credentialId, cost, at: Date.now() };
			spending.entries = { ...Object.fromEntries(recentEntries()), [entryKey]: entry };
			spending.running.delete(credits);
			rememberSpending(scopeId, spending);
			if (sharedData)
				writeSharedRecord(sharedData, { id: scopeId, startedAt, entries: spending.entries });
		},
	};
}

/** If both have an entry with the same key, the larger cost counts, because the smaller one isn't up to date. */
function mergeSpending(a: SpendingEntries, b: SpendingEntries): SpendingEntries {
	const merged: Record<string, SpendingEntry> = { ...a };
	for (const [name, entry] of Object.entries(b)) {
		const previous = merged[name];
		if (!previous || spentIn(entry.cost) > spentIn(previous.cost)) merged[name] = entry;
	}
	return merged;
}

function rememberSpending(scopeId: string, spending: ScopeSpending): void {
	spending.at = Date.now();
	spendingByScope.delete(scopeId);
	spendingByScope.set(scopeId, spending);
	for (const [oldest, { at }] of spendingByScope) {
		if (spendingByScope.size <= MAX_REMEMBERED && at > spending.at - DAY_MS) break;
		spendingByScope.delete(oldest);
	}
}
