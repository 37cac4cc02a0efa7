/**
 * Decides which cached rows a run reuses: those bought since its execution started, or less than Reuse Paid Results
 * before. A Retry counts from the start of the execution that it retries.
 *
 * An index is a position in a list that moves, so the rows of a search should expire together. Therefore a run that
 * buys leads renews those that it reuses, once. A renewed lead serves only runs that need nothing from the service.
 */
import type { Json } from '../api/contract';
import type { SavedRows } from '../messages/stoppedRun';
import { LeadList, type ListEnd, type PollPosition, type RowRange } from '../paging/leadList';
import { isSameRow, type PagedList } from '../paging/pagedList';
import { ProfileList } from '../paging/profileList';
import { digest } from '../parameters/canonical';
import { PROFILE_URLS } from '../resources/linkedInProfile/linkedInUrl';
import type { Lists } from '../resources/operation';
import type { ExecutionScope } from '../spending/scope';
import { END_KEY, PaidRows, type Key, type PaidRow, type Purchase } from './paidRows';
import { MAX_RETRY_BYTES, saveRetryData, takeRetryData } from './retryData';

const cache = new PaidRows(64_000_000);

const MINUTE_MS = 60_000;
const END_BYTES = 200;

/** The lists of free operations. They start empty, because free results aren't cached. */
export const FREE_LISTS: Lists = {
	createLeads: () => new LeadList(false),
	createProfiles: () => new ProfileList(PROFILE_URLS),
};

/** The values of a run that decide which cached rows it may reuse. */
export interface PaidRun {
	baseUrl: string;
	/** The values that identify the account among all accounts at this address. */
	account: readonly unknown[];
	reuseMinutes: number;
	scope: Pick<ExecutionScope, 'startedAt' | 'offersRetry' | 'nodeData'>;
}

/** A list of the run, and what the cache needs to fill it and to save its rows. */
interface TrackedList {
	/** The key of the list in the cache, and those of other lists whose rows serve this run, too. */
	keys: readonly [string, ...string[]];
	list: PagedList<Key>;
	wanted: { readonly size: number; has(key: Key): boolean } & Iterable<Key>;
	isWanted?: (row: Json) => boolean;
	search?: Search;
	purchase: Purchase;
	/** The cached rows that the run reuses or has paid for. */
	used: PaidRow[];
}

interface Search {
	list: LeadList;
	ranges: readonly RowRange[];
	/** The key of the list whose {@link END_KEY} is the end of the search, with and without `raw`. */
	endKey: string;
	/** Whether the run takes the end of the list from the cache. A poll checks the end itself. */
	takesEnd: boolean;
	/** The rows that the run renews if it buys others, with their ages. */
	renewable: Array<{ row: PaidRow; age: number }>;
	/** The number of restored rows that have no index. */
	unindexed: number;
}

interface Selection {
	tracked: TrackedList;
	rows: ReadonlyMap<Key, PaidRow>;
	end: ListEnd | undefined;
	/** Whether the run needs nothing else from the service. */
	isComplete: boolean;
}

/** The lists of a run that pays. Cached rows are added to them, and the rows that they receive are cached. */
export class PaidResults implements Lists {
	/** The keys for `runExclusive`. If two runs share a key, the second one waits, so that it can reuse rows. */
	readonly lockKeys = new Set<string>();
	/** Whether the failed execution has saved its data for this Retry in another format. */
	isRetryDataUnreadable = false;
	private readonly tracked: TrackedList[] = [];
	private readonly profilePurchase: Purchase = { at: -Infinity };

	constructor(private readonly run: PaidRun) {}

	/** Creates the list of a search. Rows with `raw` serve requests without it, too. `from` is the cursor of a poll. */
	createLeads(
		id: unknown,
		hasRaw: boolean,
		ranges: readonly RowRange[],
		from?: PollPosition,
	): LeadList {
		const list = from ? LeadList.from(from) : new LeadList();
		list.hasRaw = hasRaw;
		const [raw, key] = [this.keyOf([id, 'raw']), this.keyOf(id)];
		this.lockKeys.add(key);
		const search = { list, ranges, endKey: key, takesEnd: !from, renewable: [], unindexed: 0 };
		this.tracked.push({
			keys: hasRaw ? [raw] : [key, raw],
			list,
			wanted: new Indexes(ranges),
			search,
			purchase: { at: -Infinity },
			used: [],
		});
		return list;
	}

	createProfiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList {
		const list = new ProfileList(PROFILE_URLS);
		const key = this.keyOf(id);
		for (const url of urls) this.lockKeys.add(`${key} ${url}`);
		this.tracked.push({
			keys: [key],
			list,
			wanted: urls as ReadonlySet<Key>,
			isWanted: (row) => !withEmail || row.has_email !== false,
			purchase: this.profilePurchase,
			used: [],
		});
		return list;
	}

