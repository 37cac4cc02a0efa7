/** What a poll does by the trigger's place, and where that is afterwards. Pure: what is saved goes in, what to save comes out. */
import type { Json } from '../api/contract';
import { mayHaveBeenCharged, type FailureKind } from '../api/failures';
import type { ErrorText } from '../messages/failures';
import {
	formatCeiling,
	formatPaused,
	TOO_MANY_SEARCHES,
	UNREADABLE,
	type StartReason,
} from '../messages/polls';
import { canonicalSearch, digest, sortLists } from '../parameters/canonical';
import type { Fetched, Spent } from './fetch';
import {
	hashOf,
	isFormerPlace,
	isOfOther,
	readPlace,
	revisionOf,
	VERSION,
	type Owner,
	type Place,
	type Search,
	type SearchPlace,
} from './place';

/** Where copies of a place stand; each may be anything, or nothing. */
export interface Copies {
	/** In the node's static data, which n8n keeps by the node's name, with durable cursors by its id. */
	ofNode: unknown;
	/** In the workflow's static data, under the node's id. */
	ofWorkflow: unknown;
	inMemory: unknown;
}

const MAX_SEARCHES = 10;
const MAX_DELIVERED = 100;
/** New searches in 24 hours from which on a filter must be one that changes by itself. */
const MAX_NEW_SEARCHES = 3;
const DAY_MS = 86_400_000;

/** Tells searches apart by what selects leads, whatever the order of keys and list values. */
export function fingerprintOf(filters: Json, baseUrl: string) {
	return {
		fingerprint: digest(sortLists([canonicalSearch(filters), baseUrl])),
		formerFingerprint: digest(sortLists([filters, baseUrl])),
	};
}

/** @returns the day as YYYY-MM-DD; undefined for a time zone that is none */
export function dayAt(now: number, timeZone: string): string | undefined {
	try {
		return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
	} catch {
		return undefined;
	}
}

/**
 * Finds the place to go on from: the newest of the copies that belong to the node.
 *
 * @param time `now` in milliseconds since 1970, and its day
 * @returns the place, with the search first, and why it is where it is unless the poll before was there; or a
 * refusal, where what has been bought can't be told
 */
export function findPlace(
	copies: Copies,
	owner: Owner,
	search: Search,
	{ now, day }: { now: number; day: string },
): { place: Place; reason?: StartReason } | { refusal: ErrorText } {
	const all = copiesFor(copies);
	const own = all.filter((copy) => !isOfOther(copy, owner));
	const saved = newestOf(own.flatMap((copy) => readPlace(copy, owner, search) ?? []));
	const isUnreadable = (copy: unknown) =>
		!readPlace(copy, owner, search) && revisionOf(copy) > (saved?.revision ?? -1);
	if (own.some(isUnreadable)) return { refusal: UNREADABLE };

	const { fingerprint } = search;
	const found = saved?.searches.find((one) => one.fingerprint === fingerprint);
	const others = saved?.searches.filter((one) => one !== found) ?? [];
	const isNew = saved !== undefined && !found;
	const earlier = saved?.newSearches ?? [];
	const recent = isNew ? [...earlier.filter((at) => at > now - DAY_MS), now] : earlier;
	const place: Place = {
		...{ version: VERSION, ...owner, revision: saved?.revision ?? 0 },
		// A day never goes back: a time zone that changes, or a clock that is set back, begins no maximum anew.
		...(saved && saved.day >= day
			? { day: saved.day, spentToday: saved.spentToday }
			: { day, spentToday: 0 }),
		newSearches: recent,
		searches: [
			found ? afterSkip(found, search.skip) : begin(search),
			...others.slice(0, MAX_SEARCHES - 1),
		],
	};
	if (isNew) return { place, reason: 'searchChanged' };
	if (saved && found) return found === saved.searches[0] ? { place } : { place, reason: 'former' };
	const isImported = all.some((copy) => (Object(copy) as Partial<Owner>).nodeId === owner.nodeId);
	return { place, reason: isImported ? 'imported' : 'firstPoll' };
}

/** @returns the revision of the node's place in n8n's own data, which it saves together with leads; -1 for none */
export function revisionSaved({ ofNode, ofWorkflow }: Copies, owner: Owner): number {
	const copy = copiesFor({ ofNode, ofWorkflow, inMemory: undefined });
	const [first] = copy.filter((one) => !isOfOther(one, owner));
	return first === undefined ? -1 : revisionOf(first);
}

