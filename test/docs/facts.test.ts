/** Compares the names, columns and numbers of the pages with the code. */
import ts from 'typescript';
import type { INodeProperties } from 'n8n-workflow';

import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import { ENDPOINTS, estimatePrice, MAX_RESULTS } from '../../nodes/LeadSearch/api/contract';
import { MAX_RETRY_BYTES } from '../../nodes/LeadSearch/cache/retryData';
import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { DEFAULT_PAGE_SIZE, SMALL_PAGE_SIZE } from '../../nodes/LeadSearch/paging/pages';
import { OPTION_NAMES } from '../../nodes/LeadSearch/parameters/collections';
import { limitForCaller } from '../../nodes/LeadSearch/resources/lead/leads';
import { LEAD_FIELDS, PROFILE_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import { manifest, read, tableIn, visitSyntax } from '../release/project';

const node = new LeadSearch().description.properties;
const trigger = new LeadSearchTrigger().description.properties;

/** The operations of the node, and the trigger, as search.md names them. */
const PLACES: Readonly<Record<string, string>> = {
	buyLeads: 'Search',
	buyProfiles: 'Look Up',
	preview: 'Preview',
	count: 'Count',
};
const ALL_PLACES = [...Object.values(PLACES), 'trigger'];

const collectionIn = (properties: INodeProperties[], name: string) =>
	properties
		.filter((property) => property.name === name)
		.map((property) => ({
			operation: property.displayOptions?.show?.operation?.find((one) => typeof one === 'string'),
			members: (property.options ?? []) as INodeProperties[],
		}));

interface Offered extends INodeProperties {
	place: string;
}

const offered: Offered[] = [
	...collectionIn(node, 'options').flatMap(({ operation, members }) =>
		members.map((member) => ({ ...member, place: PLACES[operation ?? ''] ?? 'unknown' })),
	),
	...collectionIn(trigger, 'options').flatMap(({ members }) =>
		members.map((member) => ({ ...member, place: 'trigger' })),
	),
];

/** Writes a default as the pages write it. */
function formatDefault({ default: value, options }: INodeProperties): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value === 'number') return value.toLocaleString('en');
	const choice = options?.find((option) => 'value' in option && option.value === value);
	return choice?.name ?? 'unknown';
}

const cells = (page: string, ...titles: string[]) => tableIn(page, ...titles).rows;
const codes = (text: string) => [...text.matchAll(/`([\w$]+)`/g)].map(([, name = '']) => name);

/** The only sentence, cell or item of a page that contains a text. */
function lineWith(page: string, text: string): string {
	const found = read(page)
		.split('\n')
		.filter((line) => line.includes(text));
	expect(found).toHaveLength(1);
	return found.join('');
}

describe('docs/search.md', () => {
	const page = 'docs/search.md';

	test('the options are those of the editor, each with its operations and its default', () => {
		const listed = cells(page, 'Option', 'Where').map(([label = '', where = '', value = '']) => ({
			label,
			value,
			places: (where === 'all' ? ALL_PLACES : where.split(', ')).toSorted(),
		}));
		const labels = [...new Set(offered.map(({ displayName }) => displayName))];
		const inCode = labels.map((label) => {
			const options = offered.filter(({ displayName }) => displayName === label);
			const [value = '', ...others] = new Set(options.map(formatDefault));
			expect(others).toEqual([]);
			return { label, value, places: options.map(({ place }) => place).toSorted() };
		});
		const byLabel = (one: { label: string }, other: { label: string }) =>
			one.label.localeCompare(other.label);
		expect(listed.toSorted(byLabel)).toEqual(inCode.toSorted(byLabel));
	});

	test("an option that is named for the JSON exists, and the editor doesn't offer it there", () => {
		const line = lineWith(page, "doesn't offer");
		const names = codes(line).filter((name) => name !== 'options');
		expect(names).toEqual(expect.arrayContaining(['maxRetries', 'includeWorkEmails']));
		expect(names.filter((name) => !OPTION_NAMES.includes(name))).toEqual([]);
		const isOffered = (name: string, place: string) =>
			offered.some((option) => option.name === name && option.place === place);
		expect(names.filter((name) => isOffered(name, 'Look Up'))).toEqual([]);
		expect(isOffered('includeEmails', 'Search')).toBe(false);
	});

	test('the filters are those of the node, with the values of Email Status', () => {
		const listed = cells(page, 'Filter', 'What it selects');
		const filters = [node, trigger]
			.flatMap((properties) => collectionIn(properties, 'filters'))
			.filter(({ members }) => members.length > 0);
		expect(filters).toHaveLength(4);
		for (const { members } of filters)
			expect(members.map(({ displayName }) => displayName).toSorted()).toEqual(
				listed.map(([label]) => label).toSorted(),
			);
		const [first] = filters;
		const status = first?.members.find(({ name }) => name === 'emailStatus');
		const [, , values = ''] = listed.find(([label]) => label === 'Email Status') ?? [];
		const names = values.replace(/ \(.*?\)/, '').split(', ');
		expect(names).toEqual(status?.options?.map((option) => option.name));
	});

	test('the columns are those that Simplify returns', () => {
		const rows = cells(page, 'Column', 'Search');
		const columnsOf = (index: number) =>
			rows.filter((row) => row[index] === 'yes').flatMap(([name = '']) => codes(name));
		expect(columnsOf(1)).toEqual(Object.keys(LEAD_FIELDS));
		expect(columnsOf(2)).toEqual(Object.keys(PROFILE_FIELDS));
		expect(columnsOf(3)).toEqual(columnsOf(1).filter((name) => name !== 'mobile_phone'));
	});

	test('the further columns without Simplify are those that a tool offers', () => {
		const line = lineWith(page, 'If you turn **Simplify** off');
		const fields = node.filter(({ name }) => name === 'fields');
		const further = fields.flatMap(({ options = [] }) => options.map(({ name }) => name));
		const simplified = Object.keys({ ...LEAD_FIELDS, ...PROFILE_FIELDS });
		expect(codes(line).toSorted()).toEqual(
			[...new Set(further)].filter((name) => !simplified.includes(name)).toSorted(),
		);
	});

	test.each([
		['Count', 'lead/count'],
		['Check URLs', 'linkedInProfile/check'],
	])('the columns of %s are those of its schema', (label, schema) => {
		const text = read(`nodes/LeadSearch/__schema__/v1.0.0/${schema}.json`);
		const { properties } = JSON.parse(text) as { properties: object };
		const [, listed = ''] =
			new RegExp(`\\*\\*${label}\\*\\* returns (.*?)\\.`).exec(read(page)) ?? [];
		expect(codes(listed)).toEqual(Object.keys(properties));
	});
});

