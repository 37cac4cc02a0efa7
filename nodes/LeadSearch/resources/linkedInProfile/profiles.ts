/** Profiles to look up: the URLs of all input items, each once, and who gets what comes. */
import type { Json } from '../../api/contract';
import { hintLeftOut, hintNotFound, hintUnmatched } from '../../messages/hints';
import { LookUpJob } from '../../paging/lookUpJob';
import type { ProfileList } from '../../paging/profileList';
import {
	groupBy,
	byItem,
	type Entry,
	type Group,
	type ItemRequest,
	type Outcome,
	type Sources,
	type Task,
} from '../operation';
import { shapeRow } from '../simplify';
import { profileUrlOf } from './linkedInUrl';
import type { LookUpRequest } from './lookUp.operation';

type Asker = ItemRequest<LookUpRequest>;

/** By the normalised URL that they ask for; those that are left out are not there. */
type Askers = Map<string, Asker[]>;

/** Requests with the same body share their profiles, so that no URL is looked up for two of them. */
export function planLookUps(requests: Asker[], sources: Sources): Task[] {
	return groupBy(requests, bodyOf)
		.flatMap((members) => {
			const profiles = sources.profiles(bodyOf(members[0].request));
			return groupBy(members, ({ limit, options }) => [limit, options.alreadyLookedUp]).map(
				(same) => lookUpTask(same, profiles, sources),
			);
		})
		.sort(byItem);
}

/** Everything in the body of a request but the URLs and the paging. */
function bodyOf({ options }: LookUpRequest): Json {
	const { includeWorkEmails, includePersonalEmails, includePhones, onlyWithEmails } = options;
	return { includeWorkEmails, includePersonalEmails, includePhones, onlyWithEmails };
}

function lookUpTask(members: Group<LookUpRequest>, profiles: ProfileList, sources: Sources): Task {
	const [{ request }] = members;
	const { limit, settings, options } = request;
	const askers: Askers = new Map();
	const leftOut = new Set<string>();
	for (const member of members) {
		for (const url of member.request.linkedinUrls.urls.keys()) {
			const known = askers.get(url);
			if (known) known.push(member);
			else if (options.alreadyLookedUp === 'leaveOut' && sources.leavesOut(url, profiles))
				leftOut.add(url);
			else askers.set(url, [member]);
		}
	}
	const urls = [...askers.keys()];
	return {
		items: members.map(({ item }) => item),
		settings,
		job: new LookUpJob(profiles, { urls, limit, pageSize: settings.pageSize }),
		body: ({ urls: asked, page, size }) => ({
			...bodyOf(request),
			linkedinUrls: [...(asked ?? [])],
			_page: page,
			_per_page: size,
			max_results: size,
		}),
		outcome() {
			const outcome = outcomeOf(askers, profiles, request);
			if (leftOut.size > 0) outcome.warnings.unshift(hintLeftOut(leftOut.size));
			return outcome;
		},
		missing() {
			const open = urls.filter((url) => !profiles.cells.has(url));
			return { items: itemsOf(askers, open), urls: open.length };
		},
	};
}

/** What has come for those who asked for it. */
function outcomeOf(askers: Askers, profiles: ProfileList, request: LookUpRequest): Outcome {
	const all = [...askers.keys()];
	const entries: Entry[] = [];
	const rows: Json[] = [];
	const bought = new Set<string>();
	const served = new Set<string>();
	let unclear = 0;
	const found = [
		...all.map((url) => ({ row: profiles.rowAt(url), places: [url] })),
		// Rows under URLs that nobody asked for, such as those of renamed profiles, and second rows.
		...profiles.strays,
	];
	for (const { row, places } of found) {
		const own = places.length === 0 ? all : places.filter((url) => askers.has(url));
		const [url = ''] = own;
		const asked = askers.get(url) ?? [];
		const [asker] = asked;
		if (!row || !asker || rows.length >= request.limit) continue;
		rows.push(row);
		const isClear = places.length === 1;
		if (isClear) {
			served.add(url);
			entries.push(...asked.map((one) => entryFor(one, shapeRow(row, one.request.simplify))));
		} else {
			// Which input item asked for it, of this run or of an earlier one, is not known.
			unclear += 1;
			const entry = entryFor({ ...asker, input: {} }, shapeRow(row, asker.request.simplify));
			entries.push({ ...entry, items: itemsOf(askers, own) });
		}
		if (request.options.alreadyLookedUp === 'lookUpAgain') continue;
		// A renamed profile is known by both of its URLs.
		for (const one of [profileUrlOf(row), isClear ? url : undefined])
			if (one !== undefined) bought.add(one);
	}
	const matches = profiles.possibleMatches();
	let untold = 0;
	for (const [url, asked] of askers) {
		if (profiles.cells.get(url) !== 'none' || served.has(url)) continue;
		const told = asked.filter(({ request: { options } }) => options.unmatched !== 'leaveOut');
		if (told.length === 0) untold += 1;
		const none = { found: false, has_email: false, has_phone: false };
		const possibleMatches = matches.get(url);
		for (const asker of told) {
			const spelling = { linkedin_url: asker.request.linkedinUrls.urls.get(url) };
			const json = { ...spelling, ...none, ...(possibleMatches && { possibleMatches }) };
			entries.push(entryFor(asker, json, false));
		}
	}
	const answered = all.filter((url) => profiles.cells.has(url)).length;
	const warnings = [
		...(unclear > 0 ? [hintUnmatched(unclear)] : []),
		...(untold > 0 ? [hintNotFound(answered - untold, answered)] : []),
	];
	return { entries, rows, warnings, bought };
}

/** The fields of the profile win over those of the input item. */
function entryFor({ item, input, request }: Asker, json: Json, found = true): Entry {
	const { includeInputFields, unmatched } = request.options;
	const told = unmatched === 'returnAsNotFound' ? { ...json, found } : json;
	return {
		items: [item],
		json: [includeInputFields ? { ...input, ...told } : told],
		isNotFound: !found && unmatched === 'secondOutput',
	};
}

/** The input items that asked for any of these URLs, in order. */
function itemsOf(askers: Askers, urls: string[]): number[] {
	const items = urls.flatMap((url) => (askers.get(url) ?? []).map(({ item }) => item));
	return [...new Set(items)].sort((one, other) => one - other);
}
