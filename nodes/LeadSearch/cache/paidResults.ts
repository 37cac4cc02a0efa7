/**
 * Reuses paid rows. A run reuses the rows of each purchase that its account has made less than Reuse Paid Results before
 * its execution started, or since then. A Retry counts from the start of the execution that it retries.
 *
 * An index is a position in a list that moves, so the rows of a search should expire together. Therefore a run that buys
 * leads renews those that it reuses, once. A renewed lead serves only runs that need nothing from the service, and at most
 * until it is twice as old. All runs in this n8n process share the rows.
 */
import type { Json } from '../api/contract';
import type { SavedRows } from '../messages/stoppedRun';
import { LeadList, type PollPosition, type RowRange } from '../paging/leadList';
import { isSameRow, type PagedList } from '../paging/pagedList';
import { ProfileList } from '../paging/profileList';
import { digest } from '../parameters/canonical';
import { PROFILE_URLS } from '../resources/linkedInProfile/linkedInUrl';
import type { Lists } from '../resources/operation';
import type { ExecutionScope } from '../spending/scope';
import { PaidRows, type Key, type PaidList, type PaidRow, type Purchase } from './paidRows';
import { MAX_RETRY_BYTES, saveRetryData, takeRetryData, type SavedRow } from './retryData';

const cache = new PaidRows(64_000_000);

const MINUTE_MS = 60_000;

/** Creates the lists of free operations. These lists start empty, because free results aren't cached. */
export const FREE_LISTS: Lists = {
	leads: () => new LeadList(false),
	profiles: () => new ProfileList(PROFILE_URLS),
};

/** The properties of a run that decide which rows it reuses. */
export interface PaidRun {
	/** The address of the service, for example `https://leads.example.com`. */
	baseUrl: string;
	/** The values that identify the account among all accounts at this address. */
	account: readonly unknown[];
	/** The value of Reuse Paid Results, in minutes. */
	reuseMinutes: number;
	scope: Pick<ExecutionScope, 'startedAt' | 'offersRetry' | 'nodeData'>;
	/** Called if this run is a Retry, and the data that the failed execution saved for it has an unknown format. */
	onUnreadable?: () => void;
}

/** A list of the run. `wanted` is the keys that the run requests. */
interface TrackedList {
	/** The key of the list in the cache, and those of other lists whose rows serve this run, too. */
	keys: readonly [string, ...string[]];
	list: PagedList<Key>;
	wanted: { readonly size: number; has(key: Key): boolean } & Iterable<Key>;
	ranges?: readonly RowRange[];
	/** Whether the run takes the end of the list from the cache. A poll checks the end itself. */
	takesEnd?: boolean;
	/** Returns the rows of a profile that the run wants. */
	isWanted?: (row: Json) => boolean;
	/** The cached rows that the run reuses or has paid for, by their keys. */
	used: Map<Key, SavedRow>;
	/** The rows that the run renews if it buys others. */
	renewable: PaidRow[];
}

export class PaidResults implements Lists {
	/** Two runs that have one of these keys in common must run one after another, so that the second one reuses rows. */
	readonly lockKeys = new Set<string>();
	private readonly tracked: TrackedList[] = [];
	private readonly purchase: Purchase = { at: -Infinity };

	constructor(private readonly run: PaidRun) {}