test('docs/trigger.md names the fields of usage that Include Usage of the trigger describes', () => {
	const [, described = ''] =
		/"usage" what its poll cost: (.*)$/.exec(
			offered.find(({ place, name }) => place === 'trigger' && name === 'includeUsage')
				?.description ?? '',
		) ?? [];
	const listed = codes(lineWith('docs/trigger.md', '`creditsToday`'));
	expect(listed.length).toBeGreaterThan(5);
	expect(listed.filter((name) => !new RegExp(`\\b${name}\\b`).test(described))).toEqual([]);
});

test('docs/credits.md and the README have the prices from which Count estimates', () => {
	const packages = cells('docs/credits.md', 'Credits', 'US dollars').map((row) =>
		row.map((cell) => Number(cell.replace(',', ''))),
	);
	for (const [credits = NaN, price = NaN, perThousand = NaN] of packages)
		expect(perThousand).toBeCloseTo((price / credits) * 1_000, 2);
	const [smallest = [], largest = []] = [packages.at(0), packages.at(-1)];
	expect(estimatePrice(smallest[0] ?? NaN).usdTo).toBe(smallest[1]);
	expect(estimatePrice(largest[0] ?? NaN).usdFrom).toBe(largest[1]);
	const { usdFrom, usdTo } = estimatePrice(1_000);
	expect(read('README.md')).toContain(
		`1,000 credits cost ${usdFrom.toFixed(2)} to ${usdTo.toFixed(2)} US dollars`,
	);
});

test('docs/service.md has the paths of the three endpoints', () => {
	const paths = cells('docs/service.md', 'Endpoint', 'Used by').map(([first]) => first);
	expect(paths).toEqual(Object.values(ENDPOINTS).map(({ path }) => `POST ${path}`));
});

test('docs/install.md names the fields of the credential and the packed file of this version', () => {
	const fields = new LeadSearchApi().properties.filter(({ type }) => type !== 'hidden');
	const labels = new Set(fields.map(({ displayName }) => displayName));
	labels.delete('Session Token');
	expect(cells('docs/install.md', 'Field').map(([label]) => label)).toEqual([...labels]);
	expect(read('docs/install.md')).toContain(`./n8n-nodes-lead-search-${manifest.version}.tgz`);
});

/** Reads the number of a constant that a file doesn't export, for example of `const cache = new PaidRows(64_000_000)`. */
function constantIn(file: string, name: string): number {
	const values: number[] = [];
	visitSyntax(`nodes/LeadSearch/${file}`, (found) => {
		if (!ts.isVariableDeclaration(found) || found.name.getText() !== name) return;
		values.push(parseFloat(found.initializer?.getText().replace(/[^\d.]/g, '') ?? ''));
	});
	const [value = NaN, ...others] = values;
	if (Number.isNaN(value) || others.length > 0) throw new Error(`${file} has no constant ${name}`);
	return value;
}

function defaultOf(properties: INodeProperties[], label: string, operation = 'buyLeads'): number {
	const found = properties.filter(({ displayName, displayOptions }) => {
		const shown = displayOptions?.show?.operation;
		return displayName === label && (shown === undefined || shown.includes(operation));
	});
	const [value] = new Set(found.map((property) => Number(property.default)));
	return value ?? NaN;
}

