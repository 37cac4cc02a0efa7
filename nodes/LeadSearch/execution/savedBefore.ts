/** Lists as the version before has kept them, which n8n's Retry may still bring along. */
import { isObject, type Json } from '../api/contract';
import type { SavedLeadList } from '../paging/leadList';
import type { SavedProfileList } from '../paging/profileList';
import type { Kept } from './reuse';

interface StrayBefore {
	row: Json;
	places: string[];
}

/** `served` was the proven size, and a stray had possible places. */
type LeadsBefore = Omit<SavedLeadList, 'strays' | 'proven'> & {
	strays: StrayBefore[];
	served: number;
};

/** A cell was a row, or how many others it might have been; `doubts` were URLs that had got no row. */
interface ProfilesBefore {
	cells: Array<[string, Json | number]>;
	strays: StrayBefore[];
	doubts: string[];
}

/** @param facts as this version or the one before has left them */
export function asKept(
	facts: Omit<Kept, 'ranges' | 'paidFrom'> & Partial<Kept> & { rows?: number },
): Kept {
	const { rows = 0, ...others } = facts;
	return { ranges: [[0, rows]], paidFrom: facts.paidAt, ...others };
}

/** @param written by this version or the one before; undefined for none @returns the list as it is kept now */
export function asSavedLeads(written: unknown): SavedLeadList | undefined {
	const saved = written as SavedLeadList | LeadsBefore | undefined;
	if (!saved || !('served' in saved)) return saved;
	const { served, strays, ...others } = saved;
	return { ...others, proven: served, strays: strays.map(({ row }) => row) };
}

/** @param written see {@link asSavedLeads} @returns the profiles as they are kept now: what was unclear is asked for again */
export function asSavedProfiles(written: unknown): SavedProfileList | undefined {
	const saved = written as SavedProfileList | ProfilesBefore | undefined;
	if (!saved || !('doubts' in saved)) return saved;
	const cells = new Map<string, Json[] | 'none'>();
	for (const [url, cell] of saved.cells)
		if (isObject(cell)) cells.set(url, [cell]);
		else if (cell === 0) cells.set(url, 'none');
	const strays: Json[] = [];
	for (const { row, places } of saved.strays) {
		const [only = ''] = places;
		const own = cells.get(only);
		// A second row of a profile.
		if (places.length === 1 && own && own !== 'none') own.push(row);
		else strays.push(row);
	}
	const unclear = saved.cells.filter(([url]) => !cells.has(url)).map(([url]) => url);
	return { cells: [...cells], strays, again: [...saved.doubts, ...unclear], alone: [] };
}
