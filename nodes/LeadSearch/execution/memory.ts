/**
 * What was paid for, in the memory of n8n's process: snapshots of a search, or of a profile, by key and by whose they are.
 * One goes where nothing has used it for a day, where ten others of the same were used since, where all together take too
 * much, those that were used longest ago first, and when n8n ends. How old a reused snapshot may be, `paidLists.ts` says.
 */
import type { FactName } from '../paging/ledger';

/** What a fact takes beside its JSON: its name, and what Node needs for it. */
const BYTES_BESIDE = 200;
/** A snapshot is dropped that nothing has used for so long, in milliseconds: no Reuse Paid Results is longer. */
export const DAY_MS = 86_400_000;
/** So many of the same are enough for whoever wants younger results than others. */
const MOST_ALIKE = 10;

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
	place: string;
	usedAt: number;
}

export class PaidMemory {
	/** The snapshot that was used last comes last, here and at each place: a key, and the execution that alone may use it. */
	private readonly uses = new Map<Snapshot, SnapshotUse>();
	private readonly byPlace = new Map<string, Set<Snapshot>>();
	private bytes = 0;
	private sweptAt = 0;

	/** @param maxBytes of all facts together */
	constructor(private readonly maxBytes: number) {}

	/** @param onlyFor the execution whose own are meant; those that all share, unless given */
	at(key: string, onlyFor?: string): Snapshot[] {
		return [...(this.byPlace.get(placeOf(key, onlyFor)) ?? [])];
	}

	has(snapshot: Snapshot): boolean {
		return this.uses.has(snapshot);
	}

	/** Takes a snapshot in, or notes that it is used, and whose it is. */
	use(key: string, snapshot: Snapshot): void {
		this.delete(snapshot);
		const place = placeOf(key, snapshot.onlyFor);
		this.uses.set(snapshot, { place, usedAt: Date.now() });
		const alike = (this.byPlace.get(place) ?? new Set()).add(snapshot);
		this.byPlace.set(place, alike);
		this.bytes += snapshot.bytes;
		for (const oldest of alike) if (alike.size > MOST_ALIKE) this.delete(oldest);
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
		const { place = '' } = this.uses.get(snapshot) ?? {};
		if (this.uses.delete(snapshot)) this.bytes -= snapshot.bytes;
		const alike = this.byPlace.get(place);
		alike?.delete(snapshot);
		if (alike?.size === 0) this.byPlace.delete(place);
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

function placeOf(key: string, onlyFor = ''): string {
	return `${key} ${onlyFor}`;
}
