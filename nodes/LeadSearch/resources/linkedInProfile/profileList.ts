/** Profiles to fetch: the URLs of all input items, each once, and who gets what comes. */
import { UrlBatches, type BatchRequest } from '../../api/batches';
import { ENDPOINTS, type Json } from '../../api/contract';
import { addHeld, NOTHING_HELD, type Held } from '../../api/listRows';
import type { ProfileRows } from '../../api/profileRows';
import type { FetchSettings } from '../../parameters/fetching';
import {
	groupBy,
	inOrderOfItems,
	type Fetch,
	type FetchOutput,
	type ItemRequest,
	type PaidResults,
} from '../operation';
import { PROFILE_FIELDS, rowShapes, type RowForm, type RowShapes } from '../simplify';
import { normaliseLinkedInUrl } from './linkedInUrl';

/** What one input item asks for. */
export interface LookUpRequest {
	/** Profiles to look up: normalised URL to the spelling that the item used. */
	urls: Map<string, string>;
	/** Everything in the request's body but the URLs and the paging. */
	body: Json;
	/** Rows wanted of all input items together; Infinity for all. */
	limit: number;
	/** What is emitted of a row. */
	form: RowForm;
	unmatched: 'leaveOut' | 'returnAsNotFound' | 'secondOutput';
	alreadyLookedUp: 'lookUpAgain' | 'leaveOut';
	settings: FetchSettings;
}

/** Lookups with the same body share what has come, so that no URL is looked up for two of them. */
export function planLookUps(
	requests: Array<ItemRequest<LookUpRequest>>,
	paid: PaidResults,
): Fetch[] {
	const fetches = groupBy(requests, ({ body }) => body).flatMap((members) => {
		const shapes = rowShapes(
			members.map(({ request }) => request.form),
			PROFILE_FIELDS,
		);
		const [{ request }] = members as [ItemRequest<LookUpRequest>];
		const profiles = paid.profiles([request.body, shapes.name]);
		const emitted = new Set<Json>();
		return groupBy(members, ({ limit, settings }) => [limit, settings]).map(
			(same) =>
				new LookUpFetch(same, shapes, profiles, emitted, (url) =>
					paid.leavesOut(url, profiles),
				),
		);
	});
	return inOrderOfItems(fetches);
}

/** An input item that asked for a profile. */
interface Asker {
	item: number;
	/** The URL as the item spells it. */
	spelling: string;
	request: LookUpRequest;
}

class LookUpFetch implements Fetch<BatchRequest> {
	readonly items: number[];
	readonly settings: FetchSettings;
	private readonly first: LookUpRequest;
	private readonly askers: ReadonlyMap<string, readonly Asker[]>;
	/** Profiles that are left out, since an earlier execution bought them. */
	private readonly leftOut = new Set<string>();
	/** Those that came: the URLs of rows, and those that a renamed profile may be about. */
	private readonly remembered = new Set<string>();
	private readonly remembers: boolean;
	private pagination?: UrlBatches;
	private held = NOTHING_HELD;

	/**
	 * @param emitted rows that were emitted, by other fetches too: whoever else gets them gets copies
	 * @param wasBought whether an earlier execution bought a profile
	 */
	constructor(
		members: Array<ItemRequest<LookUpRequest>>,
		private readonly shapes: RowShapes,
		readonly source: ProfileRows,
		private readonly emitted: Set<Json>,
		wasBought: (url: string) => boolean,
	) {
		const [first] = members;
		if (!first) throw new Error('A fetch needs an input item');
		this.first = first.request;
		this.settings = first.request.settings;
		this.items = members.map(({ item }) => item);
		this.remembers = members.some(({ request }) => request.alreadyLookedUp === 'leaveOut');
		this.askers = askersOf(members, ({ url, request }) => {
			const isLeftOut = request.alreadyLookedUp === 'leaveOut' && wasBought(url);
			if (isLeftOut) this.leftOut.add(url);
			return !isLeftOut;
		});
	}

	start(): UrlBatches {
		const { source, askers, first } = this;
		const urls = [...askers.keys()];
		const matched = urls.reduce((sum, url) => sum + source.rowsOf(url).length, 0);
		const come = matched + this.unmatchedRows();
		this.pagination = new UrlBatches({
			urls,
			limit: Math.max(0, first.limit - come),
			profiles: source,
			pageSize: first.settings.pageSize,
			documentedPageSize: ENDPOINTS.lookUp.documentedPageSize,
			urlOf: profileOf,
			shape: this.shapes.keep,
		});
		return this.pagination;
	}

	body({ urls, page, size, maxRows }: BatchRequest): Json {
		return {
			...this.first.body,
			linkedinUrls: urls,
			_page: page,
			_per_page: size,
			max_results: maxRows,
		};
	}

