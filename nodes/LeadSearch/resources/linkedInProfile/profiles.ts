/** Profiles to look up: the URLs of all input items, each once, and who gets what comes. */
import type { Json } from '../../api/contract';
import { hintLeftOut, hintNotFound, hintUnmatched } from '../../messages/hints';
import { LookUpJob } from '../../paging/lookUpJob';
import type { ProfileList } from '../../paging/profileList';
import type { FetchSettings } from '../../parameters/fetching';
import {
	groupBy,
	inOrderOfItems,
	type Entry,
	type Group,
	type ItemRequest,
	type Outcome,
	type Sources,
	type Task,
} from '../operation';
import { shapeRow, type RowForm } from '../simplify';
import { profileUrlOf } from './linkedInUrl';

/** What one input item asks for. */
export interface LookUpRequest {
	/** Profiles to look up: normalised URL to the spelling that the item used. */
	urls: Map<string, string>;
	/** Everything in the request's body but the URLs and the paging. */
	body: Json;
	/** Rows wanted of all input items together; Infinity for all. */
	limit: number;
	/** What is put out of a row. */
	form: RowForm;
	unmatched: 'leaveOut' | 'returnAsNotFound' | 'secondOutput';
	/** Whether what comes out carries the fields of the input item that asked for it. */
	includeInputFields: boolean;
	alreadyLookedUp: 'lookUpAgain' | 'leaveOut';
	settings: FetchSettings;
}

/** An input item that asked for a profile, by the URL as the item spells it. */
interface Asker extends ItemRequest<LookUpRequest> {
	spelling: string;
}

/** Requests with the same body share their profiles, so that no URL is looked up for two of them. */
export function planLookUps(requests: Array<ItemRequest<LookUpRequest>>, sources: Sources): Task[] {
	const tasks = groupBy(requests, ({ body }) => body).flatMap((members) => {
		const profiles = sources.profiles(members[0].request.body);
		return groupBy(members, ({ limit, alreadyLookedUp }) => [limit, alreadyLookedUp]).map((same) =>
			lookUpTask(same, profiles, sources),
		);
	});
	return inOrderOfItems(tasks);
}

function lookUpTask(members: Group<LookUpRequest>, profiles: ProfileList, sources: Sources): Task {
	const [{ request }] = members;
	const { limit, settings } = request;
	const items = members.map(({ item }) => item);
	const askers = new Map<string, Asker[]>();
	const leftOut = new Set<string>();
	for (const member of members) {
		for (const [url, spelling] of member.request.urls) {
			const known = askers.get(url);
			if (known) known.push({ ...member, spelling });
			else if (request.alreadyLookedUp === 'leaveOut' && sources.leavesOut(url, profiles))
				leftOut.add(url);
			else askers.set(url, [{ ...member, spelling }]);
		}
	}
	const urls = [...askers.keys()];
	return {
		items,
		settings,
		job: new LookUpJob(profiles, { urls, limit, pageSize: settings.pageSize }),
		body: ({ urls: asked, page, size }) => ({
			...request.body,
			linkedinUrls: [...(asked ?? [])],
			_page: page,
			_per_page: size,
			max_results: size,
		}),
		outcome() {
			const { warnings, ...outcome } = outcomeOf(askers, profiles, request);
			return {
				...outcome,
				warnings: leftOut.size > 0 ? [hintLeftOut(leftOut.size), ...warnings] : warnings,
			};
		},
		missing() {
			const open = urls.filter((url) => !profiles.cells.has(url));
			return { items: itemsOf(askers, open), urls: open.length };
		},
	};
}

/** What has come for those who asked for it. */
function outcomeOf(
	askers: ReadonlyMap<string, Asker[]>,
	profiles: ProfileList,
	request: LookUpRequest,
): Outcome {
	const entries: Entry[] = [];
	const rows: Json[] = [];
	const bought = new Set<string>();
	const take = (row: Json, url?: string): boolean => {
		if (rows.length >= request.limit) return false;
		rows.push(row);
		if (request.alreadyLookedUp === 'lookUpAgain') return true;
		// A renamed profile is known by both of its URLs.
		for (const one of [profileUrlOf(row), url]) if (one !== undefined) bought.add(one);
		return true;
	};
	for (const [url, asked] of askers) {
		const row = profiles.rowAt(url);
		if (row && take(row, url)) entries.push(...asked.map((asker) => found(row, asker)));
	}
	// Rows under URLs that nobody asked for, such as those of renamed profiles, and second rows.
	const served = new Set<string>();
	let unclear = 0;
	for (const { row, places } of profiles.strays) {
		const own = places.length === 0 ? [...askers.keys()] : places.filter((url) => askers.has(url));
		const [url] = own;
		const asked = url === undefined ? [] : (askers.get(url) ?? []);
		const isClear = places.length === 1;
		const [asker] = asked;
		if (!asker || !take(row, isClear ? url : undefined)) continue;
		if (isClear) {
			served.add(url ?? '');
			entries.push(...asked.map((one) => found(row, one)));
		} else {
			// Which input item asked for it, of this run or of an earlier one, is not known.
			unclear += 1;
			entries.push({ items: itemsOf(askers, own), json: [shaped(row, asker.request)] });
		}
	}
	const matches = profiles.possibleMatches();
	let untold = 0;
	for (const [url, asked] of askers) {
		if (profiles.cells.get(url) !== 'none' || served.has(url)) continue;
		const told = asked.filter((asker) => asker.request.unmatched !== 'leaveOut');
		if (told.length === 0) untold += 1;
		entries.push(...told.map((asker) => notFound(asker, matches.get(url) ?? 0)));
	}
	const answered = [...askers.keys()].filter((url) => profiles.cells.has(url)).length;
	const warnings = [
		...(unclear > 0 ? [hintUnmatched(unclear)] : []),
		...(untold > 0 ? [hintNotFound(answered - untold, answered)] : []),
	];
	return { entries, rows, warnings, bought };
}

function found(row: Json, { item, input, request }: Asker): Entry {
	return { items: [item], json: [withInput(input, request, shaped(row, request))] };
}

function shaped(row: Json, { form, unmatched }: LookUpRequest): Json {
	const json = shapeRow(row, form);
	return unmatched === 'returnAsNotFound' ? { ...json, found: true } : json;
}

function notFound({ item, input, request, spelling }: Asker, possibleMatches: number): Entry {
	const none = { linkedin_url: spelling, found: false, has_email: false, has_phone: false };
	const json = possibleMatches > 0 ? { ...none, possibleMatches } : none;
	return {
		items: [item],
		json: [withInput(input, request, json)],
		isNotFound: request.unmatched === 'secondOutput',
	};
}

/** The profile's own fields win. */
function withInput(input: Json, { includeInputFields }: LookUpRequest, json: Json): Json {
	return includeInputFields ? { ...input, ...json } : json;
}

/** The input items that asked for any of these URLs, in order. */
function itemsOf(askers: ReadonlyMap<string, Asker[]>, urls: Iterable<string>): number[] {
	const items = new Set<number>();
	for (const url of urls) for (const { item } of askers.get(url) ?? []) items.add(item);
	return [...items].sort((one, other) => one - other);
}
