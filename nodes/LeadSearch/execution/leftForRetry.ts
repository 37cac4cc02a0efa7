/** What a run that throws leaves in the execution's data, for n8n's Retry in another process or later. */
import type { IContextObject } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { LeadFacts, RowRange } from '../paging/leadList';
import { Repetition } from '../paging/repetition';
import type { Kept } from './memory';

/** The most that is left, in bytes of memory. */
export const MOST_FOR_RETRY = 20_000_000;

/** The number is the format's: what an older version of the package has left counts as nothing. */
const CONTEXT_KEY = 'paidResults2';

/** What a run works with. */
export interface Used {
	kept: Kept<unknown>;
	/** The rows that are wanted of a search. */
	ranges?: readonly RowRange[] | undefined;
}

/** As JSON has it, as far as the run wants it: of a search, its rows by place. */
interface Left extends Kept<unknown> {
	key: string;
}

type LeftFacts = Omit<LeadFacts, 'cells' | 'straysByText' | 'repetition' | 'most'> & {
	cells: Array<[number, Json]>;
	straysByText: Array<[string, Json]>;
	/** JSON has no Infinity. */
	most: number | null;
};

/** As much as there is room for. */
function* fitting(used: ReadonlyMap<string, Used>): Iterable<Left> {
	let room = MOST_FOR_RETRY;
	for (const [key, { kept, ranges }] of used) {
		if (!ranges) {
			room -= kept.bytes;
			if (room >= 0) yield { ...kept, key };
			continue;
		}
		const facts = kept.value as LeadFacts;
		const each = kept.bytes / facts.cells.size || 0;
		const cells = [...facts.cells].filter(([row]) => {
			const isWanted = ranges.some(([from, to]) => row >= from && row < to);
			if (isWanted) room -= each;
			return isWanted && room >= 0;
		});
		const value = { ...facts, cells, straysByText: [...facts.straysByText], repetition: undefined };
		yield { ...kept, key, value, bytes: each * cells.length };
	}
}

/** Leaves it where n8n keeps data with an execution. */
export function leaveForRetry(
	data: IContextObject | undefined,
	used: ReadonlyMap<string, Used>,
): void {
	if (data) data[CONTEXT_KEY] = JSON.stringify([...fitting(used)]);
}

/** @returns what the execution before has left; it is there no more */
export function takeLeft(data: IContextObject | undefined): Left[] {
	const text: unknown = data?.[CONTEXT_KEY];
	if (data) Reflect.deleteProperty(data, CONTEXT_KEY);
	if (typeof text !== 'string') return [];
	return (JSON.parse(text) as Left[]).map((kept) =>
		Array.isArray(kept.value) ? kept : { ...kept, value: factsOf(kept.value as LeftFacts) },
	);
}

function factsOf({ cells: entries, ...left }: LeftFacts): LeadFacts {
	const cells = new Map(entries);
	const straysByText = new Map(left.straysByText);
	const most = left.most ?? Infinity;
	return { ...left, cells, straysByText, most, repetition: new Repetition(cells.values()) };
}
