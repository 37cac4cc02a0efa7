/** Profiles to look up: the URLs of all input items, each once, and who gets what comes. */
import type { Json } from '../../api/contract';
import { hintLeftOut, hintNotFound, hintUnmatched } from '../../messages/hints';
import type { Order } from '../../paging/ledger';
import { LookUpJob } from '../../paging/lookUpJob';
import type { ProfileList } from '../../paging/profileList';
import type { FetchSettings } from '../../parameters/fetching';
import {
	groupBy,
	inOrderOfItems,
	type Group,
	type ItemRequest,
	type RowOutput,
	type Sources,
	type Task,
} from '../operation';
import { profileUrlOf } from './linkedInUrl';
import { shapeRow, type RowForm } from '../simplify';

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

/** An input item that asked for a profile. */
interface Asker {
	item: number;
	/** The URL as the item spells it. */
	spelling: string;
	request: LookUpRequest;
}

/** Requests with the same body share their profiles, so that no URL is looked up for two of them. */
export function planLookUps(requests: Array<ItemRequest<LookUpRequest>>, sources: Sources): Task[] {
	const tasks = groupBy(requests, ({ body }) => body).flatMap((members) => {
		const [{ request }] = members;
		const profiles = sources.profiles(request.body);
		const emitted = new Set<Json>();
		return groupBy(members, ({ limit, alreadyLookedUp }) => [limit, alreadyLookedUp]).map(
			(same) => new LookUpTask(same, profiles, emitted, sources),
		);
	});
	return inOrderOfItems(tasks);
}

class LookUpTask implements Task {
	readonly items: number[];
	readonly settings: FetchSettings;
	readonly job: LookUpJob;
	private readonly first: LookUpRequest;
	private readonly askers = new Map<string, Asker[]>();
	/** Profiles that are left out, since an earlier execution bought them. */
	private readonly leftOut = new Set<string>();
	/** Those that came: the URLs of rows, and those that a renamed profile is about. */
	private readonly remembered = new Set<string>();

	/** @param emitted rows that were put out, by other tasks too */
	constructor(
		members: Group<LookUpRequest>,
		private readonly profiles: ProfileList,
		private readonly emitted: Set<Json>,
		sources: Sources,
	) {
		const [{ request: first }] = members;
		this.first = first;
		this.settings = first.settings;
		this.items = members.map(({ item }) => item);
		for (const { item, request } of members) {
			for (const [url, spelling] of request.urls) {
				const mayLeaveOut = request.alreadyLookedUp === 'leaveOut';
				if (mayLeaveOut && sources.leavesOut(url, profiles)) this.leftOut.add(url);
				else this.askersOf(url).push({ item, spelling, request });
			}
		}
		const { limit, settings } = first;
		const urls = [...this.askers.keys()];
		this.job = new LookUpJob(profiles, { urls, limit, pageSize: settings.pageSize });
	}

	body({ urls, page, size }: Order): Json {
		return {
			...this.first.body,
			linkedinUrls: urls,
			_page: page,
			_per_page: size,
			max_results: size,
		};
	}

	emit(output: RowOutput, warn: (message: string) => void): Json[] {
		const { profiles, askers, leftOut, emitted } = this;
		if (leftOut.size > 0) warn(hintLeftOut(leftOut.size));
		const fresh: Json[] = [];
		let left = this.first.limit;
		const take = (row: Json): boolean => {
			if (left < 1) return false;
			left -= 1;
			if (!emitted.has(row)) fresh.push(row);
			return true;
		};
		for (const [url, asked] of askers) {
			const row = profiles.rowAt(url);
			if (!row || !take(row)) continue;
			this.addForAskers(output, row, url, asked);
		}
		this.emitStrays(output, take, warn);
		const matches = profiles.possibleMatches();
		let untold = 0;
		for (const [url, asked] of askers) {
			if (profiles.cells.get(url) !== 'none') continue;
			if (asked.every(({ request }) => request.unmatched === 'leaveOut')) untold += 1;
			for (const { item, spelling, request } of asked) {
				const none = notFound(spelling, matches.get(url) ?? 0);
				const json = withInput(output, item, request, none);
				if (request.unmatched === 'returnAsNotFound') output.add(item, json);
				if (request.unmatched === 'secondOutput') output.addNotFound(item, json);
			}
		}
		const answered = [...askers.keys()].filter((url) => profiles.cells.has(url)).length;
		if (untold > 0) warn(hintNotFound(answered - untold, answered));
		return fresh;
	}

	fetched(): number {
		return Math.min(this.first.limit, this.job.countRows());
	}

	missing() {
		const urls = [...this.askers.keys()].filter((url) => !this.profiles.cells.has(url));
		return { items: this.itemsOf(urls), urls: urls.length };
	}

	bought(): Iterable<string> {
		return this.first.alreadyLookedUp === 'leaveOut' ? this.remembered : [];
	}

	/** Rows under URLs that nobody asked for, such as those of renamed profiles, and second rows. */
	private emitStrays(
		output: RowOutput,
		take: (row: Json) => boolean,
		warn: (message: string) => void,
	): void {
		let unclear = 0;
		for (const { row, places } of this.profiles.strays) {
			const items = places.length === 0 ? this.items : this.itemsOf(places);
			const isOthers = items.length === 0 || this.emitted.has(row);
			if (isOthers || !take(row)) continue;
			const [url = ''] = places;
			const asked = this.askers.get(url) ?? [];
			if (places.length === 1) {
				this.addForAskers(output, row, url, asked);
				continue;
			}
			// Which input item asked for it, of this run or of an earlier one, is not known.
			output.addForAny(items, this.shaped(row, asked[0]?.request ?? this.first));
			this.remember(row);
			unclear += 1;
		}
		if (unclear > 0) warn(hintUnmatched(unclear));
	}

	/** Puts a row out for each input item that asked for its URL. */
	private addForAskers(output: RowOutput, row: Json, url: string, asked: Asker[]): void {
		this.remember(row, url);
		for (const { item, request } of asked)
			output.add(item, withInput(output, item, request, this.shaped(row, request)));
	}

	private shaped(row: Json, { form, unmatched }: LookUpRequest): Json {
		const json = shapeRow(row, form);
		this.emitted.add(row);
		return unmatched === 'returnAsNotFound' ? { ...json, found: true } : json;
	}

	/** A renamed profile is known by both of its URLs. */
	private remember(row: Json, ...urls: string[]): void {
		for (const url of [profileUrlOf(row), ...urls]) if (url !== undefined) this.remembered.add(url);
	}

	private askersOf(url: string): Asker[] {
		const askers = this.askers.get(url) ?? [];
		this.askers.set(url, askers);
		return askers;
	}

	/** The input items that asked for any of these URLs, in order. */
	private itemsOf(urls: Iterable<string>): number[] {
		const items = new Set<number>();
		for (const url of urls) for (const { item } of this.askers.get(url) ?? []) items.add(item);
		return [...items].sort((one, other) => one - other);
	}
}

/** The profile's own fields win. */
function withInput(
	output: RowOutput,
	item: number,
	{ includeInputFields }: LookUpRequest,
	json: Json,
): Json {
	return includeInputFields ? { ...output.inputFields(item), ...json } : json;
}

function notFound(spelling: string, possibleMatches: number): Json {
	const none = { linkedin_url: spelling, found: false, has_email: false, has_phone: false };
	return possibleMatches > 0 ? { ...none, possibleMatches } : none;
}
