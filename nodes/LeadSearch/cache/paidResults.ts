/**
 * Creates lists that start with the cached results. An account doesn't pay for a result again within the minutes of
 * Reuse Paid Results. The execution that paid for a result or reused it, and its Retries, don't pay again however
 * much time has passed. All runs in this n8n process share the cache. `snapshot.ts` decides how old a cached list may
 * be.
 */
import type { Endpoint, Json } from '../api/contract';
import type { Failure } from '../api/failures';
import type { SavedRows } from '../messages/stoppedRun';
import { LeadList, type LeadFacts, type PollPosition, type RowRange } from '../paging/leadList';
import type { PagedList } from '../paging/pagedList';
import { ProfileList } from '../paging/profileList';
import { Repetition } from '../paging/repetition';
import { digest } from '../parameters/canonical';
import { PROFILE_URLS } from '../resources/linkedInProfile/linkedInUrl';
import type { Lists } from '../resources/operation';
import type { ExecutionScope } from '../spending/scope';
import { PaidResultsCache } from './cache';
import { loadLossHistory, saveLossHistory } from './lossHistory';
import { MAX_RETRY_BYTES, saveRetryData, takeRetryData, type UsedSnapshot } from './retryData';
import {
	addPurchase,
	ageOf,
	canGrow,
	chooseSnapshot,
	growthLeft,
	isReusable,
	newSnapshot,
} from './snapshot';
import type { Access, Snapshot } from './snapshot';

const cache = new PaidResultsCache(64_000_000);

const MINUTE_MS = 60_000;

/**
 * The first unexpected response of each list, by execution and list. After it, no node of the execution sends another
 * request for the list.
 */
const brokenLists = new Map<string, Failure>();
const MAX_BROKEN_LISTS = 1_000;

/** The lists of free operations. Their results aren't cached. */
export const FREE_LISTS: Lists = {
	leads: () => new LeadList(false),
	profiles: () => new ProfileList(PROFILE_URLS),
};

/** A list of the run, with its place in the cache. */
interface TrackedList {
	list: PagedList;
	/** The cache key of a search. For a lookup: the part of the cache key that all its profiles share. */
	key: string;
	/** Restores the rows that the cache has. */
	restore: () => void;
	/** Saves the rows that the list has received. */
	save: () => void;
}

/** The properties of a paid run that the cache depends on. */
export interface PaidRun {
	endpoint: Endpoint;
	/** The address of the service. */
	baseUrl: string;
	/** Identifies the account among all accounts at this address; a part of each cache key. */
	account: readonly unknown[];
	/** The value of Reuse Paid Results, in minutes. */
	reuseMinutes: number;
	scope: Pick<ExecutionScope, 'executionId' | 'firstExecutionId' | 'offersRetry' | 'nodeData'>;
	/**
	 * The ID under which the cache notes when a snapshot was first used. By default, this is the ID of the original
	 * execution, which all of its Retries share. A trigger uses an ID for each saved position in its search instead.
	 */
	usageKey?: string;
	/** Called if the data that a failed execution saved for this Retry has an unknown format. */
	onUnreadable?: () => void;
}

export class PaidResults implements Lists {
	/**
	 * The keys of the searches and profiles that the run requests. Runs that share one of these keys run one after
	 * another.
	 */
	readonly lockKeys = new Set<string>();
	private readonly trackedLists: TrackedList[] = [];
	/** The snapshots that the run works with, by cache key. */
	private readonly usedSnapshots = new Map<string, UsedSnapshot>();
	/** Whether a search is too large for the cache, so that some of its rows aren't cached. */
	private isTruncated = false;
	/** The charged credits of each list at its last save. */
	private readonly savedCharges = new Map<PagedList, number>();
	/** When the run started to work with its lists, in milliseconds since 1970. */
	private startedAt = Date.now();

	constructor(private readonly run: PaidRun) {}

