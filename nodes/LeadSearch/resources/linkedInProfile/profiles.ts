/** Profiles to look up: the URLs of all input items, each once, and who gets what comes. */
import type { Json } from '../../api/contract';
import { hintLimit, hintNotFound, hintUnmatched } from '../../messages/hints';
import { LookUpJob } from '../../paging/lookUpJob';
import type { ProfileList } from '../../paging/profileList';
import {
	groupBy,
	type Entry,
	type Group,
	type ItemRequest,
	type Lists,
	type Outcome,
	type RowsRequest,
	type Task,
} from '../operation';
import { addFields, shapeRow } from '../simplify';
import type { LinkedInUrls } from './linkedInUrls';

/** What one input item asks for. */
export interface LookUpRequest extends RowsRequest {
	urls: LinkedInUrls['urls'];
	includeInputFields: boolean;
	unmatched: 'leaveOut' | 'returnAsNotFound' | 'secondOutput';
}

type Asker = ItemRequest<LookUpRequest>;

/** Those who ask for a profile, by its normalised URL. */
type Askers = Map<string, Asker[]>;

/** Requests with the same body are one job: no URL is looked up for two of them. The options of the first count for all. */
export function planLookUps(requests: Asker[], lists: Lists): Task[] {
	return groupBy(requests, ({ body }) => JSON.stringify(body)).map((members) =>
		lookUpTask(members, lists),
	);
}

function lookUpTask(members: Group<LookUpRequest>, lists: Lists): Task {
	const [{ request }] = members;
	const { body, limit, settings } = request;
	const wanted = new Set(members.flatMap((member) => [...member.request.urls.keys()]));
	const profiles = lists.profiles(body, wanted);
	const askers: Askers = new Map();
	for (const member of members) {
		for (const url of member.request.urls.keys()) {
			const known = askers.get(url);
			if (known) known.push(member);
			else askers.set(url, [member]);
		}
	}
	const urls = [...askers.keys()];
	return {
		items: members.map(({ item }) => item),
		settings,
		job: new LookUpJob(profiles, { urls, limit, pageSize: settings.pageSize }),
		body: ({ urls: asked, page, size }) => ({
			...body,
			linkedinUrls: [...(asked ?? [])],
			_page: page,
			_per_page: size,
			max_results: size,
		}),
		outcome(end) {
			const outcome = outcomeOf(askers, profiles, limit);
			const { urls: open = 0 } = outcome.missing;
			if (end === 'limit' && open > 0 && members.length > 1) outcome.warnings.push(hintLimit(open));
			return outcome;
		},
	};
}

/** Output items, the rows in them as they came, and the URLs that they are certainly for. */
interface Part {
	entries: Entry[];
	rows: Json[];
	urls: Set<string>;
}

/** What has come for those who asked for it. */
function outcomeOf(askers: Askers, profiles: ProfileList, limit: number): Outcome {
	const found = foundIn(askers, profiles, limit);
	const others = underOtherUrls(askers, profiles, limit - found.rows.length);
	const none = notFoundIn(askers, profiles, found.urls);
	const urls = missingIn(askers, profiles);
	const rows = [...found.rows, ...others.rows];
	const answered = askers.size - urls.length;
	return {
		entries: [...found.entries, ...others.entries, ...none.entries],
		rows,
		warnings: [
			others.rows.length > 0 && hintUnmatched(others.rows.length),
			none.untold > 0 && hintNotFound(answered - none.untold, answered),
		],
		missing: { items: itemsOf(askers, urls), urls: urls.length },
	};
}

/** Found: the row of a profile, and a second one if it came twice, for all who asked for it. */
function foundIn(askers: Askers, profiles: ProfileList, limit: number): Part {
	const own = [...askers.keys()].map((url) => ({ url, row: profiles.rowAt(url) }));
	const second = profiles.strays.map(({ places, row }) => ({ url: ofOne(places), row }));
	const part: Part = { entries: [], rows: [], urls: new Set() };
	for (const { url = '', row } of [...own, ...second]) {
		const asked = askers.get(url);
		if (!row || !asked || part.rows.length >= limit) continue;
		part.rows.push(row);
		part.urls.add(url);
		for (const asker of asked)
			part.entries.push(entryFor(asker, shapeRow(row, asker.request.form)));
	}
	return part;
}

/** Under another URL, as a renamed profile: paired with all who may have asked for it, so it holds no one's input fields. */
function underOtherUrls(askers: Askers, profiles: ProfileList, limit: number): Part {
	const part: Part = { entries: [], rows: [], urls: new Set() };
	for (const stray of profiles.strays) {
		const urls = profiles.placesAmong(stray, askers);
		const [asker] = askers.get(urls[0] ?? '') ?? [];
		if (!asker || ofOne(stray.places) !== undefined || part.rows.length >= limit) continue;
		part.rows.push(stray.row);
		const entry = entryFor({ ...asker, input: {} }, shapeRow(stray.row, asker.request.form));
		part.entries.push({ ...entry, items: itemsOf(askers, urls) });
	}
	return part;
}

/** Not found: an item for those who want one. @returns also how many URLs nobody is told of */
function notFoundIn(askers: Askers, profiles: ProfileList, found: ReadonlySet<string>) {
	const entries: Entry[] = [];
	let untold = 0;
	for (const [url, asked] of askers) {
		const possibleMatches = profiles.cells.get(url);
		if (typeof possibleMatches !== 'number' || found.has(url)) continue;
		const told = asked.filter(({ request }) => request.unmatched !== 'leaveOut');
		if (told.length === 0) untold += 1;
		const none = { found: false, has_email: false, has_phone: false };
		for (const asker of told) {
			const spelling = { linkedin_url: asker.request.urls.get(url) };
			const json = { ...spelling, ...none, ...(possibleMatches > 0 && { possibleMatches }) };
			entries.push(entryFor(asker, json, false));
		}
	}
	return { entries, untold };
}

/** Missing: URLs of which it is not known whether there is a profile. */
function missingIn(askers: Askers, profiles: ProfileList): string[] {
	return [...askers.keys()].filter((url) => !profiles.cells.has(url));
}

/** The only place of a row that may belong to no other. */
function ofOne(places: readonly string[]): string | undefined {
	return places.length === 1 ? places[0] : undefined;
}

function entryFor({ item, input, request }: Asker, json: Json, found = true): Entry {
	const { includeInputFields, unmatched } = request;
	const told = unmatched === 'returnAsNotFound' ? { ...json, found } : json;
	return {
		items: [item],
		json: [includeInputFields ? addFields(input, told) : told],
		isNotFound: !found && unmatched === 'secondOutput',
	};
}

/** The input items that asked for any of these URLs, in order. */
function itemsOf(askers: Askers, urls: readonly string[]): number[] {
	const items = urls.flatMap((url) => (askers.get(url) ?? []).map(({ item }) => item));
	return [...new Set(items)].sort((one, other) => one - other);
}