	/**
	 * Until when new executions with the same Reuse Paid Results can reuse all used rows, in milliseconds since 1970.
	 */
	get freeUntil(): number | undefined {
		let oldest = Infinity;
		for (const { bought } of this.usedRows()) oldest = Math.min(oldest, bought.at);
		return oldest < Infinity ? oldest + this.run.reuseMinutes * MINUTE_MS : undefined;
	}

	get savedRows(): SavedRows {
		const { offersRetry: hasRetry } = this.run.scope;
		let [bytes, isWhole] = [0, true];
		for (const row of this.usedRows()) {
			bytes += row.bytes;
			isWhole &&= cache.list(row.listKey).has(row.key);
		}
		// If no row is used, none can expire.
		const lifeMs = this.run.reuseMinutes * MINUTE_MS;
		const remainingMs = (this.freeUntil ?? Date.now() + lifeMs) - Date.now();
		return {
			isWhole: isWhole && !(hasRetry && bytes > MAX_RETRY_BYTES),
			minutes: Math.max(0, Math.floor(remainingMs / MINUTE_MS)),
			hasRetry,
		};
	}

	/**
	 * Adds cached rows to the lists if the run then needs nothing from the service, and so no lock of a list. Returns
	 * whether it did.
	 */
	restoreIfComplete(): boolean {
		this.readRetryData();
		const selections = this.tracked.map((tracked) => this.select(tracked));
		if (!selections.every(({ isComplete }) => isComplete)) return false;
		for (const selection of selections) this.restoreList(selection);
		return true;
	}

	/** Adds usable cached rows to the lists. Call this once, when the run has its locks and has sent nothing. */
	restore(): void {
		for (const tracked of this.tracked) this.restoreList(this.select(tracked));
	}

	/** Caches the rows that the lists have received. Call this once, after the last response. */
	save(): void {
		// No purchase is older than its execution, even if the clock was set back meanwhile.
		const { startedAt } = this.run.scope;
		for (const { list, purchase } of this.tracked)
			purchase.at = Math.max(purchase.at, startedAt, list.lastChargedAt);
		for (const tracked of this.tracked) {
			const { keys, list, search, purchase } = tracked;
			const [listKey] = keys;
			const bytes = Math.round(list.bytes / Math.max(1, list.cost.charged));
			const newRow = (key: Key, rows: readonly Json[]): PaidRow => ({
				listKey,
				key,
				rows,
				bought: purchase,
				bytes,
			});
			let newRows = list.receivedKeys.map((key) => newRow(key, list.rowsOf(key)));
			if (search) {
				if (keys.some((key) => hasOtherLeads(cache.list(key), newRows))) purchase.differs = true;
				const keyAt = (at: number) => this.unindexedKey(search, search.unindexed + at);
				const unmatched = search.list.unmatchedRows.filter((row) => !list.reusedRows.has(row));
				newRows = newRows.concat(unmatched.map((row, at) => newRow(keyAt(at), [row])));
			}
			cache.put(newRows);
			tracked.used = tracked.used.concat(newRows);
			if (search) this.saveSearch(tracked, search);
		}
		cache.evict();
	}

	saveForRetry(): void {
		saveRetryData(this.run.scope.nodeData, this.usedRows());
	}

	private readRetryData(): void {
		const saved = takeRetryData(this.run.scope.nodeData);
		this.isRetryDataUnreadable = saved === undefined;
		for (const row of saved ?? []) {
			const cached = cache.list(row.listKey).get(row.key);
			if (!cached || cached.bought.at < row.bought.at) cache.put([row]);
		}
	}

	private select(tracked: TrackedList): Selection {
		const { keys, wanted, search } = tracked;
		const usable = new Map<Key, PaidRow>();
		for (const listKey of keys) {
			const cached = cache.list(listKey);
			// A loop of `for` takes longer, because V8 compiles it only after most rows.
			[...(wanted.size < cached.size ? wanted : cached.keys())].forEach((key) => {
				const row = cached.get(key);
				if (!row || !this.isUsable(row) || !wanted.has(key)) return;
				const other = usable.get(key);
				if (!other || other.bought.at < row.bought.at) usable.set(key, row);
			});
		}
		if (!search)
			return { tracked, rows: usable, end: undefined, isComplete: usable.size === wanted.size };
		const found = search.takesEnd ? cache.list(search.endKey).get(END_KEY) : undefined;
		const end = found && this.isSince(found.bought) ? found.end : undefined;
		if (isEachBelow(end?.at ?? Infinity, search.ranges, usable))
			return { tracked, rows: usable, end, isComplete: true };
		// Renewed rows serve only runs that need nothing else. Others check a cached end.
		const rows = new Map([...usable].filter(([, { bought }]) => this.isSince(bought)));
		return { tracked, rows, end: end && { ...end, isConfirmed: false }, isComplete: false };
	}