	/**
	 * Creates the list of a search or of a poll. Cached rows are added by {@link restore}.
	 *
	 * @param from the cursor at which a poll continues; undefined for a search
	 */
	leads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[], from?: PollPosition): LeadList {
		const list = from ? LeadList.from(from) : new LeadList();
		list.hasRaw = hasRaw;
		list.repetition.continueAs(this.run.scope.executionId);
		const key = this.keyOf(id);
		this.lockKeys.add(key);
		this.trackedLists.push({
			list,
			key,
			restore: () => {
				const candidates = this.reusableSnapshots<LeadFacts>(key)
					// Rows with `raw` serve requests without it, too.
					.filter(({ value }) => value.hasRaw || !hasRaw)
					.map((candidate) => ({
						snapshot: candidate,
						rows: indexesIn(candidate.value, ranges).length,
						// A poll checks the end of a list itself.
						isComplete: hasRows(candidate.value, ranges, from === undefined),
						canGrow: canGrow(candidate, this.accessTo(candidate)),
					}));
				const snapshot = chooseSnapshot(candidates);
				if (!snapshot) return;
				this.useSnapshot(key, snapshot, ranges, ageOf(snapshot, this.startedAt));
				const facts = from ? selectWantedRows(snapshot.value, ranges) : snapshot.value;
				list.restore(facts, ranges, this.run.scope.executionId);
			},
			save: () => {
				if (!list.hasResponse) return;
				const used =
					this.usedSnapshots.get(key) ?? this.startSnapshot(key, list.facts, list, ranges);
				const snapshot = used.snapshot as Snapshot<LeadFacts>;
				snapshot.value = from ? addPollRows(snapshot.value, list.facts) : list.facts;
				// The list may contradict itself, so only this execution and its Retries continue it.
				if (list.violation) snapshot.exclusiveTo ??= this.run.scope.firstExecutionId;
				this.addToSnapshot(key, snapshot, list);
			},
		});
		return list;
	}

	profiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList {
		const list = new ProfileList(PROFILE_URLS);
		const key = this.keyOf(id);
		const keyOfProfile = (url: string) => `${key} ${url}`;
		for (const url of urls) this.lockKeys.add(keyOfProfile(url));
		this.trackedLists.push({
			list,
			key,
			restore: () => {
				for (const url of urls) {
					const candidates = this.reusableSnapshots<readonly Json[]>(keyOfProfile(url)).map(
						(candidate) => ({
							snapshot: candidate,
							rows: 1,
							isComplete: true,
							canGrow: false,
						}),
					);
					const snapshot = chooseSnapshot(candidates);
					if (!snapshot) continue;
					this.useSnapshot(keyOfProfile(url), snapshot, undefined, ageOf(snapshot, this.startedAt));
					const rows = snapshot.value.filter((row) => !withEmail || row.has_email !== false);
					list.restore(url, rows);
				}
			},
			save: () => {
				for (const [url, rows] of list.takeChanged()) {
					const profileKey = keyOfProfile(url);
					const { snapshot } =
						this.usedSnapshots.get(profileKey) ?? this.startSnapshot(profileKey, rows, list);
					snapshot.value = rows;
					snapshot.bytes = list.bytes / list.cost.charged;
					cache.put(profileKey, snapshot);
				}
			},
		});
		return list;
	}

	/** When the oldest row of the run was paid for, in milliseconds since 1970; undefined if the run has no rows. */
	get oldestPurchase(): number | undefined {
		const times = Array.from(this.usedSnapshots.values(), ({ snapshot }) => snapshot.firstPaidAt);
		return times.sort((a, b) => a - b)[0];
	}

	/**
	 * Says whether all paid rows of the run are saved, and for how long new executions can reuse them and buy only
	 * the missing rows.
	 */
	get savedRows(): SavedRows {
		const { scope, reuseMinutes } = this.run;
		const now = Date.now();
		let growthMs = reuseMinutes * MINUTE_MS;
		let bytes = 0;
		let isWhole = !this.isTruncated;
		for (const { snapshot } of this.usedSnapshots.values()) {
			growthMs = Math.min(growthMs, growthLeft(snapshot, { minutes: reuseMinutes, now }));
			bytes += snapshot.bytes;
			isWhole &&= cache.has(snapshot);
		}
		const hasRetry = scope.offersRetry && reuseMinutes > 0;
		const isTooLarge = hasRetry && bytes > MAX_RETRY_BYTES;
		return {
			isWhole: isWhole && !isTooLarge,
			minutes: Math.floor(growthMs / MINUTE_MS),
			hasRetry,
		};
	}

	/** Restores all lists from the cache and from the retried execution. Call it once, when the run has its locks. */
	restore(): void {
		const { baseUrl, endpoint } = this.run;
		this.startedAt = Date.now();
		this.restoreRetryData();
		for (const { list, key, restore } of this.trackedLists) {
			loadLossHistory(list, baseUrl, endpoint);
			restore();
			list.violation = brokenLists.get(this.executionKeyOf(key));
		}
	}

	/** Saves the rows that the run has paid for. It can be called at any time. */
	save(): void {
		const { baseUrl, endpoint } = this.run;
		for (const { list, key, save } of this.trackedLists) {
			save();
			saveLossHistory(list, baseUrl, endpoint);
			if (list.violation) brokenLists.set(this.executionKeyOf(key), list.violation);
		}
		for (const oldest of brokenLists.keys())
			if (brokenLists.size > MAX_BROKEN_LISTS) brokenLists.delete(oldest);
	}

	/** Saves the rows in the execution's data, too, for a Retry in another process or much later. */
	saveForRetry(): void {
		const { scope, reuseMinutes } = this.run;
		if (reuseMinutes > 0) saveRetryData(scope.nodeData, scope.executionId, this.usedSnapshots);
	}

	/**
	 * Adds the rows from the data of the retried execution to the cache. A snapshot is skipped if the cache has all
	 * of its rows already.
	 */
	private restoreRetryData(): void {
		const { scope, onUnreadable } = this.run;
		const restored = takeRetryData(scope.nodeData);
		if (restored === 'unreadable') {
			onUnreadable?.();
			return;
		}
		for (const { key, snapshot } of restored) {
			const hasAll = this.reusableSnapshots(key).some(
				(cached) =>
					cached.firstPaidAt >= snapshot.firstPaidAt && isPartOf(snapshot.value, cached.value),
			);
			if (hasAll) continue;
			cache.put(key, snapshot);
			// The results of the failed execution stay usable in its Retry, however old they are.
			cache.noteUse(scope.firstExecutionId, snapshot, 0);
		}
	}

	/** The cache key of a list: the address, the account and the request. */
	private keyOf(id: unknown): string {
		const { baseUrl, account } = this.run;
		return digest([baseUrl, account, id]);
	}

	private executionKeyOf(key: string): string {
		return `${this.run.scope.executionId} ${key}`;
	}

	/**
	 * If Reuse Paid Results is 0: the ID of this execution, because no other execution may use the snapshots that it
	 * creates. Otherwise undefined.
	 */
	private get exclusiveTo(): string | undefined {
		const { scope, reuseMinutes } = this.run;
		return reuseMinutes === 0 ? scope.executionId : undefined;
	}

	/**
	 * The snapshots that this run may reuse: those that only its own execution may use; if there are none, those that
	 * all executions may use.
	 */
	private reusableSnapshots<Value>(key: string): Array<Snapshot<Value>> {
		const { scope, reuseMinutes } = this.run;
		const reusableOf = (exclusiveTo: string | undefined) =>
			cache
				.get<Value>(key, exclusiveTo)
				.filter((snapshot) => isReusable(snapshot, this.accessTo(snapshot)));
		if (reuseMinutes === 0) return reusableOf(scope.executionId);
		const own = reusableOf(scope.firstExecutionId);
		return own.length > 0 ? own : reusableOf(undefined);
	}

	private accessTo(snapshot: Snapshot<unknown>): Access {
		const { scope, reuseMinutes } = this.run;
		const ageAtFirstUse = cache.ageAtFirstUse(scope.firstExecutionId, snapshot);
		return { minutes: reuseMinutes, now: Date.now(), ageAtFirstUse };
	}

	/** Starts a snapshot for rows that the run has just paid for. */
	private startSnapshot(
		key: string,
		value: unknown,
		{ firstReceivedAt = Date.now() }: PagedList,
		ranges?: readonly RowRange[],
	): UsedSnapshot {
		const snapshot = newSnapshot(value, firstReceivedAt, this.exclusiveTo);
		return this.useSnapshot(key, snapshot, ranges, 0);
	}

	/**
	 * Notes that the run works with a snapshot.
	 *
	 * @param ranges the rows of a search that the run requests
	 * @param age the age of the snapshot, in milliseconds
	 */
	private useSnapshot(
		key: string,
		snapshot: Snapshot<unknown>,
		ranges: readonly RowRange[] | undefined,
		age: number,
	): UsedSnapshot {
		const { scope, usageKey = scope.firstExecutionId } = this.run;
		const used = { snapshot, ranges };
		this.usedSnapshots.set(key, used);
		cache.put(key, snapshot);
		cache.noteUse(usageKey, snapshot, age);
		return used;
	}

	/** Updates the times, the size and the cache entry of a search's snapshot. */
	private addToSnapshot(key: string, snapshot: Snapshot<LeadFacts>, list: LeadList): void {
		const { charged } = list.cost;
		if (charged > (this.savedCharges.get(list) ?? 0)) {
			const times = { startedAt: this.startedAt, now: Date.now() };
			addPurchase(snapshot, this.run.scope.executionId, times);
			this.savedCharges.set(list, charged);
		}
		snapshot.bytes += list.bytes;
		list.bytes = 0;
		if (snapshot.bytes > cache.maxBytes) {
			truncate(snapshot, list, this.run.scope.executionId);
			this.isTruncated = true;
		}
		cache.put(key, snapshot);
	}
}