/**
 * @param isTest whether somebody tests the trigger in the editor: for one lead, and with an answer
 * @returns the credits that a poll may spend, or what it says instead of fetching anything
 */
export function decide(
	{ newSearches, spentToday, day, searches: [{ spentInTotal, pausedOn }] }: Place,
	{ perDay, inTotal }: { perDay: number; inTotal: number },
	isTest: boolean,
): { room: number } | { note: string } | { refusal: ErrorText } {
	if (newSearches.length >= MAX_NEW_SEARCHES) return { refusal: TOO_MANY_SEARCHES };
	let spent = '';
	if (spentToday >= perDay) spent = `'Max Credits per Day' (${perDay}) is spent for ${day}`;
	if (spentInTotal >= inTotal) spent = `'Max Credits in Total' (${inTotal}) is spent`;
	if (spent !== '') return isTest ? { refusal: formatCeiling(spent) } : { note: spent };
	if (pausedOn === day && !isTest) return { note: formatPaused(day) };
	return { room: Math.min(perDay - spentToday, inTotal - spentInTotal, isTest ? 1 : Infinity) };
}

/** @returns the same place, with whatever made polls pause forgotten: a test has gone well since */
export function resume(place: Place): Place {
	const [search, ...others] = place.searches;
	return { ...place, searches: [{ ...search, isDoubted: false, pausedOn: null }, ...others] };
}

/** @returns the place after a poll that fetched from there on */
export function placeAfter(place: Place, fetched: Fetched): Place {
	const spent = afterSpending(place, fetched.spent);
	const [search, ...others] = spent.searches;
	const again = paidAgain(fetched);
	const isPaused = again === 'end' || (again === 'answer' && search.isDoubted);
	const after: SearchPlace = {
		...search,
		row: search.row + fetched.placed,
		served: fetched.certain,
		mayEnd: fetched.mayEnd,
		isDoubted: again === 'answer',
		pausedOn: isPaused ? place.day : null,
		delivered: [...search.delivered, ...fetched.rows.map(hashOf)].slice(-MAX_DELIVERED),
	};
	return { ...spent, searches: [after, ...others] };
}

/** @returns the same place, after what was, or may have been, charged */
export function afterSpending(place: Place, { charged, atRisk }: Spent): Place {
	const [search, ...others] = place.searches;
	const credits = charged + atRisk;
	return {
		...place,
		spentToday: place.spentToday + credits,
		searches: [{ ...search, spentInTotal: search.spentInTotal + credits }, ...others],
	};
}

/**
 * What each further poll would pay for again: an answer that can't be used, and that the service would give once
 * more; or, at the end of the list, the question whether leads have come since.
 */
export function paidAgain({
	failure,
	end,
	old,
	placed,
	spent,
}: Pick<Fetched, 'failure' | 'end' | 'old' | 'placed' | 'spent'>): 'answer' | 'end' | undefined {
	if (!failure) return old > 0 || (end === 'whole' && spent.charged > placed) ? 'end' : undefined;
	const isSame = mayHaveBeenCharged(failure) && SAME_AGAIN.includes(failure.kind);
	return failure.kind === 'protocolViolation' || isSame ? 'answer' : undefined;
}

/** What a service would answer once more. */
const SAME_AGAIN: readonly FailureKind[] = ['notTheService', 'unreadable', 'tooLarge'];

function begin({ fingerprint, skip }: Search): SearchPlace {
	return {
		...{ fingerprint, row: skip, served: 0, mayEnd: false, isDoubted: false, pausedOn: null },
		...{ spentInTotal: 0, delivered: [] },
	};
}

/** Skip moves a place on, never back. */
function afterSkip(search: SearchPlace, skip: number): SearchPlace {
	if (skip <= search.row) return search;
	return { ...search, row: skip, mayEnd: false, isDoubted: false, pausedOn: null };
}

/** Those that may be the node's: a place of the version before says not whose it is, unless it stands under the node's id. */
function copiesFor({ ofNode, ofWorkflow, inMemory }: Copies): unknown[] {
	const isThere = (copy: unknown) => copy !== undefined && copy !== null;
	const isAnybodys = isFormerPlace(ofNode) && !isThere(ofWorkflow);
	return [...(isAnybodys ? [] : [ofNode]), ofWorkflow, inMemory].filter(isThere);
}

function newestOf([first, ...others]: Place[]): Place | undefined {
	return others.reduce(
		(newest, one) => (newest && newest.revision >= one.revision ? newest : one),
		first,
	);
}
