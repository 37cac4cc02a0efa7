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
 * The first unexpected response of each list, by execution ID and cache key of the list. After an unexpected
 * response, no node of this execution sends another request for the list.
 */
const brokenLists = new Map<string, Failure>();
const MAX_BROKEN_LISTS = 1_000;

/** Creates the lists of free operations. These lists start empty, because free results aren't cached. */
export const FREE_LISTS: Lists = {
	leads: () => new LeadList(false),
	profiles: () => new ProfileList(PROFILE_URLS),
};

/** A list of the run, with its cache key, and the functions that restore and save its rows. */
interface TrackedList {
	list: PagedList;
	/**
	 * Search: the cache key of the list. Lookup: the part with which the cache keys of all its profiles start. Each
	 * profile has a cache key of its own: this part, a space and the profile's URL.
	 */
	key: string;
	/** Adds the cached rows to the list, so that the list doesn't request them. */
	restore: () => void;
	/** Saves the rows that the list has received in the cache. */
	save: () => void;
}

/** The properties of a run that the cache needs to find reusable rows. Only runs of paid operations use the cache. */
export interface PaidRun {
	endpoint: Endpoint;
	/** The address of the service, for example `https://leads.example.com`. */
	baseUrl: string;
	/**
	 * The values that identify the account among all accounts at this address. They are a part of each cache key, so
	 * that an account reuses only its own results.
	 */
	account: readonly unknown[];
	/** The value of Reuse Paid Results, in minutes. */
	reuseMinutes: number;
	scope: Pick<ExecutionScope, 'executionId' | 'firstExecutionId' | 'offersRetry' | 'nodeData'>;
	/**
	 * The ID under which the cache remembers how old a snapshot was at its first use. If it is undefined, the ID of the
	 * original execution is used, so that all Retries of this execution find that age.
	 *
	 * A trigger has no Retry: if n8n discards the leads of a poll, a later poll fetches them again from the same
	 * cursor. Therefore a trigger uses an ID of its cursor (its saved position in the search).
	 */
	usageKey?: string;
	/** Called if this run is a Retry, and the data that the failed execution saved for it has an unknown format. */
	onUnreadable?: () => void;
}

export class PaidResults implements Lists {
	/**
	 * The cache keys of the searches and profiles that the run requests. Two runs that have one of these keys in common
	 * must run one after another, so that the second run reuses the rows that the first one buys.
	 */
	readonly lockKeys = new Set<string>();
	private readonly trackedLists: TrackedList[] = [];
	/** The snapshots that the run uses, by cache key: it reuses their rows, or adds rows to them. */
	private readonly usedSnapshots = new Map<string, UsedSnapshot>();
	/** Whether the rows of a search take more memory than the whole cache, so that its last rows aren't cached. */
	private isTruncated = false;
	/**
	 * The number of rows that each list had paid for when it was last saved. If the number is higher at the next save,
	 * the run has paid for rows in between.
	 */
	private readonly savedCharges = new Map<PagedList, number>();
	/** The time at which {@link restore} was called, when the run had its locks, in milliseconds since 1970. */
	private startedAt = Date.now();

	constructor(private readonly run: PaidRun) {}

	/**
	 * Creates the empty list of a search or of a poll, and adds its cache key to {@link lockKeys}. Cached rows are
	 * added later, by {@link restore}.
	 *
	 * @param id a JSON value that identifies the list: it is equal for all requests of the same list
	 * @param hasRaw whether the requested rows have the field `raw`. Cached rows without this field are then not reused
	 * @param ranges the rows that are requested, for example `[[0, 60]]`
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

	/**
	 * The earliest time at which a row was paid for in the snapshots that the run has used, in milliseconds since 1970;
	 * undefined if the run has used none.
	 */
	get oldestPurchase(): number | undefined {
		const times = Array.from(this.usedSnapshots.values(), ({ snapshot }) => snapshot.firstPaidAt);
		return times.sort((a, b) => a - b)[0];
	}

	/**
	 * The facts for the message of a stopped run: whether all rows of the run are saved, whether a Retry gets them, and
	 * for how many minutes new executions can reuse them and buy only the missing rows.
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

	/**
	 * Adds cached rows to all lists of the run, so that these rows aren't requested. If the run is a Retry, the rows
	 * that the failed execution saved in its data are added, too. Call this once, when the run has its locks and hasn't
	 * sent a request.
	 */
	restore(): void {
		this.startedAt = Date.now();
		this.restoreRetryData();
		for (const { list, key, restore } of this.trackedLists) {
			restore();
			list.violation = brokenLists.get(this.executionKeyOf(key));
		}
	}

	/** Saves the rows that the run has paid for so far in the cache. It can be called several times during a run. */
	save(): void {
		for (const { list, key, save } of this.trackedLists) {
			save();
			if (list.violation) brokenLists.set(this.executionKeyOf(key), list.violation);
		}
		for (const oldest of brokenLists.keys())
			if (brokenLists.size > MAX_BROKEN_LISTS) brokenLists.delete(oldest);
	}

	/**
	 * Saves the rows of a failed run in the data of the execution. A Retry gets them from there if it runs in another
	 * process, or after the cache has evicted them. Does nothing if Reuse Paid Results is 0.
	 */
	saveForRetry(): void {
		const { scope, reuseMinutes } = this.run;
		if (reuseMinutes > 0) saveRetryData(scope.nodeData, scope.executionId, this.usedSnapshots);
	}