	/**
	 * @param hasRaw whether the rows are requested with the field `raw`. Such rows serve requests without it, too
	 * @param from the cursor at which a poll continues; undefined for a search
	 */
	leads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[], from?: PollPosition): LeadList {
		const list = from ? LeadList.from(from) : new LeadList();
		list.hasRaw = hasRaw;
		const [raw, key] = [this.keyOf([id, 'raw']), this.keyOf(id)];
		this.lockKeys.add(key);
		const wanted = new Indexes(ranges);
		this.track({ keys: hasRaw ? [raw] : [key, raw], list, wanted, ranges, takesEnd: !from });
		return list;
	}

	profiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList {
		const list = new ProfileList(PROFILE_URLS);
		const key = this.keyOf(id);
		for (const url of urls) this.lockKeys.add(`${key} ${url}`);
		const isWanted = (row: Json) => !withEmail || row.has_email !== false;
		this.track({ keys: [key], list, wanted: urls as ReadonlySet<Key>, isWanted });
		return list;
	}

	/** When the oldest of the used rows was paid for, in milliseconds since 1970; undefined if there is none. */
	get oldestPurchase(): number | undefined {
		let oldest: number | undefined;
		for (const [, , { bought }] of this.usedRows())
			oldest = Math.min(oldest ?? Infinity, bought.at);
		return oldest;
	}

	/** The facts for the message of a stopped run: whether all of its rows are saved, and for how long. */
	get savedRows(): SavedRows {
		const { scope, reuseMinutes } = this.run;
		let [bytes, isWhole] = [0, true];
		for (const [listKey, key, row] of this.usedRows()) {
			bytes += row.bytes;
			// Other runs may have evicted rows that this run reuses.
			isWhole &&= key === null || cache.list(listKey).rows.has(key);
		}
		const hasRetry = scope.offersRetry;
		const age = Date.now() - (this.oldestPurchase ?? Date.now());
		return {
			isWhole: isWhole && !(hasRetry && bytes > MAX_RETRY_BYTES),
			minutes: Math.max(0, Math.floor(reuseMinutes - age / MINUTE_MS)),
			hasRetry,
		};
	}

	/** Adds cached rows to the lists of the run. Call this once, when the run has its locks and has sent nothing. */
	restore(): void {
		const saved = takeRetryData(this.run.scope.nodeData);
		if (saved === 'unreadable') this.run.onUnreadable?.();
		const savedRows = saved === 'unreadable' ? [] : saved;
		for (const [listKey, key, row] of savedRows) {
			if (key === null) continue;
			const list = cache.list(listKey);
			const cached = list.rows.get(key);
			if (!cached || cached.bought.at < row.bought.at) cache.put(list, key, row);
		}
		for (const tracked of this.tracked) this.restoreList(tracked);
		for (const [listKey, key, { rows }] of savedRows)
			for (const { keys, list } of this.tracked)
				if (key === null && keys[0] === listKey && list instanceof LeadList)
					list.restoreUnmatched(rows);
	}

	/** Saves the rows that the run has paid for so far. It can be called several times during a run. */
	save(): void {
		for (const { list } of this.tracked)
			this.purchase.at = Math.max(this.purchase.at, list.lastChargedAt);
		for (const tracked of this.tracked) {
			const { keys, list, used } = tracked;
			const cached = cache.list(keys[0]);
			const bytes = bytesPerRow(list);
			for (const key of list.takeReceived()) {
				const row = { rows: list.rowsOf(key), bought: this.purchase, bytes };
				const before = cached.rows.get(key);
				if (before && list instanceof LeadList && !isSameLead(before, row))
					cached.change = { before: before.bought, by: this.purchase };
				cache.put(cached, key, row);
				used.set(key, [keys[0], key, row]);
			}
			if (list.cost.charged > 0)
				for (const row of tracked.renewable.splice(0)) row.renewed = this.purchase;
			if (list instanceof LeadList) this.saveFacts(list, cached, used);
		}
	}

	/** Saves the rows of a failed run in the data of the execution, for its Retry. */
	saveForRetry(): void {
		saveRetryData(this.run.scope.nodeData, this.rowsForRetry());
	}

	private track(list: Omit<TrackedList, 'used' | 'renewable'>): void {
		this.tracked.push({ ...list, used: new Map(), renewable: [] });
	}

	private restoreList({ keys, list, wanted, used, renewable, ...tracked }: TrackedList): void {
		const { ranges = [], isWanted = () => true } = tracked;
		const usable = new Map<Key, SavedRow>();
		let end: PaidList['end'];
		for (const listKey of keys) {
			const cached = cache.list(listKey);
			for (const key of wanted.size < cached.rows.size ? wanted : cached.rows.keys()) {
				const row = wanted.has(key) ? cached.rows.get(key) : undefined;
				const [, , other] = usable.get(key) ?? [];
				if (row && this.isUsable(row) && !(other && other.bought.at >= row.bought.at))
					usable.set(key, [listKey, key, row]);
			}
			if (tracked.takesEnd && cached.end && this.isSince(cached.end.found))
				if (!end || end.found.at < cached.end.found.at) ({ end } = cached);
		}
		const needsOthers = !isEachBelow(end?.end.at ?? Infinity, ranges, usable);
		for (const [key, saved] of usable) {
			const [, , row] = saved;
			if (needsOthers && !this.isSince(row.bought)) continue;
			used.set(key, saved);
			list.restore(key, row.rows.filter(isWanted));
			const age = Date.now() - row.bought.at;
			if (ranges.length > 0 && !row.renewed && age < this.run.reuseMinutes * MINUTE_MS)
				renewable.push(row);
		}
		if (list instanceof LeadList && end && !needsOthers) list.restoreEnd(end.end);
	}

	/** Saves the end of a search, and tells the list whether the used rows are of two states of the list. */
	private saveFacts(list: LeadList, cached: PaidList, used: TrackedList['used']): void {
		const { end, hasResponse, lastReceivedRow, cost } = list;
		if (hasResponse && end?.isConfirmed)
			cached.end = { end, found: cost.charged > 0 ? this.purchase : { at: Date.now() } };
		else if (cached.end && lastReceivedRow >= cached.end.end.at) delete cached.end;
		const { change } = cached;
		if (!change) return;
		let [oldest, newest] = [Infinity, -Infinity];
		for (const [, , { bought }] of used.values()) {
			oldest = Math.min(oldest, bought.at);
			newest = Math.max(newest, bought.at);
		}
		// The oldest purchase was compared with what wasn't too old then, so the list has changed since.
		const wasKnown = change.before.at > oldest - this.run.reuseMinutes * MINUTE_MS;
		if (oldest < change.by.at && newest >= change.by.at && wasKnown) list.noteChange();
	}

	private *usedRows(): Generator<SavedRow> {
		for (const { used } of this.tracked) yield* used.values();
	}

	private *rowsForRetry(): Generator<SavedRow> {
		yield* this.usedRows();
		for (const { keys, list } of this.tracked)
			if (list instanceof LeadList)
				for (const row of list.unmatchedRows)
					yield [keys[0], null, { rows: [row], bought: this.purchase, bytes: bytesPerRow(list) }];
	}

	/** Whether a run that needs nothing else may reuse a row. Other runs reuse only rows whose `bought` {@link isSince}. */
	private isUsable({ bought, renewed }: PaidRow): boolean {
		if (this.isSince(bought)) return true;
		return renewed !== undefined && this.isSince(renewed) && this.isSince(bought, 2);
	}

	/** Whether a purchase was made less than Reuse Paid Results (or a multiple) before the execution started, or since. */
	private isSince({ at }: Purchase, factor = 1): boolean {
		const { scope, reuseMinutes } = this.run;
		return at >= scope.startedAt || at > scope.startedAt - factor * reuseMinutes * MINUTE_MS;
	}

	private keyOf(id: unknown): string {
		const { baseUrl, account } = this.run;
		return digest([baseUrl, account, id]);
	}
}

const bytesPerRow = ({ bytes, cost }: PagedList<Key>): number => bytes / Math.max(1, cost.charged);

function isSameLead({ rows: [a = {}] }: PaidRow, { rows: [b = {}] }: PaidRow): boolean {
	return isSameRow(a, b);
}

/** The indexes in ranges, as a set. */
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

/** Whether each index that is in `ranges` and below `end` is a key of `rows`. */
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
