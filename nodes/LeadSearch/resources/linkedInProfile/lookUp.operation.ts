import { UrlBatches, type BatchRequest, type ProfileRows } from '../../api/batches';
import { ENDPOINTS, MAX_LINKEDIN_URLS, type Json } from '../../api/contract';
import { addHeld, NOTHING_HELD } from '../../api/listRows';
import {
	creditBudget,
	limit,
	maxRetries,
	optionsCollection,
	pageSize,
	parallelPages,
	readFetchSettings,
	readLimit,
	returnAll,
	reusePaidResults,
	simplify,
	timeout,
	type FetchSettings,
} from '../../parameters/fetching';
import { InvalidParameterError, show } from '../../parameters/invalidParameter';
import { readWords } from '../../parameters/lists';
import { choice, toggle } from '../../parameters/parameter';
import { collectionValues, type ParameterValues } from '../../parameters/values';
import {
	groupBy,
	inOrderOfItems,
	type Fetch,
	type FetchOutput,
	type ItemRequest,
	type Operation,
	type PaidResults,
} from '../operation';
import { PROFILE_FIELDS, rowShapes, type RowShapes } from '../simplify';
import { normaliseLinkedInUrl } from './linkedInUrl';

/** A paid lookup: a credit for each profile found. */
interface LookUpRequest {
	/** Profiles to look up: normalised URL to the spelling that the item used. */
	urls: Map<string, string>;
	/** Everything in the request's body but the URLs and the paging. */
	body: Json;
	/** Rows wanted of all input items together; Infinity for all. */
	limit: number;
	simplify: boolean;
	unmatched: 'leaveOut' | 'returnAsNotFound';
	settings: FetchSettings;
}

const size = pageSize(
	'lookUp',
	'The most URLs to look up in one request. Larger pages take fewer requests.',
);

const includeWorkEmails = toggle({
	displayName: 'Include Work Emails',
	name: 'includeWorkEmails',
	default: true,
	description: 'Whether to return work email addresses',
});

const includePersonalEmails = toggle({
	displayName: 'Include Personal Emails',
	name: 'includePersonalEmails',
	default: true,
	description: 'Whether to return personal email addresses',
});

const includePhones = toggle({
	displayName: 'Include Phones',
	name: 'includePhones',
	default: false,
	description: 'Whether to return mobile phones',
});

const onlyWithEmails = toggle({
	displayName: 'Only With Emails',
	name: 'onlyWithEmails',
	default: true,
	description:
		'Whether to return, and pay for, only profiles for which an email address is found',
});

const unmatched = choice({
	displayName: 'Unmatched URLs',
	name: 'unmatched',
	options: [
		{
			name: 'Leave Out',
			value: 'leaveOut',
			description: 'Return nothing for URLs that the service has nothing for',
		},
		{
			name: 'Return as Not Found',
			value: 'returnAsNotFound',
			description: 'Return an item with <code>found</code> set to false for each of them',
		},
	],
	default: 'leaveOut',
	description: 'What to do with URLs that the service has nothing for',
});

export const lookUp: Operation<LookUpRequest> = {
	endpoint: 'lookUp',

	properties: [
		{
			displayName: 'LinkedIn URLs',
			name: 'linkedinUrls',
			type: 'string',
			typeOptions: { rows: 3 },
			// Not `required`: n8n's own message names neither the item nor what to write.
			default: '',
			placeholder: 'e.g. https://www.linkedin.com/in/profile-name',
			description:
				'Profiles to look up: separated by commas, spaces or line breaks, or an array from an expression. The URLs of all input items go into one request where possible.',
		},
		{ ...returnAll.property, default: true },
		{
			displayName:
				'Each profile found costs 1 credit. Credit Budget (under Options) sets a ceiling.',
			name: 'returnAllNotice',
			type: 'notice',
			displayOptions: { show: { returnAll: [true] } },
			default: '',
		},
		limit.property,
		simplify.property,
		optionsCollection(
			[
				creditBudget,
				includePersonalEmails,
				includePhones,
				includeWorkEmails,
				maxRetries,
				onlyWithEmails,
				size,
				parallelPages,
				reusePaidResults,
				timeout,
				unmatched,
			].map(({ property }) => property),
		),
	],

	read(values: ParameterValues): LookUpRequest {
		const options = collectionValues(values, 'options');
		const settings = readFetchSettings(options, size);
		return {
			urls: readUrls(values.get('linkedinUrls')),
			body: {
				includeWorkEmails: includeWorkEmails.read(options),
				includePersonalEmails: includePersonalEmails.read(options),
				includePhones: includePhones.read(options),
				onlyWithEmails: onlyWithEmails.read(options),
			},
			limit: readLimit(values),
			simplify: simplify.read(values),
			unmatched: unmatched.read(options),
			settings: { ...settings, pageSize: Math.min(settings.pageSize, MAX_LINKEDIN_URLS) },
		};
	},

	plan(requests: Array<ItemRequest<LookUpRequest>>, paid: PaidResults): Fetch[] {
		const fetches = groupBy(requests, ({ body }) => body).flatMap((members) => {
			const shapes = rowShapes(
				members.map(({ request }) => request.simplify),
				PROFILE_FIELDS,
			);
			const [{ request }] = members as [ItemRequest<LookUpRequest>];
			const profiles = paid.profiles([request.body, shapes.name]);
			const source: Source = { profiles, emitted: new Set() };
			return groupBy(members, ({ limit: rows, settings }) => [rows, settings]).map((same) =>
				lookUpFetch(same, shapes, source),
			);
		});
		return inOrderOfItems(fetches);
	},
};

