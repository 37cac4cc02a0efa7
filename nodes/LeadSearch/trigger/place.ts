/** A place as it stands in the workflow's static data, where anything may stand, and a wrong number would cost money. */
import type { Json } from '../api/contract';
import { profileOf } from '../paging/ledger';
import { digest } from '../parameters/canonical';

/** How far one search has come. */
export interface SearchPlace {
	/** Tells it from other searches: {@link fingerprintOf}. */
	fingerprint: string;
	/** Rows that come before the next one: skipped or delivered. */
	row: number;
	/** The page size in which pages certainly begin where they are asked for, in rows; 0: not known. */
	served: number;
	/** Whether the list may end at the row. */
	mayEnd: boolean;
	/** Whether the last poll got an answer that it could not use, and that was charged. */
	isDoubted: boolean;
	/** The day on which nothing more is asked, since each poll would pay for the same again; null for none. */
	pausedOn: string | null;
	/** Credits, those that may have been charged included, since the search began. */
	spentInTotal: number;
	/** The last leads that were delivered, as short hashes, so that one that comes again is known. */
	delivered: string[];
}

/**
 * A place, as it stands in the workflow's static data.
 *
 * @example { version: 2, revision: 1796000000000, nodeId: '5f0c…', workflowId: 'Xy7…',
 * instanceId: 'a3b1…', day: '2027-01-15', spentToday: 20, newSearches: [],
 * searches: [{ fingerprint: '09af…', row: 60, served: 25, mayEnd: false,
 * isDoubted: false, pausedOn: null, spentInTotal: 60, delivered: ['c1d2…'] }] }
 */
export interface Place extends Owner {
	/** Of the format. One without is that of the version before, {@link FormerPlace}. */
	version: typeof VERSION;
	/** When it was saved, in milliseconds since 1970, and always more than before: the newest of several copies is known. */
	revision: number;
	/** The day of `spentToday`, as YYYY-MM-DD in the workflow's time zone. */
	day: string;
	/** Credits of all searches, those that may have been charged included. */
	spentToday: number;
	/** When new searches took the place of earlier ones within 24 hours, in milliseconds since 1970. */
	newSearches: number[];
	/** Those that ran last, the one under way first. */
	searches: [SearchPlace, ...SearchPlace[]];
}

/** Whose a place is. */
export interface Owner {
	nodeId: string;
	/** A copy of a workflow that n8n's API makes has the nodes' ids, and the static data, of the first. */
	workflowId: string;
	/** Of n8n. */
	instanceId: string;
}

/** What a place was before it named its owner, and knew more than one search. */
interface FormerPlace {
	revision: number;
	fingerprint: string;
	row: number;
	served: number;
	isAtEnd: boolean;
	pausedOn?: string;
	day: string;
	spentToday: number;
	spentInTotal: number;
	spentBefore: Readonly<Record<string, number>>;
	restarts: number[];
}

/** What a poll asks for, as far as its place depends on it. */
export interface Search {
	fingerprint: string;
	/** The fingerprint that the version before gave it. */
	formerFingerprint: string;
	/** Rows to pass over at its start. */
	skip: number;
}

/** Of the format: it changes with it, and the one before stays readable. */
export const VERSION = 2;

/** @returns a short hash of a lead: of its profile, or of all its fields where it names none */
export function hashOf(lead: Json): string {
	return digest(profileOf(lead) ?? lead).slice(0, 12);
}

/** Whether a copy says that it belongs to another node, workflow or n8n; one that says nothing of the workflow is the node's. */
export function isOfOther(copy: unknown, owner: Owner): boolean {
	const { nodeId, workflowId, instanceId } = { ...owner, ...(Object(copy) as Partial<Owner>) };
	return (
		nodeId !== owner.nodeId || workflowId !== owner.workflowId || instanceId !== owner.instanceId
	);
}

/** @returns the revision of a copy; 0 where it has none */
export function revisionOf(copy: unknown): number {
	const { revision } = Object(copy) as Partial<Place>;
	return isCount(revision) ? revision : 0;
}

/** @returns a copy as a place, one of the version before too; undefined for what is none */
export function readPlace(copy: unknown, owner: Owner, search: Search): Place | undefined {
	if (isPlace(copy)) return copy;
	return isFormerPlace(copy) ? fromFormer(copy, owner, search) : undefined;
}

function fromFormer(copy: FormerPlace, owner: Owner, search: Search): Place {
	const { fingerprint, row, served, isAtEnd, pausedOn, spentInTotal } = copy;
	const days = Object.entries({ ...copy.spentBefore, [copy.day]: copy.spentToday }).sort();
	const [day, spentToday] = days.at(-1) ?? [copy.day, copy.spentToday];
	const isSame = fingerprint === search.formerFingerprint;
	return {
		...{ version: VERSION, ...owner, revision: copy.revision, day, spentToday },
		newSearches: copy.restarts,
		searches: [
			{
				...{ fingerprint: isSame ? search.fingerprint : fingerprint, row, served, mayEnd: isAtEnd },
				...{ isDoubted: pausedOn !== undefined, pausedOn: pausedOn ?? null, spentInTotal },
				delivered: [],
			},
		],
	};
}

function isPlace(copy: unknown): copy is Place {
	const { version, revision, nodeId, instanceId, day, spentToday, newSearches, searches } = Object(
		copy,
	) as Partial<Place>;
	return (
		version === VERSION &&
		[nodeId, instanceId, day].every(isText) &&
		[revision, spentToday].every(isCount) &&
		isListOf(newSearches, isCount) &&
		isListOf(searches, isSearchPlace) &&
		searches.length > 0
	);
}

function isSearchPlace(value: unknown): value is SearchPlace {
	const search = Object(value) as Partial<SearchPlace>;
	const { fingerprint, row, served, spentInTotal, pausedOn, mayEnd, isDoubted, delivered } = search;
	return (
		isText(fingerprint) &&
		[row, served, spentInTotal].every(isCount) &&
		[mayEnd, isDoubted].every((flag) => typeof flag === 'boolean') &&
		(pausedOn === null || isText(pausedOn)) &&
		isListOf(delivered, isText)
	);
}

/** Whether a copy is of the version before, which says not whose it is. */
export function isFormerPlace(copy: unknown): copy is FormerPlace {
	const former = Object(copy) as Partial<FormerPlace>;
	const { revision, row, served, spentToday, spentInTotal, spentBefore, restarts } = former;
	return (
		!Object.hasOwn(former, 'version') &&
		[former.fingerprint, former.day].every(isText) &&
		[revision, row, served, spentToday, spentInTotal].every(isCount) &&
		isListOf(restarts, isCount) &&
		typeof spentBefore === 'object' &&
		Object.values(spentBefore).every(isCount)
	);
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] {
	return Array.isArray(value) && value.every(isOne);
}
