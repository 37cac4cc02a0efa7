/** Saves the rows of a failed run in the execution's data, for n8n's Retry in another process or much later. */
import type { IContextObject } from 'n8n-workflow';

import type { Key, PaidRow } from './paidRows';

/** The limit of the estimated size of the rows that one node saves, in bytes. A Retry pays again for other rows. */
export const MAX_RETRY_BYTES = 20_000_000;

const CONTEXT_KEY = 'leadSearchPaidResults';
/** Data in the format of another version of this package are ignored. */
const FORMAT = 2;

/** A row, with the key of its list and its own key. A row of an unexpected response has no key of its own. */
export type SavedRow = [listKey: string, key: Key | null, row: PaidRow];

export function saveRetryData(data: IContextObject | undefined, rows: Iterable<SavedRow>): void {
	if (!data) return;
	const saved: SavedRow[] = [];
	let remaining = MAX_RETRY_BYTES;
	for (const row of rows) if ((remaining -= row[2].bytes) >= 0) saved.push(row);
	data[CONTEXT_KEY] = JSON.stringify({ format: FORMAT, rows: saved });
}

/** Reads the rows that a failed execution has saved, and removes them from the data. */
export function takeRetryData(data: IContextObject | undefined): SavedRow[] | 'unreadable' {
	const text: unknown = data?.[CONTEXT_KEY];
	if (!data || text === undefined) return [];
	Reflect.deleteProperty(data, CONTEXT_KEY);
	if (typeof text !== 'string') return 'unreadable';
	try {
		const { format, rows } = JSON.parse(text) as { format: number; rows: SavedRow[] };
		return format === FORMAT ? rows : 'unreadable';
	} catch {
		return 'unreadable';
	}
}