/** An input item that asked for a profile. */
interface Asker {
	item: number;
	/** The URL as the item spells it. */
	spelling: string;
	request: LookUpRequest;
}

/** What has come of URLs that are looked up with the same body. */
interface Source {
	profiles: ProfileRows;
	/** Rows that were put out, so that others get copies. */
	emitted: Set<Json>;
}

function lookUpFetch(
	members: Array<ItemRequest<LookUpRequest>>,
	shapes: RowShapes,
	{ profiles, emitted }: Source,
): Fetch<BatchRequest> {
	const [first] = members;
	if (!first) throw new Error('A fetch needs an input item');
	const { body, limit: rowsWanted, settings } = first.request;
	const askers = askersOf(members);
	const urls = [...askers.keys()];
	const itemsOf = (some: Iterable<string>) =>
		distinctItems([...some].flatMap((url) => askers.get(url) ?? []));

	let held = NOTHING_HELD;
	const put = (output: FetchOutput, row: Json, { item, request }: Asker, boughtAt?: number) => {
		const json = shapes.output(row, request.simplify);
		output.add(item, emitted.has(row) ? { ...json } : json);
		count(row, boughtAt);
	};
	const count = (row: Json, boughtAt?: number) => {
		if (!emitted.has(row)) held = addHeld(held, 1, boughtAt);
		emitted.add(row);
	};
	let pagination: UrlBatches | undefined;
	return {
		items: members.map(({ item }) => item),
		settings,
		source: profiles,
		start() {
			const held = urls.reduce((sum, url) => sum + (profiles.byUrl.get(url)?.length ?? 0), 0);
			return (pagination = new UrlBatches({
				urls,
				limit: Math.max(0, rowsWanted - held),
				profiles,
				pageSize: settings.pageSize,
				documentedPageSize: ENDPOINTS.lookUp.documentedPageSize,
				urlOf,
				shape: shapes.keep,
			}));
		},
		body: (request) => ({
			...body,
			linkedinUrls: request.urls,
			_page: request.page,
			_per_page: request.size,
			max_results: request.maxRows,
		}),
		emit(output) {
			let left = rowsWanted;
			for (const [url, asked] of askers) {
				for (const row of profiles.byUrl.get(url)?.slice(0, left) ?? []) {
					left -= 1;
					for (const asker of asked) put(output, row, asker, profiles.boughtAt.get(url));
				}
			}
			emitUnmatched(left, output);
			for (const [url, asked] of askers) {
				if (!profiles.notFound.has(url)) continue;
				for (const { item, spelling, request } of asked) {
					if (request.unmatched === 'returnAsNotFound')
						output.add(item, notFound(spelling));
				}
			}
			return held;
		},
		remainder() {
			const missing = pagination?.missing() ?? urls;
			return { items: itemsOf(missing), urls: missing.length };
		},
	};

	/** Rows for URLs that nobody asked for, such as those of renamed profiles. */
	function emitUnmatched(most: number, output: FetchOutput): void {
		const rows = profiles.unmatched
			.filter(
				({ row, urls: open, boughtAt }) =>
					!emitted.has(row) && (boughtAt === undefined || itemsOf(open).length > 0),
			)
			.slice(0, most);
		let unclear = 0;
		for (const { row, urls: open, boughtAt } of rows) {
			count(row, boughtAt);
			const items = itemsOf(open);
			const candidates =
				items.length > 0 ? items : distinctItems([...askers.values()].flat());
			const isSimplified = members.find(({ item }) => item === candidates[0])?.request
				.simplify;
			output.addForAny(candidates, shapes.output(row, isSimplified === true));
			if (open.size > 1 || candidates.length > 1) unclear += 1;
		}
		if (unclear > 0) output.hint(hintUnmatched(unclear, profiles.uncertain.size));
	}
}

function hintUnmatched(rows: number, urls: number): string {
	const profiles = rows === 1 ? '1 profile came' : `${rows} profiles came`;
	return `${profiles} back under a URL that was not asked for, for example because the profile was renamed. ${urls} of the URLs asked for may be about them: these are neither found nor not found, and are not asked for again.`;
}

function notFound(spelling: string): Json {
	return { linkedin_url: spelling, found: false, has_email: false, has_phone: false };
}

function urlOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' ? normaliseLinkedInUrl(url) : undefined;
}

function distinctItems(askers: Asker[]): number[] {
	return [...new Set(askers.map(({ item }) => item))].sort((one, other) => one - other);
}

function askersOf(members: Array<ItemRequest<LookUpRequest>>): Map<string, Asker[]> {
	const askers = new Map<string, Asker[]>();
	for (const { item, request } of members) {
		for (const [url, spelling] of request.urls) {
			const asker = { item, spelling, request };
			const known = askers.get(url);
			if (known) known.push(asker);
			else askers.set(url, [asker]);
		}
	}
	return askers;
}

const LABEL = 'LinkedIn URLs';
const ADVICE =
	"Write addresses of LinkedIn profiles, separated by commas, spaces or line breaks, e.g. 'https://www.linkedin.com/in/profile-name'.";

function readUrls(value: unknown): Map<string, string> {
	const spellings = readWords(value);
	if (!spellings) throw new InvalidParameterError(LABEL, 'holds a value that is no text', ADVICE);
	const urls = new Map<string, string>();
	for (const spelling of spellings) {
		const url = normaliseLinkedInUrl(spelling);
		if (url === undefined) {
			throw new InvalidParameterError(
				LABEL,
				`holds ${show(spelling)}, which is no LinkedIn profile`,
				ADVICE,
			);
		}
		if (!urls.has(url)) urls.set(url, spelling);
	}
	if (urls.size === 0) throw new InvalidParameterError(LABEL, 'is empty', ADVICE);
	return urls;
}
