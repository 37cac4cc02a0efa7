import { MAX_LINKEDIN_URLS, MAX_RESULTS, type Json } from '../service/contract';
import { readPaidPage } from '../service/answer';
import { normaliseLinkedInUrl } from '../service/linkedInUrl';
import {
	BadParameter,
	PAGE_SIZE,
	show,
	type Fetching,
	type ItemParameters,
} from './itemParameters';
import { readList } from './lists';
import {
	groupSame,
	maxResults,
	type ItemRequest,
	type Job,
	type List,
	type Operation,
} from './operation';
import type { Output } from './output';
import { creditBudget, fetchingOptions, limit, returnAll, simplify } from './sharedParameters';
import { pick, PROFILE_FIELDS } from './simplify';

/** A paid lookup: a credit for each profile found. */
interface LookUpRequest {
	/** Profiles to look up: normalised URL to the spelling that the item used. */
	urls: Map<string, string>;
	settings: Settings;
}

interface Settings {
	/** Everything in the request's body but the URLs and the paging. */
	body: Json;
	simplify: boolean;
	notFoundItems: boolean;
	fetching: Fetching;
}

/** More URLs than fit into one request make a longer list than a search can have. */
const MOST_SKIPPED = Number.MAX_SAFE_INTEGER;

const { maxRetries, pageSize, parallelPages, skip, timeout } = fetchingOptions(
	PAGE_SIZE.lookUp,
	MOST_SKIPPED,
);

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
				'Profiles to look up: comma-separated or one per line, or an array from an expression. The URLs of all input items go into one request where possible.',
		},
		{ ...returnAll, default: true },
		{
			displayName:
				'Each profile found costs 1 credit. Credit Budget (under Options) sets a ceiling.',
			name: 'returnAllNotice',
			type: 'notice',
			displayOptions: { show: { returnAll: [true] } },
			default: '',
		},
		limit,
		simplify,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				creditBudget,
				{
					displayName: 'Include Personal Emails',
					name: 'includePersonalEmails',
					type: 'boolean',
					default: true,
					description: 'Whether to return personal email addresses',
				},
				{
					displayName: 'Include Phones',
					name: 'includePhones',
					type: 'boolean',
					default: false,
					description: 'Whether to return mobile phones',
				},
				{
					displayName: 'Include Work Emails',
					name: 'includeWorkEmails',
					type: 'boolean',
					default: true,
					description: 'Whether to return work email addresses',
				},
				maxRetries,
				{
					displayName: 'Only With Emails',
					name: 'onlyWithEmails',
					type: 'boolean',
					default: true,
					description:
						'Whether to return, and pay for, only profiles for which an email address is found',
				},
				pageSize,
				parallelPages,
				skip,
				timeout,
				{
					displayName: 'Unmatched URLs',
					name: 'unmatched',
					type: 'options',
					options: [
						{
							name: 'Leave Out',
							value: 'leaveOut',
							description: 'Return nothing for URLs that the service has nothing for',
						},
						{
							name: 'Return as Not Found',
							value: 'returnAsNotFound',
							description:
								'Return an item with <code>found</code> set to false for each of them',
						},
					],
					default: 'leaveOut',
					description: 'What to do with URLs that the service has nothing for',
				},
			],
		},
	],

	read(parameters: ItemParameters): LookUpRequest {
		return {
			urls: readUrls(parameters.value('linkedinUrls')),
			settings: {
				body: {
					includeWorkEmails: parameters.option('includeWorkEmails', true),
					includePersonalEmails: parameters.option('includePersonalEmails', true),
					includePhones: parameters.option('includePhones', false),
					onlyWithEmails: parameters.option('onlyWithEmails', true),
				},
				simplify: parameters.simplify(),
				notFoundItems:
					parameters.choice('unmatched', ['leaveOut', 'returnAsNotFound'], 'leaveOut') ===
					'returnAsNotFound',
				fetching: parameters.fetching(PAGE_SIZE.lookUp, undefined, MOST_SKIPPED),
			},
		};
	},

	plan(requests: Array<ItemRequest<LookUpRequest>>): Job[] {
		return groupSame(requests, ({ settings }) => settings).flatMap(
			({ items, request, members }) => {
				const asked = askedBy(items, members);
				const batches = inBatches([...asked.keys()], MAX_LINKEDIN_URLS);
				const list: UrlList = {
					items,
					skip: request.settings.fetching.skip,
					longest: asked.size,
					asked,
					rowsLeft: request.settings.fetching.rows,
				};
				return batches.map((urls, batch) => lookUpJob(urls, batch, list, request.settings));
			},
		);
	},
};

