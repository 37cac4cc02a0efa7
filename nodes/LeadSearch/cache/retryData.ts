/** Saves the rows of a failed run in the execution's data, for n8n's Retry in another process or much later. */
import type { IContextObject } from 'n8n-workflow';

import { isObject } from '../api/contract';
import { isAmount, SAVED_VERSIONS } from '../spending/savedData';
import type { Key, PaidRow } from './paidRows';

/** The limit of the rows that one node saves. A Retry pays again for other rows. */
export const MAX_RETRY_BYTES = 20_000_000;

const CONTEXT_KEY = 'leadSearchPaidResults';

type SavedRow = [listKey: string, key: Key, row: Omit<PaidRow, 'listKey' | 'key'>];

export function saveRetryData(data: IContextObject | undefined, rows: Iterable<PaidRow>): void {
	if (!data) return;
	const saved: SavedRow[] = [];
	let remaining = MAX_RETRY_BYTES;
	for (const { listKey, key, ...row } of rows)
		if ((remaining -= row.bytes) >= 0) saved.push([listKey, key, row]);
	data[CONTEXT_KEY] = JSON.stringify({ version: SAVED_VERSIONS.retryData, rows: saved });
}

/** Returns the saved rows, and removes them. Returns undefined if another version or other code has written them. */
export function takeRetryData(data: IContextObject | undefined): PaidRow[] | undefined {
	const text: unknown = data?.[CONTEXT_KEY];
	if (!data || text === undefined) return [];
	Reflect.deleteProperty(data, CONTEXT_KEY);
	if (typeof text !== 'string') return undefined;
	try {
		const { version, rows } = JSON.parse(text) as { version: unknown; rows: unknown };
		const isReadable = version === SAVED_VERSIONS.retryData && Array.isArray(rows);
		if (!isReadable || !rows.every(isSavedRow)) return undefined;
		return rows.map(([listKey, key, row]) => ({ ...row, listKey, key }));
	} catch {
		return undefined;
	}
}

function isSavedRow(saved: unknown): saved is SavedRow {
	if (!Array.isArray(saved)) return false;
	const [listKey, key, row] = saved as unknown[];
	if (typeof listKey !== 'string' || !['number', 'string'].includes(typeof key)) return false;
	if (!isObject(row)) return false;
	const { rows, bought, renewed = { by: bought, age: 0 }, bytes } = row;
	return (
		Array.isArray(rows) &&
		rows.every(isObject) &&
		isPurchase(bought) &&
		isObject(renewed) &&
		isPurchase(renewed.by) &&
		[renewed.age, bytes].every(isAmount)
	);
}

function isPurchase(value: unknown): boolean {
	return isObject(value) && isAmount(value.at);
}