	emit(output: FetchOutput, hint: (message: string) => void): Held {
		const { source, askers, leftOut } = this;
		if (leftOut.size > 0) hint(hintLeftOut(leftOut.size));
		let left = this.first.limit;
		for (const [url, asked] of askers) {
			for (const row of source.rowsOf(url).slice(0, left)) {
				left -= 1;
				this.remembered.add(url);
				for (const { item, request } of asked) {
					const json = this.shapes.output(row, request.form);
					output.add(item, this.emitted.has(row) ? { ...json } : json);
					this.count(row, source.boughtAt(url));
				}
			}
		}
		this.emitUnmatched(left, output, hint);
		for (const [url, asked] of askers) {
			if (source.stateOf(url) !== 'notFound') continue;
			for (const { item, spelling, request } of asked) {
				const json = notFound(spelling);
				if (request.unmatched === 'returnAsNotFound') output.add(item, json);
				if (request.unmatched === 'secondOutput') output.addNotFound(item, json);
			}
		}
		return this.held;
	}

	bought(): Iterable<string> {
		return this.remembers ? this.remembered : [];
	}

	remainder() {
		const { pagination, askers } = this;
		return {
			items: this.itemsOf(pagination?.missing() ?? askers.keys()),
			urls: pagination?.missingForSure().length ?? askers.size,
		};
	}

	/** Rows of an earlier run that may be about URLs asked for now: they are emitted too. */
	private unmatchedRows(): number {
		const { source, askers, emitted } = this;
		return source.unmatched.filter(
			({ row, urls }) => !emitted.has(row) && [...urls].some((url) => askers.has(url)),
		).length;
	}

	/** Rows for URLs that nobody asked for, such as those of renamed profiles. */
	private emitUnmatched(
		most: number,
		output: FetchOutput,
		hint: (message: string) => void,
	): void {
		const { source, askers, emitted } = this;
		const requestOf = new Map([...askers.values()].flat().map((asker) => [asker.item, asker]));
		const all = [...requestOf.keys()].sort((one, other) => one - other);
		const openItems = new Map<ReadonlySet<string>, number[]>();
		const heldBack = new Set<string>();
		let left = most;
		let unclear = 0;
		for (const { row, urls, boughtAt } of source.unmatched) {
			const open = openItems.get(urls) ?? this.itemsOf(urls);
			openItems.set(urls, open);
			const isOthers = boughtAt !== undefined && open.length === 0;
			if (emitted.has(row) || isOthers) continue;
			if (left < 1) {
				for (const url of urls) heldBack.add(url);
				continue;
			}
			left -= 1;
			this.count(row, boughtAt);
			this.remembered.add(profileOf(row) ?? '');
			const items = open.length > 0 ? open : all;
			const form = requestOf.get(items[0] ?? 0)?.request.form ?? 'raw';
			output.addForAny(items, this.shapes.output(row, form));
			if (urls.size > 1 || items.length > 1) unclear += 1;
		}
		const uncertain = [...askers.keys()].filter((url) => source.stateOf(url) === 'uncertain');
		this.rememberRenamed(new Set(uncertain.filter((url) => !heldBack.has(url))));
		if (unclear === 0) return;
		hint(hintUnmatched(unclear, uncertain.length));
	}

	/**
	 * Remembers the URLs that rows with other URLs are surely about: where a request has left no more
	 * open than such rows came. Of many, most have never been bought.
	 */
	private rememberRenamed(uncertain: ReadonlySet<string>): void {
		const rows = new Map<ReadonlySet<string>, number>();
		for (const { urls } of this.source.unmatched) rows.set(urls, (rows.get(urls) ?? 0) + 1);
		for (const [urls, count] of rows) {
			const open = [...urls].filter((url) => uncertain.has(url));
			if (open.length <= count) for (const url of open) this.remembered.add(url);
		}
	}

	private count(row: Json, boughtAt: number | undefined): void {
		if (!this.emitted.has(row)) this.held = addHeld(this.held, 1, boughtAt);
		this.emitted.add(row);
	}

	/** The input items that asked for any of these URLs, in order. */
	private itemsOf(urls: Iterable<string>): number[] {
		const items = new Set<number>();
		for (const url of urls) for (const { item } of this.askers.get(url) ?? []) items.add(item);
		return [...items].sort((one, other) => one - other);
	}
}

function askersOf(
	members: Array<ItemRequest<LookUpRequest>>,
	isWanted: (asked: { url: string; request: LookUpRequest }) => boolean,
): Map<string, Asker[]> {
	const askers = new Map<string, Asker[]>();
	for (const { item, request } of members) {
		for (const [url, spelling] of request.urls) {
			if (!isWanted({ url, request })) continue;
			const asker = { item, spelling, request };
			const known = askers.get(url);
			if (known) known.push(asker);
			else askers.set(url, [asker]);
		}
	}
	return askers;
}

/** The profile that a row is about, as a normalised URL; undefined where it names none. */
function profileOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' ? normaliseLinkedInUrl(url) : undefined;
}

function hintLeftOut(urls: number): string {
	const profiles = urls === 1 ? '1 profile was' : `${urls.toLocaleString('en')} profiles were`;
	return `${profiles} bought in earlier executions and left out. To get them again, set Already Looked Up to Look Up Again, which pays for them again.`;
}

function hintUnmatched(rows: number, urls: number): string {
	const profiles = rows === 1 ? '1 profile came' : `${rows} profiles came`;
	return `${profiles} back under a URL that was not asked for, for example because the profile was renamed. ${urls} of the URLs asked for may be about them: these are neither found nor not found, and are not asked for again.`;
}

function notFound(spelling: string): Json {
	return { linkedin_url: spelling, found: false, has_email: false, has_phone: false };
}
