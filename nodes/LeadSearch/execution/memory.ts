/**
 * What was paid for, in the memory of n8n's process: snapshots of a search, or of a profile, by key. One goes where nothing
 * has used it for a day, where ten of its kind at its key were used since, where all together take too much, those that were
 * used longest ago first, and when n8n ends. How old one may be that is reused, `paidLists.ts` says.
 */

/** What a fact takes beside its text, in bytes: its name, and what Node needs for it. */
const BYTES_BESIDE = 200;
/** A snapshot is dropped that nothing has used for so long, in milliseconds: no Reuse Paid Results is longer. */
export const DAY_MS = 86_400_000;
/** So many that are shared at one key are enough for whoever wants younger results than others, and so many of single executions. */
const MOST_AT_KEY = 10;

/** It is never mixed with another one; where there was no room, facts are missing. */
export interface Snapshot {
	/** JSON by name: nothing outside can change it. */
	readonly facts: Map<string, string>;
	/** When the first and the last of it was paid for, in milliseconds since 1970. */
	readonly first: number;
	last: number;
	/** The execution that alone may use it; any, unless given. */
	onlyFor?: string | undefined;
}

interface Held {
	key: string;
	bytes: number;
	usedAt: number;
	/** Whether the last fact found no room. */
	isFull: boolean;
}

export class PaidMemory {
	/** The one that was used last comes last, here and at each key. */
	private readonly all = new Map<Snapshot, Held>();
	private readonly byKey = new Map<string, Set<Snapshot>>();
	private bytes = 0;
	private sweptAt = 0;

	/** @param maxBytes of all facts together */
	constructor(private readonly maxBytes: number) {}

	at(key: string): Snapshot[] {
		return [...(this.byKey.get(key) ?? [])];
	}

	has(snapshot: Snapshot): boolean {
		return this.all.has(snapshot);
	}

	/** Takes a snapshot in, or notes that it is used. */
	use(key: string, snapshot: Snapshot): void {
		let bytes = this.all.get(snapshot)?.bytes ?? 0;
		this.delete(snapshot);
		if (bytes === 0) for (const text of snapshot.facts.values()) bytes += bytesOf(text);
		this.all.set(snapshot, { key, bytes, usedAt: Date.now(), isFull: false });
		this.byKey.set(key, (this.byKey.get(key) ?? new Set()).add(snapshot));
		this.bytes += bytes;
		const isOwn = ({ onlyFor }: Snapshot) => onlyFor !== undefined;
		const alike = this.at(key).filter((one) => isOwn(one) === isOwn(snapshot));
		for (const oldest of alike.slice(0, -MOST_AT_KEY)) this.delete(oldest);
		this.makeRoom(snapshot);
	}

	/** Puts a fact in, in place of what has its name; where even alone the snapshot would take too much, the fact is not kept. */
	put(key: string, snapshot: Snapshot, name: string, text: string): void {
		if (!this.has(snapshot)) this.use(key, snapshot);
		const kept = this.all.get(snapshot);
		const before = snapshot.facts.get(name);
		const bytes = bytesOf(text) - (before === undefined ? 0 : bytesOf(before));
		if (!kept) return;
		kept.isFull = kept.bytes + bytes > this.maxBytes;
		if (kept.isFull) return;
		snapshot.facts.set(name, text);
		kept.bytes += bytes;
		this.bytes += bytes;
		this.makeRoom(snapshot);
	}

	/** Whether another fact is not worth its text: the last one found no room. */
	isFull(snapshot: Snapshot, name: string): boolean {
		return this.all.get(snapshot)?.isFull === true && !snapshot.facts.has(name);
	}

	private delete(snapshot: Snapshot): void {
		const { key = '', bytes = 0 } = this.all.get(snapshot) ?? {};
		this.bytes -= bytes;
		this.all.delete(snapshot);
		const others = this.byKey.get(key);
		others?.delete(snapshot);
		if (others?.size === 0) this.byKey.delete(key);
	}

	/** Drops what was used longest ago, down to nine tenths where there is no more room: one at a time would take long. */
	private makeRoom(used: Snapshot): void {
		const now = Date.now();
		const isFull = this.bytes > this.maxBytes;
		if (!isFull && Math.abs(now - this.sweptAt) < 60_000) return;
		this.sweptAt = now;
		const most = isFull ? this.maxBytes * 0.9 : this.maxBytes;
		for (const [snapshot, { usedAt }] of this.all) {
			if (this.bytes <= most && usedAt > now - DAY_MS) break;
			if (snapshot !== used) this.delete(snapshot);
		}
	}
}

function bytesOf(text: string): number {
	return Buffer.byteLength(text) + BYTES_BESIDE;
}
