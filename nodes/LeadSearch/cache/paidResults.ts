/**
 * Reuses paid rows. There is one rule: a run reuses the rows that its account has paid for less than Reuse Paid Results
 * before its execution started, or since then. A Retry counts from the start of the execution that it retries. All runs
 * in this n8n process share the rows.
 */
import type { Json } from '../api/contract';
import type { SavedRows } from '../messages/stoppedRun';
import { LeadList, type PollPosition, type RowRange } from '../paging/leadList';
import type { PagedList } from '../paging/pagedList';
import { ProfileList } from '../paging/profileList';
import { digest } from '../parameters/canonical';
import { PROFILE_URLS } from '../resources/linkedInProfile/linkedInUrl';
import type { Lists } from '../resources/operation';
import type { ExecutionScope } from '../spending/scope';
import { PaidRows, type Key, type PaidList, type PaidRow } from './paidRows';
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
	key: string;
	list: PagedList;
	wanted: { readonly size: number; has(key: Key): boolean } & Iterable<Key>;
	restore: (cached: PaidList, usable: Map<Key, PaidRow>) => void;
}

export class PaidResults implements Lists {
	/** Two runs that have one of these keys in common must run one after another, so that the second one reuses rows. */
	readonly lockKeys = new Set<string>();
	private readonly tracked: TrackedList[] = [];
	/** The cached rows that the run reuses or has paid for. */
	private readonly used = new Map<PaidRow, SavedRow>();
	private isWhole = true;

	constructor(private readonly run: PaidRun) {}

	/** @param from the cursor at which a poll continues; undefined for a search */
	leads(id: unknown, ranges: readonly RowRange[], from?: PollPosition): LeadList {
		const list = from ? LeadList.from(from) : new LeadList();
		const key = this.keyOf(id);
		this.lockKeys.add(key);
		const restore = ({ end }: PaidList, usable: Map<Key, PaidRow>) => {
			for (const [index, { rows }] of usable) list.restore(Number(index), rows);
			// A poll checks the end itself.
			const isUsable = !from && end !== undefined && this.isUsable(end.checkedAt);
			if (isUsable && isEachBelow(end.at, ranges, usable)) list.restoreEnd(end.at);
		};
		this.tracked.push({ key, list, wanted: new Indexes(ranges), restore });
		return list;
	}

	profiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList {
		const list = new ProfileList(PROFILE_URLS);
		const key = this.keyOf(id);
		for (const url of urls) this.lockKeys.add(`${key} ${url}`);
		const isWanted = (row: Json) => !withEmail || row.has_email !== false;
		const restore = (_: PaidList, usable: Map<Key, PaidRow>) => {
			for (const [url, { rows }] of usable) list.restore(String(url), rows.filter(isWanted));
		};
		this.tracked.push({ key, list, wanted: urls as ReadonlySet<Key>, restore });
		return list;
	}

	/** When the oldest of the used rows was paid for, in milliseconds since 1970; undefined if there is none. */
	get oldestPurchase(): number | undefined {
		let oldest: number | undefined;
		for (const { paidAt } of this.used.keys()) oldest = Math.min(oldest ?? paidAt, paidAt);
		return oldest;
	}

	/** The facts for the message of a stopped run: whether all of its rows are saved, and for how long. */
	get savedRows(): SavedRows {
		const { scope, reuseMinutes } = this.run;
		let bytes = 0;
		for (const row of this.used.keys()) bytes += row.bytes;
		const hasRetry = scope.offersRetry;
		const age = Date.now() - (this.oldestPurchase ?? Date.now());
		return {
			isWhole: this.isWhole && !(hasRetry && bytes > MAX_RETRY_BYTES),
			minutes: Math.max(0, Math.floor(reuseMinutes - age / MINUTE_MS)),
			hasRetry,
		};
	}

	/** Adds cached rows to the lists of the run. Call this once, when the run has its locks and has sent nothing. */
	restore(): void {
		const saved = takeRetryData(this.run.scope.nodeData);
		if (saved === 'unreadable') this.run.onUnreadable?.();
		else
			for (const [listKey, key, row] of saved) {
				const list = cache.list(listKey);
				if (!list.rows.has(key)) cache.put(list, key, row);
			}
		for (const { key: listKey, wanted, restore } of this.tracked) {
			const cached = cache.list(listKey);
			const usable = new Map<Key, PaidRow>();
			for (const key of wanted.size < cached.rows.size ? wanted : cached.rows.keys()) {
				const row = wanted.has(key) ? cached.rows.get(key) : undefined;
				if (!row || !this.isUsable(row.paidAt)) continue;
				usable.set(key, row);
				this.used.set(row, [listKey, key, row]);
			}
			restore(cached, usable);
		}
	}

	/** Saves the rows that the run has paid for so far. It can be called several times during a run. */
	save(): void {
		for (const { key: listKey, list } of this.tracked) {
			if (!list.hasResponse) continue;
			const cached = cache.list(listKey);
			const bytes = list.bytes / Math.max(1, list.cost.charged);
			for (const [key, { rows, at }] of list.takeReceived()) {
				const row = { rows, paidAt: at, bytes };
				cache.put(cached, key as Key, row);
				this.used.set(row, [listKey, key as Key, row]);
				this.isWhole &&= cached.rows.has(key as Key);
			}
			if (!(list instanceof LeadList)) continue;
			const { end } = list;
			if (end?.isConfirmed && !end.refusal) cached.end = { at: end.at, checkedAt: Date.now() };
			else delete cached.end;
		}
	}

	/** Saves the rows of a failed run in the data of the execution, for its Retry. */
	saveForRetry(): void {
		saveRetryData(this.run.scope.nodeData, this.used.values());
	}

	private isUsable(paidAt: number): boolean {
		const { scope, reuseMinutes } = this.run;
		return paidAt >= scope.startedAt || paidAt > scope.startedAt - reuseMinutes * MINUTE_MS;
	}

	private keyOf(id: unknown): string {
		const { baseUrl, account } = this.run;
		return digest([baseUrl, account, id]);
	}
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
function isEachBelow(end: number, ranges: readonly RowRange[], rows: Map<Key, unknown>): boolean {
	return ranges.every(([from, to]) => {
		for (let index = from; index < Math.min(to, end); index++) if (!rows.has(index)) return false;
		return true;
	});
}