	/**
	 * Adds the snapshots that the failed execution saved in its data to the cache, if this run is its Retry. A snapshot
	 * is skipped if the run may reuse a cached one that is at least as new and has all of its rows.
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

	/**
	 * Returns the cache key of a list: a hash of the service's address, the account and the ID of the list. All
	 * profiles of a lookup have the same ID, so their cache keys start with this hash, and end with their URL.
	 */
	private keyOf(id: unknown): string {
		const { baseUrl, account } = this.run;
		return digest([baseUrl, account, id]);
	}

	private executionKeyOf(key: string): string {
		return `${this.run.scope.executionId} ${key}`;
	}

	/**
	 * The ID of the only execution that may use the snapshots that this run creates. If Reuse Paid Results is 0, it is
	 * the ID of this execution, so that no other one reuses the rows. Otherwise it is undefined: all executions may.
	 */
	private get exclusiveTo(): string | undefined {
		const { scope, reuseMinutes } = this.run;
		return reuseMinutes === 0 ? scope.executionId : undefined;
	}

	/**
	 * Returns the snapshots of a list that this run may reuse.
	 *
	 * - If Reuse Paid Results is 0: the snapshots that only this execution may use.
	 * - Otherwise: the snapshots that only the original execution and its Retries may use, if there are any. Such
	 *   snapshots exist after an unexpected response.
	 * - Otherwise: the snapshots that all executions may use, if they aren't too old for this run.
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

	/**
	 * Creates a snapshot for rows that the run has paid for, and adds it to the cache. It is called if the run found no
	 * snapshot to which it can add these rows.
	 *
	 * @param value the content of the snapshot: for a search, the facts of its list (rows and end); for a profile, an
	 * array with its rows
	 * @param ranges the rows of a search that the run requests; undefined for a profile
	 */
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
	 * Records that the run uses a snapshot. Later nodes of the execution, and its Retries, may then reuse the snapshot
	 * by the age that it has now, and the cache evicts other snapshots first.
	 *
	 * @param ranges the rows of a search that the run requests; undefined for a profile
	 * @param age the age of the snapshot, in milliseconds; 0 for a snapshot that the run has created
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

	/**
	 * Updates a search's snapshot in the cache after rows were added to it: its times, if the run has paid for rows
	 * since the last save, and its size. If the snapshot has become larger than the whole cache, its last rows are
	 * removed.
	 */
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

/**
 * Returns the indexes of the requested rows of a search that are cached.
 *
 * @param ranges the requested rows
 * @example
 * // The rows 0 to 49 are cached, and the rows 40 to 59 are requested.
 * indexesIn(facts, [[40, 60]]); // [40, 41, …, 49]
 */
function indexesIn({ cells, lastRow }: LeadFacts, ranges: readonly RowRange[]): number[] {
	const indexes: number[] = [];
	for (const [from, to] of ranges)
		for (let row = from; row < Math.min(to, lastRow + 1); row++)
			if (cells.has(row)) indexes.push(row);
	return indexes;
}

/**
 * Whether the cached rows of a search include all requested rows.
 *
 * @param trustsEnd whether requested rows after the end of the list count as cached, because they don't exist. The
 * end must be confirmed. A poll passes false, because it checks the end itself
 * @example
 * // The list ended after 40 rows, which are all cached.
 * hasRows(facts, [[0, 60]], true); // true
 * hasRows(facts, [[0, 60]], false); // false
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
 * Returns a copy of a search's cached facts for a poll: with the rows that the poll requests, and without the other
 * rows. The copy has no end of the list, because a poll takes the end from the trigger's cursor.
 */
function selectWantedRows(facts: LeadFacts, ranges: readonly RowRange[]): LeadFacts {
	const cells = new Map<number, Json>();
	for (const row of indexesIn(facts, ranges)) cells.set(row, facts.cells.get(row) ?? {});
	const repetition = new Repetition();
	repetition.add(cells.values());
	return { ...facts, cells, repetition, unmatchedByText: new Map(), end: undefined };
}

/**
 * Adds the rows that a poll has received to the snapshot of its search. If an earlier run has created the snapshot,
 * it keeps its own end of the list. The poll's values are valid only for polls: for example,
 * its end can come from the trigger's cursor. If the poll has received a row after the snapshot's end, that end is
 * removed.
 *
 * @param facts the facts of the snapshot
 * @param added the facts of the poll's list
 */
function addPollRows(facts: LeadFacts, added: LeadFacts): LeadFacts {
	const isNew = facts.cells === added.cells;
	if (isNew) return added;
	const rows = [...added.cells].filter(([row]) => !facts.cells.has(row));
	for (const [row, lead] of rows) facts.cells.set(row, lead);
	facts.repetition.add(rows.map(([, lead]) => lead));
	for (const row of added.repeats) facts.repeats.add(row);
	const lastRow = Math.max(facts.lastRow, added.lastRow);
	const isAfterEnd = facts.end && lastRow >= facts.end.at;
	return { ...facts, lastRow, end: isAfterEnd ? undefined : facts.end };
}

/**
 * Removes the last rows of a search's snapshot, until the snapshot isn't larger than the whole cache. A later run
 * that needs the removed rows pays for them again.
 *
 * @param executionId the execution that pays for the rows that are added next
 */
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
 * Whether the cached value of a list has all rows of the saved one. The indexes of a search's rows are compared. A
 * profile's rows aren't compared, because each snapshot of a profile has all of them.
 *
 * @param value the value of the snapshot that a failed execution has saved
 * @param other the value of a snapshot of the same list in the cache
 */
function isPartOf(value: unknown, other: unknown): boolean {
	if (Array.isArray(value)) return true;
	const { cells, hasRaw } = value as LeadFacts;
	const otherFacts = other as LeadFacts;
	return (
		(otherFacts.hasRaw || !hasRaw) && [...cells.keys()].every((row) => otherFacts.cells.has(row))
	);
}
