/** The paid rows in the memory of n8n's process. A list is a search, or all lookups with the same options. */
import type { Json } from '../api/contract';
import type { ListEnd } from '../paging/leadList';

/** The leads of a search, or the profiles, that one run has bought. All of them count as bought at `at`. */
export interface Purchase {
	/** When the run last bought something, in milliseconds since 1970. */
	at: number;
	/** Whether a lead isn't the one that was bought at its index before, because the list has changed. */
	differs?: boolean;
}

/** The cached rows of one key: a lead, or the rows of a profile. */
export interface PaidRow {
	rows: readonly Json[];
	bought: Purchase;
	/** The purchase that renewed the row, and the row's age at that time in milliseconds. */
	renewed?: { by: Purchase; age: number };
	bytes: number;
	/** Only the key {@link END_KEY} has it. `bought.at` is then the time at which the end was found. */
	end?: ListEnd;
}

/**
 * The index of a lead, the URL of a profile, or the key of a row without an index. {@link END_KEY} is the end of a list.
 */
export type Key = number | string;
export const END_KEY = 'end';

const DAY_MS = 86_400_000;
const NO_ROWS: ReadonlyMap<Key, PaidRow> = new Map();

export class PaidRows {
	private readonly lists = new Map<string, Map<Key, PaidRow>>();
	/** The last use of each row. The least recently used row comes first. */
	private readonly uses = new Map<PaidRow, { listKey: string; key: Key; usedAt: number }>();
	private bytes = 0;

	constructor(private readonly maxBytes: number) {}

	list(listKey: string): ReadonlyMap<Key, PaidRow> {
		return this.lists.get(listKey) ?? NO_ROWS;
	}

	put(listKey: string, key: Key, row: PaidRow): void {
		this.remove(listKey, key);
		const list = this.lists.get(listKey) ?? new Map<Key, PaidRow>();
		this.lists.set(listKey, list.set(key, row));
		this.uses.set(row, { listKey, key, usedAt: Date.now() });
		this.bytes += row.bytes;
	}

	remove(listKey: string, key: Key): void {
		const list = this.lists.get(listKey);
		const row = list?.get(key);
		if (!list || !row) return;
		this.bytes -= row.bytes;
		this.uses.delete(row);
		list.delete(key);
		if (list.size === 0) this.lists.delete(listKey);
	}

	use(row: PaidRow): void {
		const use = this.uses.get(row);
		if (!use) return;
		this.uses.delete(row);
		this.uses.set(row, { ...use, usedAt: Date.now() });
	}

	/** Removes rows that weren't used for a day and, above the limit of bytes, the least recently used ones. */
	evict(): void {
		const now = Date.now();
		for (const { listKey, key, usedAt } of this.uses.values()) {
			if (this.bytes <= this.maxBytes && now - usedAt < DAY_MS) return;
			this.remove(listKey, key);
		}
	}
}
