/**
 * The cache of paid results in the memory of n8n's process: snapshots by key. It evicts snapshots that nothing has used
 * for a day, and the least recently used ones if all together take too much memory. `snapshot.ts` decides how old a
 * snapshot may be.
 */
import type { Snapshot } from './snapshot';

/** One day in milliseconds: the highest value of Reuse Paid Results. */
export const DAY_MS = 86_400_000;
/** The limit of snapshots per key. There are several if runs accept results of different ages. */
const MAX_PER_BUCKET = 10;
/** The limit of remembered first uses. There is one for each execution and each snapshot that it has used. */
const MAX_USES = 500_000;

interface Entry {
	bucket: string;
	usedAt: number;
	bytes: number;
}

type Entries = Map<Snapshot<unknown>, Entry>;

/** The snapshots that an execution has used, with their age at the first use, in milliseconds. */
interface Uses {
	ages: WeakMap<Snapshot<unknown>, number>;
	count: number;
}

export class PaidResultsCache {
	/**
	 * The snapshots that all runs may use, the least recently used first, here and in each bucket. If the cache is
	 * full, the snapshots in `exclusive` are evicted before these.
	 */
	private readonly shared: Entries = new Map();
	private readonly exclusive: Entries = new Map();
	private readonly buckets = new Map<string, Set<Snapshot<unknown>>>();
	/**
	 * The snapshots that each execution has used, by the execution's ID. The execution with the most recent use is
	 * the last entry.
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
	 * Returns the snapshots for a key.
	 *
	 * @param exclusiveTo the ID of the only execution that may use the snapshots; undefined for snapshots that all
	 * runs may use
	 */
	get<Value>(key: string, exclusiveTo?: string): Array<Snapshot<Value>> {
		return [...(this.buckets.get(bucketOf(key, exclusiveTo)) ?? [])] as Array<Snapshot<Value>>;
	}

	has(snapshot: Snapshot<unknown>): boolean {
		return this.shared.has(snapshot) || this.exclusive.has(snapshot);
	}

	/** Adds a snapshot. If the cache has it already, the time of its last use and its size are updated. */
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
	 * Notes that an execution uses a snapshot.
	 *
	 * @param age the snapshot's age in milliseconds. Only the age at the first use is noted
	 */
	noteUse(executionId: string, snapshot: Snapshot<unknown>, age: number): void {
		const uses = this.uses.get(executionId) ?? { ages: new WeakMap(), count: 0 };
		if (!uses.ages.has(snapshot)) {
			uses.ages.set(snapshot, age);
			uses.count += 1;
			this.useCount += 1;
		}
		this.uses.delete(executionId);
		this.uses.set(executionId, uses);
		for (const [oldest, { count }] of this.uses) {
			if (this.useCount <= MAX_USES || oldest === executionId) break;
			this.uses.delete(oldest);
			this.useCount -= count;
		}
	}

	/** The age of a snapshot when an execution first used it, in milliseconds; undefined if it never did. */
	ageAtFirstUse(executionId: string, snapshot: Snapshot<unknown>): number | undefined {
		return this.uses.get(executionId)?.ages.get(snapshot);
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

	/** Evicts snapshots that nothing has used for a day. A full cache is reduced to nine tenths, because evicting one snapshot per call would be slow. */
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