/** Returns the indexes, within the ranges, of the rows that are saved for a search. */
function indexesIn({ cells, lastRow }: LeadFacts, ranges: readonly RowRange[]): number[] {
	const indexes: number[] = [];
	for (const [from, to] of ranges)
		for (let row = from; row < Math.min(to, lastRow + 1); row++)
			if (cells.has(row)) indexes.push(row);
	return indexes;
}

/**
 * Whether the cache has all rows that a search requests.
 *
 * @param trustsEnd if it is true, rows after the saved end of the list aren't missing, because the list has none
 */
function hasRows(facts: LeadFacts, ranges: readonly RowRange[], trustsEnd: boolean): boolean {
	const { end } = facts;
	const endAt = trustsEnd && end?.isConfirmed ? end.at : Infinity;
	const wanted = ranges.reduce(
		(sum, [from, to]) => sum + Math.max(0, Math.min(to, endAt) - from),
		0,
	);
	return indexesIn(facts, ranges).length >= wanted;
}

/**
 * Selects the saved rows that a poll requests. The saved end of the list is left out, because a poll takes the end
 * from the trigger's cursor.
 */
function selectWantedRows(facts: LeadFacts, ranges: readonly RowRange[]): LeadFacts {
	const cells = new Map<number, Json>();
	for (const row of indexesIn(facts, ranges)) cells.set(row, facts.cells.get(row) ?? {});
	const repetition = new Repetition();
	repetition.add(cells.values());
	return { ...facts, cells, repetition, unmatchedByText: new Map(), end: undefined };
}

