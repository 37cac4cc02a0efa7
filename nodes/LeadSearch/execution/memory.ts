/**
 * What was paid for, in the memory of n8n's process: the facts of a search, or the rows of a profile, by key and by whose
 * they are. What nothing has used for a day goes, what ten others of the same were used since, and where all together take
 * too much, what was used longest ago. How old it may be to be reused, `paidLists.ts` says.
 */

/** It is dropped when nothing has used it for so long, in milliseconds: no Reuse Paid Results is longer. */
export const DAY_MS = 86_400_000;
/** So many of the same are enough for whoever wants younger results than others. */
const MOST_ALIKE = 10;

/** What comes out of the node are copies of it, so that nothing outside can change it. */
export interface Kept<Value> {
	value: Value;
	/** About so many it takes in memory. */
	bytes: number;
	/** When the first of it was paid for, in milliseconds since 1970: that is its age. */
	first: number;
	/** Executions that go on with it however old it is, since they have added to it, or have it from the one that they retry. */
	buyers?: Set<string>;
	/** The execution that alone may use it; any, unless given. */
	onlyFor?: string | undefined;
}

interface Use {
	place: string;
	usedAt: number;
	bytes: number;
}

export class PaidMemory {
	/** What was used last comes last, here and at each place: a key, and the execution that alone may use it. */
	private readonly uses = new Map<Kept<unknown>, Use>();
	private readonly byPlace = new Map<string, Set<Kept<unknown>>>();
	private bytes = 0;
	private sweptAt = 0;

	/** @param maxBytes of all together */
	constructor(readonly maxBytes: number) {}

	/** @param onlyFor the execution whose own are meant; those that all share, unless given */
	at<Value>(key: string, onlyFor?: string): Array<Kept<Value>> {
		return [...(this.byPlace.get(placeOf(key, onlyFor)) ?? [])] as Array<Kept<Value>>;
	}

	has(kept: Kept<unknown>): boolean {
		return this.uses.has(kept);
	}

	/** Takes it in, or notes that it is used, what it takes now, and whose it is. */
	use(key: string, kept: Kept<unknown>): void {
		this.delete(kept);
		const place = placeOf(key, kept.onlyFor);
		this.uses.set(kept, { place, usedAt: Date.now(), bytes: kept.bytes });
		const alike = (this.byPlace.get(place) ?? new Set()).add(kept);
		this.byPlace.set(place, alike);
		this.bytes += kept.bytes;
		for (const oldest of alike) if (alike.size > MOST_ALIKE) this.delete(oldest);
		this.makeRoom(kept);
	}

	private delete(kept: Kept<unknown>): void {
		const { place = '', bytes = 0 } = this.uses.get(kept) ?? {};
		this.uses.delete(kept);
		this.bytes -= bytes;
		const alike = this.byPlace.get(place);
		alike?.delete(kept);
		if (alike?.size === 0) this.byPlace.delete(place);
	}

	/** Drops what was used longest ago, down to nine tenths where there is no more room: one at a time would take long. */
	private makeRoom(used: Kept<unknown>): void {
		const now = Date.now();
		const isFull = this.bytes > this.maxBytes;
		if (!isFull && Math.abs(now - this.sweptAt) < 60_000) return;
		this.sweptAt = now;
		const most = isFull ? this.maxBytes * 0.9 : this.maxBytes;
		for (const [kept, { usedAt }] of this.uses) {
			if (this.bytes <= most && usedAt > now - DAY_MS) break;
			if (kept !== used) this.delete(kept);
		}
	}
}

function placeOf(key: string, onlyFor = ''): string {
	return `${key} ${onlyFor}`;
}