	private restoreList({ tracked, rows, end }: Selection): void {
		const { keys, list, isWanted = () => true, search, used } = tracked;
		for (const [key, row] of rows) {
			cache.use(row);
			used.push(row);
			list.restore(key, row.rows.filter(isWanted));
			const age = Date.now() - row.bought.at;
			if (!row.renewed && age < this.run.reuseMinutes * MINUTE_MS)
				search?.renewable.push({ row, age });
		}
		if (!search) return;
		if (end) search.list.restoreEnd(end);
		for (;;) {
			const key = this.unindexedKey(search, search.unindexed);
			const row = cache.list(keys[0]).get(key);
			if (!row) return;
			cache.use(row);
			used.push(row);
			search.list.restoreUnmatched(row.rows);
			search.unindexed += 1;
		}
	}

	/** Saves renewals and the end of the list. */
	private saveSearch(tracked: TrackedList, search: Search): void {
		const { list, endKey, renewable } = search;
		if (list.cost.charged > 0)
			for (const { row, age } of renewable) row.renewed = { by: tracked.purchase, age };
		const { end, hasResponse, lastReceivedRow } = list;
		const before = cache.list(endKey).get(END_KEY);
		if (hasResponse && end?.isConfirmed && end !== before?.end) {
			const bought = { at: Date.now() };
			const row = { listKey: endKey, key: END_KEY, rows: [], end, bought, bytes: END_BYTES };
			cache.put([row]);
		} else if (before?.end && lastReceivedRow >= before.end.at) cache.remove(before);
		if (isMixed(tracked.used)) list.hasChanged = true;
	}

	private *usedRows(): Generator<PaidRow> {
		for (const { used } of this.tracked) yield* used;
	}

	/** Whether a run that needs nothing else may reuse a row. Other runs check {@link isSince} alone. */
	private isUsable({ bought, renewed }: PaidRow): boolean {
		if (this.isSince(bought)) return true;
		if (!renewed || renewed.age >= this.run.reuseMinutes * MINUTE_MS) return false;
		return this.isSince(renewed.by) && this.isSince(bought, 2);
	}

	/**
	 * Whether a purchase was made less than `factor` times Reuse Paid Results before the execution started, or since.
	 */
	private isSince({ at }: Purchase, factor = 1): boolean {
		const { scope, reuseMinutes } = this.run;
		return at >= scope.startedAt || at > scope.startedAt - factor * reuseMinutes * MINUTE_MS;
	}

	private keyOf(id: unknown): string {
		const { baseUrl, account } = this.run;
		return digest([baseUrl, account, id]);
	}

	/**
	 * The key of a row without an index. Only runs of the same execution and its Retries that want the same first row
	 * find it.
	 */
	private unindexedKey({ ranges }: Search, at: number): Key {
		return `${this.run.scope.startedAt} ${ranges.map(([from]) => from).join()} ${at}`;
	}
}

/** Whether a row replaces another lead. The same lead may have other values. */
function hasOtherLeads(cached: ReadonlyMap<Key, PaidRow>, bought: readonly PaidRow[]): boolean {
	if (cached.size === 0) return false;
	return bought.some(({ key, rows }) => {
		const before = cached.get(key)?.rows[0];
		const row = rows[0];
		return before && row && !isSameRow(before, row);
	});
}

/**
 * Whether a row was bought again as another one while an older row is reused, so the rows show two states of the
 * list.
 */
function isMixed(rows: readonly PaidRow[]): boolean {
	let [oldest, lastChange] = [Infinity, -Infinity];
	rows.forEach(({ bought }) => {
		oldest = Math.min(oldest, bought.at);
		if (bought.differs) lastChange = Math.max(lastChange, bought.at);
	});
	return oldest < lastChange;
}

class Indexes {
	readonly size: number;

	constructor(private readonly ranges: readonly RowRange[]) {
		this.size = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
	}

	has(key: Key): boolean {
		return this.ranges.some(([from, to]) => Number(key) >= from && Number(key) < to);
	}

	*[Symbol.iterator](): Generator<number> {
		for (const [from, to] of this.ranges) for (let index = from; index < to; index++) yield index;
	}
}

function isEachBelow(
	end: number,
	ranges: readonly RowRange[],
	rows: ReadonlyMap<Key, unknown>,
): boolean {
	return ranges.every(([from, to]) => {
		for (let index = from; index < Math.min(to, end); index++) if (!rows.has(index)) return false;
		return true;
	});
}