/**
 * Adds the rows of a poll to a snapshot. The limit of the page size and the end of the list that the poll has found
 * are left out, because they are valid only for polls.
 */
function addPollRows(facts: LeadFacts, added: LeadFacts): LeadFacts {
	const isNew = facts.cells === added.cells;
	if (isNew) return added;
	const rows = [...added.cells].filter(([row]) => !facts.cells.has(row));
	for (const [row, lead] of rows) facts.cells.set(row, lead);
	facts.repetition.add(rows.map(([, lead]) => lead));
	for (const row of added.repeats) facts.repeats.add(row);
	const lastRow = Math.max(facts.lastRow, added.lastRow);
	const confirmedSize = Math.max(facts.confirmedSize, added.confirmedSize);
	const isAfterEnd = facts.end && lastRow >= facts.end.at;
	return { ...facts, lastRow, confirmedSize, end: isAfterEnd ? undefined : facts.end };
}

/** Removes the last rows of a search that is too large for the cache. A later run pays for these rows again. */
function truncate(snapshot: Snapshot<LeadFacts>, list: LeadList, executionId: string): void {
	const { cells, lastRow } = snapshot.value;
	const rowBytes = snapshot.bytes / cells.size;
	for (let row = lastRow; row >= 0 && snapshot.bytes > cache.maxBytes; row--)
		if (cells.delete(row)) snapshot.bytes -= rowBytes;
	const repetition = new Repetition(executionId);
	repetition.add(cells.values());
	snapshot.value.repetition = repetition;
	list.repetition = repetition;
}

/**
 * Whether `other` has all rows of `value`. For a profile this is always true, because a snapshot has either all rows
 * of a profile or none.
 */
function isPartOf(value: unknown, other: unknown): boolean {
	if (Array.isArray(value)) return true;
	const { cells, hasRaw } = value as LeadFacts;
	const otherFacts = other as LeadFacts;
	return (
		(otherFacts.hasRaw || !hasRaw) && [...cells.keys()].every((row) => otherFacts.cells.has(row))
	);
}
