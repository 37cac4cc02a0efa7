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
	listKey: string;
	key: Key;
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
	/** When each row was last used, in milliseconds since 1970. The least recently used row comes first. */
	private readonly usedAt = new Map<PaidRow, number>();
	private bytes = 0;

	constructor(private readonly maxBytes: number) {}

	list(listKey: string): ReadonlyMap<Key, PaidRow> {
		return this.lists.get(listKey) ?? NO_ROWS;
	}

	/** Adds rows of one list. They replace those with the same keys. */
	put(rows: readonly PaidRow[]): void {
		const [first] = rows;
		if (!first) return;
		const now = Date.now();
		const list = this.lists.get(first.listKey) ?? new Map<Key, PaidRow>();
		rows.forEach((row) => {
			this.remove(list.get(row.key));
			list.set(row.key, row);
			this.usedAt.set(row, now);
			this.bytes += row.bytes;
		});
		// If the only row was replaced, its list was removed.
		this.lists.set(first.listKey, list);
	}

	remove(row: PaidRow | undefined): void {
		if (!row || !this.usedAt.delete(row)) return;
		this.bytes -= row.bytes;
		const list = this.lists.get(row.listKey);
		list?.delete(row.key);
		if (list?.size === 0) this.lists.delete(row.listKey);
	}

	use(row: PaidRow): void {
		if (this.usedAt.delete(row)) this.usedAt.set(row, Date.now());
	}

	/** Removes rows that weren't used for a day and, above the limit of bytes, the least recently used ones. */
	evict(): void {
		const now = Date.now();
		for (const [row, usedAt] of this.usedAt) {
			if (this.bytes <= this.maxBytes && now - usedAt < DAY_MS) return;
			this.remove(row);
		}
	}
}
