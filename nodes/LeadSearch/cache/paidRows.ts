/**
 * The paid rows in the memory of n8n's process. A list is a search, or all lookups with the same options. A row is found
 * by its list and its key: the index of a lead, or the URL of a profile. If there are too many rows, the least recently
 * used lists lose their oldest rows.
 */
import type { Json } from '../api/contract';
import type { ListEnd } from '../paging/leadList';

/** What one run has bought. `at` is when it last bought something, so all its rows have the same age. */
export interface Purchase {
	at: number;
}

/** The rows of one key: one lead, or the rows of one profile. */
export interface PaidRow {
	rows: readonly Json[];
	bought: Purchase;
	/** The purchase of the first run that reused the row and bought others, so that the rows expire together. */
	renewed?: Purchase;
	/** The estimated memory that the rows take. */
	bytes: number;
}

export type Key = number | string;

export interface PaidList {
	rows: Map<Key, PaidRow>;
	end?: { end: ListEnd; found: Purchase };
	/** The last purchase `by` that has another lead at an index than the purchase `before`. */
	change?: { before: Purchase; by: Purchase };
	usedAt: number;
}

const DAY_MS = 86_400_000;

export class PaidRows {
	/** The least recently used list first. */
	private readonly lists = new Map<string, PaidList>();
	private bytes = 0;

	constructor(private readonly maxBytes: number) {}

	/** Returns a list, which then counts as used. */
	list(listKey: string): PaidList {
		const list = this.lists.get(listKey) ?? { rows: new Map<Key, PaidRow>(), usedAt: 0 };
		list.usedAt = Date.now();
		this.lists.delete(listKey);
		this.lists.set(listKey, list);
		for (const [key, other] of this.lists) {
			if (Math.abs(list.usedAt - other.usedAt) < DAY_MS) break;
			for (const row of other.rows.keys()) this.delete(other, row);
			this.lists.delete(key);
		}
		return list;
	}

	/** Adds a row to a list, unless even this list alone would take too much memory. Its last rows are then left out. */
	put(list: PaidList, key: Key, row: PaidRow): void {
		this.delete(list, key);
		if (this.bytes + row.bytes > this.maxBytes) this.evict(list, this.maxBytes - row.bytes);
		if (this.bytes + row.bytes > this.maxBytes) return;
		list.rows.set(key, row);
		this.bytes += row.bytes;
	}

	private evict(inUse: PaidList, maxBytes: number): void {
		for (const [key, list] of this.lists) {
			if (list === inUse) continue;
			for (const oldest of list.rows.keys()) {
				if (this.bytes <= maxBytes) return;
				this.delete(list, oldest);
			}
			this.lists.delete(key);
		}
	}

	private delete(list: PaidList, key: Key): void {
		this.bytes -= list.rows.get(key)?.bytes ?? 0;
		list.rows.delete(key);
	}
}
