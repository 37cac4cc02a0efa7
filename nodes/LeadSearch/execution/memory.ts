/**
 * What was paid for, in the memory of n8n's process: snapshots of a search, or of a profile, by key. One goes where nothing
 * has used it for a day, where ten of its kind at its key were used since, where all together take too much, those that were
 * used longest ago first, and when n8n ends. How old a reused snapshot may be, `paidLists.ts` says.
 */
import type { FactName } from '../paging/ledger';

/** What a fact takes beside its JSON: its name, and what Node needs for it. */
const BYTES_BESIDE = 200;
/** A snapshot is dropped that nothing has used for so long, in milliseconds: no Reuse Paid Results is longer. */
export const DAY_MS = 86_400_000;
/** So many that are shared at a key are enough for whoever wants younger results than others, and so many of single executions. */
const MOST_AT_KEY = 10;

/** It is never mixed with another snapshot; where there was no room, facts are missing. */
export interface Snapshot {
	/** By name, as they came: what comes out of the node are copies, so that nothing outside can change them. */
	readonly facts: Map<FactName, unknown>;
	/** About so many they take in memory. */
	bytes: number;
	/** When the first and the last of it was paid for, in milliseconds since 1970. */
	readonly first: number;
	last: number;
	/** The execution that alone may use it; any, unless given. */
	onlyFor?: string | undefined;
}

interface SnapshotUse {
	key: string;
	usedAt: number;
}

export class PaidMemory {
	/** The snapshot that was used last comes last, here and at each key. */
	private readonly uses = new Map<Snapshot, SnapshotUse>();
	private readonly byKey = new Map<string, Set<Snapshot>>();
	private bytes = 0;
	private sweptAt = 0;

	/** @param maxBytes of all facts together */
	constructor(private readonly maxBytes: number) {}

	at(key: string): Snapshot[] {
		return [...(this.byKey.get(key) ?? [])];
	}

	has(snapshot: Snapshot): boolean {
		return this.uses.has(snapshot);
	}

	/** Takes a snapshot in, or notes that it is used. */
	use(key: string, snapshot: Snapshot): void {
		this.delete(snapshot);
		this.uses.set(snapshot, { key, usedAt: Date.now() });
		const atKey = (this.byKey.get(key) ?? new Set()).add(snapshot);
		this.byKey.set(key, atKey);
		this.bytes += snapshot.bytes;
		const isOwn = ({ onlyFor }: Snapshot) => onlyFor !== undefined;
		const isAlike = (entry: Snapshot) => isOwn(entry) === isOwn(snapshot);
		if (atKey.size > MOST_AT_KEY)
			for (const oldest of [...atKey].filter(isAlike).slice(0, -MOST_AT_KEY)) this.delete(oldest);
		this.makeRoom(snapshot);
	}

	/**
	 * Puts a fact in, in place of what has its name; where even alone the snapshot would take too much, the fact is not kept.
	 *
	 * @param json how many bytes its JSON has
	 */
	put(
		key: string,
		snapshot: Snapshot,
		[name, fact]: readonly [FactName, unknown],
		json: number,
	): void {
		if (!this.has(snapshot)) this.use(key, snapshot);
		const bytes = snapshot.facts.has(name) ? 0 : json + BYTES_BESIDE;
		if (snapshot.bytes + bytes > this.maxBytes) return;
		snapshot.facts.set(name, fact);
		snapshot.bytes += bytes;
		this.bytes += bytes;
		if (this.bytes > this.maxBytes) this.makeRoom(snapshot);
	}

	private delete(snapshot: Snapshot): void {
		const { key = '' } = this.uses.get(snapshot) ?? {};
		if (this.uses.delete(snapshot)) this.bytes -= snapshot.bytes;
		const atKey = this.byKey.get(key);
		atKey?.delete(snapshot);
		if (atKey?.size === 0) this.byKey.delete(key);
	}

	/** Drops what was used longest ago, down to nine tenths where there is no more room: one at a time would take long. */
	private makeRoom(used: Snapshot): void {
		const now = Date.now();
		const isFull = this.bytes > this.maxBytes;
		if (!isFull && Math.abs(now - this.sweptAt) < 60_000) return;
		this.sweptAt = now;
		const most = isFull ? this.maxBytes * 0.9 : this.maxBytes;
		for (const [snapshot, { usedAt }] of this.uses) {
			if (this.bytes <= most && usedAt > now - DAY_MS) break;
			if (snapshot !== used) this.delete(snapshot);
		}
	}
}