/** Who asked for a profile, and in which spelling. */
type Askers = Map<string, Array<{ item: number; spelling: string }>>;

/** All URLs that are looked up with the same settings, in batches that share what is wanted. */
interface UrlList extends List {
	asked: Askers;
	/** Rows still wanted; shrinks with every row that comes. */
	rowsLeft: number;
}

function lookUpJob(urls: string[], batch: number, list: UrlList, settings: Settings): Job {
	const open = new Set(urls);
	const askers = (url: string) => list.asked.get(url) ?? [];
	// A batch has at most 100,000 rows, so Skip counts that many for each batch before this one.
	const passed = Math.max(0, settings.fetching.skip - batch * MAX_LINKEDIN_URLS);
	const fetching = () => ({
		...settings.fetching,
		skip: Math.min(passed, urls.length),
		rows: Math.max(0, list.rowsLeft),
	});
	return {
		items: distinctItems(urls.flatMap(askers)),
		list,
		fetching,
		longest: urls.length,
		body: (ask) => ({
			...settings.body,
			linkedinUrls: urls,
			_page: ask.page,
			_per_page: ask.size,
			max_results: maxResults(settings.fetching, MAX_RESULTS),
		}),
		readPage: (answer, secrets) => readPaidPage(answer, 'data', secrets),
		deliver(rows: Json[], output: Output) {
			list.rowsLeft -= rows.length;
			for (const row of rows) {
				const url =
					typeof row.linkedin_url === 'string'
						? normaliseLinkedInUrl(row.linkedin_url)
						: undefined;
				const json = settings.simplify ? pick(row, PROFILE_FIELDS) : row;
				const owners = url === undefined ? [] : askers(url);
				if (url !== undefined) open.delete(url);
				if (owners.length === 0) output.add(undefined, json);
				output.addForEach(
					owners.map(({ item }) => item),
					json,
				);
			}
		},
		complete(output: Output) {
			// With Skip, profiles of an earlier run would look as if they had not been found.
			if (!settings.notFoundItems || settings.fetching.skip > 0) return;
			for (const url of open) {
				for (const { item, spelling } of askers(url)) {
					output.add(item, {
						linkedin_url: spelling,
						found: false,
						has_email: false,
						has_phone: false,
					});
				}
			}
		},
		skipBefore: batch * MAX_LINKEDIN_URLS,
		unserved: () => distinctItems([...open].flatMap(askers)),
	};
}

function distinctItems(askers: Array<{ item: number }>): number[] {
	return [...new Set(askers.map(({ item }) => item))].sort((one, other) => one - other);
}

function askedBy(items: number[], members: LookUpRequest[]): Askers {
	const asked: Askers = new Map();
	members.forEach(({ urls }, index) => {
		for (const [url, spelling] of urls) {
			const asker = { item: items[index] ?? 0, spelling };
			const known = asked.get(url);
			if (known) known.push(asker);
			else asked.set(url, [asker]);
		}
	});
	return asked;
}

function inBatches(urls: string[], size: number): string[][] {
	const batches: string[][] = [];
	for (let start = 0; start < urls.length; start += size) {
		batches.push(urls.slice(start, start + size));
	}
	return batches;
}

const LABEL = 'LinkedIn URLs';
const ADVICE =
	"Write addresses of LinkedIn profiles, comma-separated or one per line, e.g. 'https://www.linkedin.com/in/profile-name'.";

function readUrls(value: unknown): Map<string, string> {
	const spellings = readList(value);
	if (!spellings) throw new BadParameter(LABEL, 'holds a value that is no text', ADVICE);
	const urls = new Map<string, string>();
	for (const spelling of spellings) {
		const url = normaliseLinkedInUrl(spelling);
		if (url === undefined) {
			throw new BadParameter(
				LABEL,
				`holds ${show(spelling)}, which is no LinkedIn profile`,
				ADVICE,
			);
		}
		if (!urls.has(url)) urls.set(url, spelling);
	}
	if (urls.size === 0) throw new BadParameter(LABEL, 'is empty', ADVICE);
	return urls;
}
