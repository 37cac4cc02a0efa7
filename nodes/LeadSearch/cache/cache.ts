/**
 * The cache of paid results in the memory of n8n's process: snapshots by key. It evicts snapshots that nothing has used
 * for a day, and the least recently used ones if all together take too much memory. `snapshot.ts` decides how old a
 * snapshot may be.
 */
import type { Snapshot } from './snapshot';

/**
 * One day in milliseconds. It is the highest value of the option Reuse Paid Results, and the time after which an
 * unused snapshot is evicted.
 */
export const DAY_MS = 86_400_000;
/**
 * The limit of snapshots in one bucket, which contains the snapshots with the same key and the same `exclusiveTo`.
 * There are several if runs of one search accept results of different ages. If a run accepts 5 minutes (Reuse Paid
 * Results), it buys a new snapshot, and the older one stays for runs that accept 60 minutes.
 */
const MAX_PER_BUCKET = 10;
/**
 * How many entries the record of first uses may have. An entry says at what age an execution first used a snapshot, so
 * an execution that uses three snapshots has three entries. If there are too many, the entries of the executions that
 * have used nothing for the longest time are removed.
 */
const MAX_USES = 500_000;

interface Entry {
	bucket: string;
	usedAt: number;
	bytes: number;
}

type Entries = Map<Snapshot<unknown>, Entry>;

/**
 * The snapshots that an execution has used: their `ages` in milliseconds when the execution first used them, and the
 * `count` of these ages, because a WeakMap has no size.
 */
interface Uses {
	ages: WeakMap<Snapshot<unknown>, number>;
	count: number;
}

export class PaidResultsCache {
	/**
	 * The snapshots that all runs may use, with the least recently used first. The snapshots in `exclusive` may be
	 * used only by one execution, or only by it and its Retries. If the cache is full, `exclusive` is evicted before
	 * `shared`.
	 */
	private readonly shared: Entries = new Map();
	private readonly exclusive: Entries = new Map();
	private readonly buckets = new Map<string, Set<Snapshot<unknown>>>();
	/**
	 * The first uses of each execution, by the ID that was passed to `noteUse`. The execution with the most recent
	 * use is the last entry.
	 */
	private readonly uses = new Map<string, Uses>();
	private useCount = 0;
	private bytes = 0;
	private sweptAt = 0;

	/**
	 * Creates an empty cache.
	 *
	 * @param maxBytes the limit of the memory of all snapshots together
	 */
	constructor(readonly maxBytes: number) {}

	/**
	 * Returns the snapshots with a cache key. A key identifies one search, or one profile of a lookup, with its
	 * account and the service's address.
	 *
	 * @param exclusiveTo the ID of the only execution that may use the snapshots; undefined for snapshots that all
	 * runs may use
	 * @returns the least recently used snapshot first; an empty array if there is none
	 */
	get<Value>(key: string, exclusiveTo?: string): Array<Snapshot<Value>> {
		return [...(this.buckets.get(bucketOf(key, exclusiveTo)) ?? [])] as Array<Snapshot<Value>>;
	}

	has(snapshot: Snapshot<unknown>): boolean {
		return this.shared.has(snapshot) || this.exclusive.has(snapshot);
	}

	/**
	 * Adds a snapshot. If the cache already has the snapshot, only its size and the time of its last use are updated.
	 * If the cache is then full, other snapshots are evicted.
	 */
	put(key: string, snapshot: Snapshot<unknown>): void {
		this.delete(snapshot);
		const { bytes, exclusiveTo } = snapshot;
		const bucket = bucketOf(key, exclusiveTo);
		const entries = exclusiveTo === undefined ? this.shared : this.exclusive;
		entries.set(snapshot, { bucket, usedAt: Date.now(), bytes });
		const siblings = (this.buckets.get(bucket) ?? new Set()).add(snapshot);
		this.buckets.set(bucket, siblings);
		this.bytes += bytes;
		for (const oldest of siblings) if (siblings.size > MAX_PER_BUCKET) this.delete(oldest);
		this.evict(snapshot);
	}

	/**
	 * Notes that an execution uses a snapshot. The age at the first use decides how long the execution and its
	 * Retries may reuse the snapshot, so later uses don't change that age.
	 *
	 * @param usageKey the ID of the execution, or of the original execution for a Retry. A poll passes an ID of
	 * its own
	 * @param age the snapshot's age in milliseconds at this use
	 */
	noteUse(usageKey: string, snapshot: Snapshot<unknown>, age: number): void {
		const uses = this.uses.get(usageKey) ?? { ages: new WeakMap(), count: 0 };
		if (!uses.ages.has(snapshot)) {
			uses.ages.set(snapshot, age);
			uses.count += 1;
			this.useCount += 1;
		}
		this.uses.delete(usageKey);
		this.uses.set(usageKey, uses);
		for (const [oldest, { count }] of this.uses) {
			if (this.useCount <= MAX_USES || oldest === usageKey) break;
			this.uses.delete(oldest);
			this.useCount -= count;
		}
	}

	/**
	 * Returns the age in milliseconds that a snapshot had when an execution first used it; undefined if the execution
	 * has never used the snapshot.
	 */
	ageAtFirstUse(usageKey: string, snapshot: Snapshot<unknown>): number | undefined {
		return this.uses.get(usageKey)?.ages.get(snapshot);
	}

	private delete(snapshot: Snapshot<unknown>): void {
		const entry = this.shared.get(snapshot) ?? this.exclusive.get(snapshot);
		if (!entry) return;
		this.shared.delete(snapshot);
		this.exclusive.delete(snapshot);
		this.bytes -= entry.bytes;
		const siblings = this.buckets.get(entry.bucket);
		siblings?.delete(snapshot);
		if (siblings?.size === 0) this.buckets.delete(entry.bucket);
	}

	/**
	 * Evicts the snapshots that no run has used for a day. While the cache isn't full, this is done at most once a
	 * minute. If the cache is full, the least recently used snapshots are evicted, too, until nine tenths of the
	 * limit are left. Evicting only one snapshot per call would be slow.
	 *
	 * @param inUse the snapshot that was just added, which this call never evicts
	 */
	private evict(inUse: Snapshot<unknown>): void {
		const now = Date.now();
		const isFull = this.bytes > this.maxBytes;
		if (!isFull && Math.abs(now - this.sweptAt) < 60_000) return;
		this.sweptAt = now;
		const targetBytes = isFull ? this.maxBytes * 0.9 : this.maxBytes;
		for (const entries of [this.exclusive, this.shared])
			for (const [snapshot, { usedAt }] of entries) {
				if (this.bytes <= targetBytes && usedAt > now - DAY_MS) break;
				if (snapshot !== inUse) this.delete(snapshot);
			}
	}
}

function bucketOf(key: string, exclusiveTo = ''): string {
	return `${key} ${exclusiveTo}`;
}
