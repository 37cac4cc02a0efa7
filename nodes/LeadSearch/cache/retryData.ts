/** Saves the rows of a failed run in the execution's data, for n8n's Retry in another process or much later. */
import type { IContextObject } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { LeadFacts, RowRange } from '../paging/leadList';
import { Repetition } from '../paging/repetition';
import type { Snapshot } from './snapshot';

/**
 * The limit of the estimated size of the rows that one node saves in the data of an execution, in bytes. Rows above
 * the limit aren't saved. If they aren't in the process's cache either, a Retry pays for them again.
 */
export const MAX_RETRY_BYTES = 20_000_000;

const CONTEXT_KEY = 'leadSearchPaidResults';
/**
 * The version of the format of the saved data. Another version of this package may have saved data with another
 * number. Such data can't be read, so a Retry ignores it.
 */
const FORMAT = 1;

/** A snapshot (a cached list) that a run uses: the run reuses its rows, or adds rows to it. */
export interface UsedSnapshot {
	snapshot: Snapshot<unknown>;
	/**
	 * If the snapshot is of a search: the ranges of rows that the run requests. The snapshot may have more rows than
	 * that. If the snapshot is of a profile: undefined.
	 */
	ranges?: readonly RowRange[] | undefined;
}

/** A snapshot that a failed execution has saved for its Retry, with the key under which the cache stores it. */
export interface RestoredSnapshot {
	key: string;
	snapshot: Snapshot<unknown>;
}

type SavedFacts = Omit<
	LeadFacts,
	'cells' | 'repeats' | 'unmatchedByText' | 'repetition' | 'maxSize'
> & {
	cells: Array<[number, Json]>;
	repeats: number[];
	unmatchedByText: Array<[string, Json]>;
	/** Null if no limit is known, because JSON has no Infinity. */
	maxSize: number | null;
};

interface SavedSnapshot extends Omit<Snapshot<unknown>, 'value' | 'payers'> {
	key: string;
	/**
	 * If the snapshot is of a profile: the rows that a lookup returned for this profile. Otherwise undefined. The rows
	 * are read from saved data, so their type isn't known.
	 */
	rows?: unknown;
	/**
	 * If the snapshot is of a search: the rows that the failed run requested, and the facts about the list, such as its
	 * end. Otherwise undefined.
	 */
	facts?: SavedFacts;
}

interface SavedData {
	format: number;
	/**
	 * The ID of the failed execution, which saved the data. A Retry has another ID. So if the service sends a saved row
	 * again, the Retry concludes that the list has changed, and not that the service repeats rows by mistake.
	 */
	executionId: string;
	snapshots: SavedSnapshot[];
}

/**
 * Saves in the execution's data the requested rows of the snapshots that a run has used. Rows above
 * {@link MAX_RETRY_BYTES} aren't saved. A Retry of the execution reads the rows with {@link takeRetryData}.
 *
 * @param data the data that n8n saves with the execution; undefined if n8n saves none
 * @param executionId the ID of the execution that saves the data
 * @param used the snapshots that the run has used, by cache key
 */
export function saveRetryData(
	data: IContextObject | undefined,
	executionId: string,
	used: ReadonlyMap<string, UsedSnapshot>,
): void {
	if (!data) return;
	const saved: SavedData = { format: FORMAT, executionId, snapshots: truncateToLimit(used) };
	data[CONTEXT_KEY] = JSON.stringify(saved);
}

/**
 * Reads the snapshots that the failed execution has saved, and removes them from the data.
 *
 * @param data the data that n8n passes on from the failed execution; undefined if n8n saves none
 * @returns 'unreadable' for data in an unknown format; an empty list if nothing was saved
 */
export function takeRetryData(data: IContextObject | undefined): RestoredSnapshot[] | 'unreadable' {
	const text: unknown = data?.[CONTEXT_KEY];
	if (!data || text === undefined) return [];
	Reflect.deleteProperty(data, CONTEXT_KEY);
	if (typeof text !== 'string') return 'unreadable';
	try {
		const { format, executionId, snapshots } = JSON.parse(text) as SavedData;
		if (format !== FORMAT) return 'unreadable';
		return snapshots.map((saved) => restoreSnapshot(saved, executionId));
	} catch {
		return 'unreadable';
	}
}

function truncateToLimit(used: ReadonlyMap<string, UsedSnapshot>): SavedSnapshot[] {
	const saved: SavedSnapshot[] = [];
	let remainingBytes = MAX_RETRY_BYTES;
	for (const [key, { snapshot, ranges }] of used) {
		const { value, bytes: size, firstPaidAt, lastPartAt, lastPaidAt, exclusiveTo } = snapshot;
		const times = { firstPaidAt, lastPartAt, lastPaidAt, exclusiveTo };
		if (ranges) {
			const facts = value as LeadFacts;
			const rowBytes = size / facts.cells.size || 0;
			const isWanted = (row: number) => ranges.some(([from, to]) => row >= from && row < to);
			const rows = [...facts.cells].filter(([row]) => isWanted(row));
			const cells = rows.slice(
				0,
				rowBytes > 0 ? Math.floor(remainingBytes / rowBytes) : rows.length,
			);
			const bytes = rowBytes * cells.length;
			remainingBytes -= bytes;
			saved.push({ ...times, key, bytes, facts: toSavedFacts(facts, cells) });
		} else if (remainingBytes >= size) {
			remainingBytes -= size;
			saved.push({ ...times, key, bytes: size, rows: value });
		}
	}
	return saved;
}

function toSavedFacts(facts: LeadFacts, cells: Array<[number, Json]>): SavedFacts {
	const { hasRaw, lastRow, maxSize, end } = facts;
	const unmatchedByText = [...facts.unmatchedByText];
	return {
		hasRaw,
		lastRow,
		maxSize,
		end,
		cells,
		unmatchedByText,
		repeats: [...facts.repeats],
	};
}

function restoreSnapshot(saved: SavedSnapshot, executionId: string): RestoredSnapshot {
	const { key, rows, facts, ...times } = saved;
	if (!facts) return { key, snapshot: { ...times, value: rows } };
	const cells = new Map(facts.cells);
	const repetition = new Repetition(executionId);
	repetition.add(cells.values());
	const value: LeadFacts = {
		...facts,
		cells,
		repeats: new Set(facts.repeats),
		unmatchedByText: new Map(facts.unmatchedByText),
		maxSize: facts.maxSize ?? Infinity,
		repetition,
	};
	return { key, snapshot: { ...times, value, payers: new Set([executionId]) } };
}
