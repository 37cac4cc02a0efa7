/** Profiles to look up: the URLs of all input items, each once, and who gets what comes. */
import type { Json } from '../../api/contract';
import { hintLeftOut, hintLimit, hintNotFound, hintUnmatched } from '../../messages/hints';
import { LookUpJob } from '../../paging/lookUpJob';
import type { ProfileList } from '../../paging/profileList';
import {
	groupBy,
	type Bought,
	type Entry,
	type Group,
	type ItemRequest,
	type Lists,
	type Outcome,
	type RowsRequest,
	type Task,
} from '../operation';
import { addFields, shapeRow } from '../simplify';
import { profileUrlOf } from './linkedInUrl';
import type { LinkedInUrls } from './linkedInUrls';

/** What one input item asks for. */
export interface LookUpRequest extends RowsRequest {
	urls: LinkedInUrls['urls'];
	includeInputFields: boolean;
	unmatched: 'leaveOut' | 'returnAsNotFound' | 'secondOutput';
	leavesOutBought: boolean;
}

type Asker = ItemRequest<LookUpRequest>;

/** By the normalised URL that they ask for; those that are left out are not there. */
type Askers = Map<string, Asker[]>;

/** Requests with the same body share their profiles, so that no URL is looked up for two of them. */
export function planLookUps(requests: Asker[], lists: Lists, bought: Bought): Task[] {
	return groupBy(requests, ({ body }) => JSON.stringify(body)).flatMap((members) => {
		const profiles = lists.profiles(members[0].request.body);
		return groupBy(members, ({ limit, leavesOutBought }) => `${limit} ${leavesOutBought}`).map(
			(same) => lookUpTask(same, profiles, bought),
		);
	});
}

function lookUpTask(members: Group<LookUpRequest>, profiles: ProfileList, bought: Bought): Task {
	const [{ request }] = members;
	const { body, limit, leavesOutBought, settings } = request;
	const askers: Askers = new Map();
	const leftOut = new Set<string>();
	const isLeftOut = (url: string) =>
		leavesOutBought && bought.urls.has(url) && !(bought.showsKept && profiles.cells.has(url));
	for (const member of members) {
		for (const url of member.request.urls.keys()) {
			const known = askers.get(url);
			if (known) known.push(member);
			else if (isLeftOut(url)) leftOut.add(url);
			else askers.set(url, [member]);
		}
	}
	const urls = [...askers.keys()];
	const job = new LookUpJob(profiles, { urls, limit, pageSize: settings.pageSize });
	return {
		items: members.map(({ item }) => item),
		settings,
		job,
		body: ({ urls: asked, page, size }) => ({
			...body,
			linkedinUrls: [...(asked ?? [])],
			_page: page,
			_per_page: size,
			max_results: size,
		}),
		outcome(end) {
			const outcome = outcomeOf(askers, job, request);
			const { urls: open = 0 } = outcome.missing;
			outcome.warnings.push(
				leftOut.size > 0 && hintLeftOut(leftOut.size),
				end === 'limit' && open > 0 && members.length > 1 && hintLimit(open),
			);
			return outcome;
		},
	};
}

/** What has come for those who asked for it. */
function outcomeOf(
	askers: Askers,
	job: LookUpJob,
	{ limit, leavesOutBought }: LookUpRequest,
): Outcome {
	const { ledger: profiles } = job;
	const all = [...askers.keys()];
	const entries: Entry[] = [];
	const rows: Json[] = [];
	const served = new Set<string>();
	// What came for others, too, fills what is left: else one of its own, which nobody else puts out, could be lost.
	const isOwn = (places: readonly string[]) =>
		places.some((url) => profiles.askedBy.get(url) === job);
	const ownRows = all.filter((url) => isOwn([url]) && profiles.rowAt(url)).length;
	let left = limit - ownRows - profiles.strays.filter(({ places }) => isOwn(places)).length;
	const hasRoom = (places: readonly string[]) =>
		rows.length < limit && (isOwn(places) || left-- > 0);
	const serve = (url: string, row: Json | undefined) => {
		const asked = askers.get(url);
		if (!row || !asked || !hasRoom([url])) return;
		rows.push(row);
		served.add(url);
		for (const asker of asked) entries.push(entryFor(asker, shapeRow(row, asker.request.form)));
	};
	let unclear = 0;
	for (const url of all) serve(url, profiles.rowAt(url));
	// Rows under URLs that nobody asked for, such as those of renamed profiles, and second rows.
	for (const stray of profiles.strays) {
		const { row, places } = stray;
		const own = profiles.placesOf(stray).filter((url) => askers.has(url));
		const [url = ''] = own;
		const [asker] = askers.get(url) ?? [];
		if (places.length === 1) serve(url, row);
		else if (asker && hasRoom(places)) {
			rows.push(row);
			// Which input item asked for it, of this run or of an earlier one, is not known.
			unclear += 1;
			const entry = entryFor({ ...asker, input: {} }, shapeRow(row, asker.request.form));
			entries.push({ ...entry, items: itemsOf(askers, own) });
		}
	}
	const matches = profiles.possibleMatches();
	let untold = 0;
	for (const [url, asked] of askers) {
		if (profiles.cells.get(url) !== 'none' || served.has(url)) continue;
		const told = asked.filter(({ request }) => request.unmatched !== 'leaveOut');
		if (told.length === 0) untold += 1;
		const none = { found: false, has_email: false, has_phone: false };
		const possibleMatches = matches.get(url);
		for (const asker of told) {
			const spelling = { linkedin_url: asker.request.urls.get(url) };
			const json = { ...spelling, ...none, ...(possibleMatches && { possibleMatches }) };
			entries.push(entryFor(asker, json, false));
		}
	}
	const open = all.filter((url) => !profiles.cells.has(url));
	const answered = all.length - open.length;
	const warnings = [
		unclear > 0 && hintUnmatched(unclear),
		untold > 0 && hintNotFound(answered - untold, answered),
	];
	const missing = { items: itemsOf(askers, open), urls: open.length };
	// A renamed profile is known by both of its URLs.
	const named = leavesOutBought ? rows.map(profileUrlOf).filter((url) => url !== undefined) : [];
	const bought = leavesOutBought ? [...named, ...served] : [];
	return { entries, rows, warnings, missing, bought };
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
function itemsOf(askers: Askers, urls: string[]): number[] {
	const items = urls.flatMap((url) => (askers.get(url) ?? []).map(({ item }) => item));
	return [...new Set(items)].sort((one, other) => one - other);
}
