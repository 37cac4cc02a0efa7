/** Saves the rows of a failed run in the execution's data, for n8n's Retry in another process or much later. */
import type { IContextObject } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { LeadFacts, RowRange } from '../paging/leadList';
import { Repetition } from '../paging/repetition';
import type { Snapshot } from './snapshot';

/**
 * The most memory that the saved rows of a node in an execution may take, in bytes. A Retry pays again for rows that
 * weren't saved.
 */
export const MAX_RETRY_BYTES = 20_000_000;

const CONTEXT_KEY = 'leadSearchPaidResults';
/**
 * The format of the saved data. Other versions of this package may use another format: their data counts as absent.
 */
const FORMAT = 1;

/** A snapshot that a run reuses or adds rows to. */
export interface UsedSnapshot {
	snapshot: Snapshot<unknown>;
	/** The rows that the run requests of a search; undefined for a profile. */
	ranges?: readonly RowRange[] | undefined;
}

/** A snapshot that the retried execution has saved, with its cache key. */
export interface RestoredSnapshot {
	key: string;
	snapshot: Snapshot<unknown>;
}

type SavedFacts = Omit<
	LeadFacts,
	'cells' | 'repeats' | 'unmatchedByText' | 'repetition' | 'sizeLimit'
> & {
	cells: Array<[number, Json]>;
	repeats: number[];
	unmatchedByText: Array<[string, Json]>;
	/** The size limit, or null for Infinity, which JSON doesn't have. */
	sizeLimit: number | null;
};

interface SavedSnapshot extends Omit<Snapshot<unknown>, 'value' | 'payers'> {
	key: string;
	/** The rows that a lookup returned for one profile. They come from saved data, so their type isn't known. */
	rows?: unknown;
	/** The requested rows of a search, with the end of the list. */
	facts?: SavedFacts;
}

interface SavedData {
	format: number;
	/**
	 * The ID of the execution that saved the data. A Retry treats the saved rows as rows that an earlier execution
	 * paid for.
	 */
	executionId: string;
	snapshots: SavedSnapshot[];
}

/**
 * Saves the rows of the snapshots in the execution's data, up to {@link MAX_RETRY_BYTES}.
 *
 * @param data the data that n8n saves with the execution; undefined if n8n saves none
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
	const { hasRaw, lastRow, confirmedSize, sizeLimit, end } = facts;
	const unmatchedByText = [...facts.unmatchedByText];
	return {
		hasRaw,
		lastRow,
		confirmedSize,
		sizeLimit,
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
		sizeLimit: facts.sizeLimit ?? Infinity,
		repetition,
	};
	return { key, snapshot: { ...times, value, payers: new Set([executionId]) } };
}