const minutes = offered.find(({ name }) => name === 'reusePaidResults');
const pollSeconds = constantIn('trigger/poll.ts', 'DEFAULT_POLL_MS') / 1_000;
const agentLimit = (form: 'raw' | typeof LEAD_FIELDS) => limitForCaller(true, 1e6, form).limit;

/** The numbers of pages that come from the code: the words around each, where # is the number, and its value. */
const NUMBERS: ReadonlyArray<readonly [page: string, words: string, value: number]> = [
	['README.md', 'The same Search or Look Up within # minutes', Number(minutes?.default)],
	['docs/search.md', 'It is # unless you change it', defaultOf(node, 'Limit')],
	['docs/search.md', 'up to lead #.', MAX_RESULTS],
	['docs/search.md', 'again), at most #', Number(minutes?.typeOptions?.maxValue)],
	['docs/credits.md', 'starts within # minutes after the purchase', Number(minutes?.default)],
	['docs/credits.md', '(# unless you change it)', defaultOf(trigger, 'Max Credits per Day')],
	['docs/credits.md', 'Results beyond # MB', MAX_RETRY_BYTES / 1e6],
	['docs/trigger.md', '(# unless you change it)', defaultOf(trigger, 'Leads per Poll')],
	['docs/trigger.md', 'the last # leads that it', constantIn('trigger/cursor.ts', 'MAX_DELIVERED')],
	['docs/agents.md', 'At most # leads or profiles', agentLimit(LEAD_FIELDS)],
	['docs/agents.md', 'set to Raw, at most # leads', agentLimit('raw')],
	['docs/operating.md', 'At most # MB, which', constantIn('cache/paidResults.ts', 'cache') / 1e6],
	['docs/operating.md', 'failed execution, at most # MB', MAX_RETRY_BYTES / 1e6],
	['docs/operating.md', 'answered after # seconds', pollSeconds * 0.9],
	[
		'docs/operating.md',
		'fetch nothing for # seconds',
		constantIn('trigger/poll.ts', 'MAX_SAVING_MS') / 1_000,
	],
	['docs/operating.md', 'a run requests at most # rows', SMALL_PAGE_SIZE],
	['docs/operating.md', 'credits instead of #.', DEFAULT_PAGE_SIZE],
	['docs/operating.md', 'grow to # (', constantIn('parameters/fetching.ts', 'PARALLEL_PAGES')],
	['docs/service.md', 'the run requests at most # rows', SMALL_PAGE_SIZE],
	['docs/failures.md', 'then accepts # MB', constantIn('api/request.ts', 'MIN_SIZE_LIMIT') / 1e6],
	['SECURITY.md', 'reads at most # to', constantIn('api/request.ts', 'MIN_SIZE_LIMIT') / 1e6],
];

test.each(NUMBERS)('%s says "%s" with the number of the code, %s', (page, words, value) => {
	const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('#', '([\\d,]+)');
	const found = [...read(page).matchAll(new RegExp(escaped, 'g'))];
	expect(found.length).toBeGreaterThan(0);
	for (const [, number] of found) expect(number).toBe(value.toLocaleString('en'));
});

/** Names of n8n that pages write in bold. */
const NAMES_OF_N8N: ReadonlySet<string> = new Set(
	'Agents, AI Agent, Cell Format, Executions, Google Sheets, Hunter, MCP Server Trigger, On Error, Poll Times, Retry, Security, Settings'.split(
		', ',
	),
);

const userPages = ['README.md', 'SECURITY.md'].concat(
	['install', 'search', 'credits', 'trigger', 'failures', 'agents', 'operating'].map(
		(name) => `docs/${name}.md`,
	),
);

/** All labels of parameters, options, values and operations. */
function labelsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(labelsIn);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		['displayName', 'name', 'action'].includes(key) && typeof inner === 'string'
			? [inner]
			: labelsIn(inner),
	);
}

/** Whether each word starts with a capital letter, as in names of parameters, except short ones such as 'per'. */
const isName = (text: string) =>
	/^[A-Z][\w()]*(?: (?:[A-Z][\w()]*|as|for|in|of|on|per|to))*$/.test(text);

test.each(userPages)('each name in bold on %s is a name of the nodes or of n8n', (page) => {
	const labels = labelsIn([new LeadSearch(), new LeadSearchTrigger(), new LeadSearchApi()]);
	const short = labels.map((label) => label.replace(/ \(.*\)$/, ''));
	const known = new Set([...labels, ...short, 'Not Found', ...NAMES_OF_N8N]);
	const bold = [...read(page).matchAll(/\*\*(?:(?:Lead|LinkedIn Profile): )?(.+?)\*\*/g)];
	const names = bold.map(([, name = '']) => name).filter(isName);
	expect(names.length).toBeGreaterThan(0);
	expect(names.filter((name) => !known.has(name))).toEqual([]);
});
