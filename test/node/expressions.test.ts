/** What people write around expressions: an expression that gives nothing never buys what nobody asked for. */
import type { INodeParameters } from 'n8n-workflow';

import { leadAt } from '../../sandbox/service';
import { iceland, useService } from './useService';

const shared = useService();
const { customer } = shared;

const isNothing = (label: string) =>
	`'${label}' is an expression that gives nothing: the field it names is not there`;
const holdsNothing = (label: string) =>
	`'${label}' holds an expression that gives nothing: the field it names is not there`;
const isNobodys = (label: string, text: string) =>
	`'${label}' holds '${text}', which is what an expression makes of a field that is not there, or that holds an object`;

type Written = [label: string, message: string, filters: INodeParameters];
const country = (personLocationCountry: string, message = isNothing('Person Country')): Written => [
	'Person Country',
	message,
	{ jobTitles: 'CEO', personLocationCountry },
];
const other = (message: string, ...all: string[]): Written[] =>
	all.map((otherFilters) => ['Other Filters (JSON)', message, { ...iceland, otherFilters }]);

describe.each<Written>([
	...['={{ $json.x }}\n', '={{ $json.x }} ', '= {{ $json.x }}', '=\n{{ $json.x }}\t\r\n'].map(
		(written) => country(written),
	),
	country('={{ $json.a }}, {{ $json.b }}'),
	country('=Iceland, {{ $json.b }}'),
	country('={{ $json.a }}\n{{ $json.b }}\n'),
	country('={{ [$json.x] }}, Iceland'),
	country('={{ [$json.x] }}', holdsNothing('Person Country')),
	country('={{ [$json.x, "Iceland"] }}\n', holdsNothing('Person Country')),
	country('={{ [{ a: 1 }].map((one) => one.name) }}', holdsNothing('Person Country')),
	...['={{ `${$json.x}` }}', '={{ $json.x + "" }}', '={{ ["Iceland", `${$json.x}`] }}'].map(
		(written) => country(written, isNobodys('Person Country', 'undefined')),
	),
	country('={{ $json.x * 2 }}, Iceland'),
	country('={{ $json.x * 2 }}', isNobodys('Person Country', 'NaN')),
	country('={{ `${null}` }}', isNobodys('Person Country', 'null')),
	country('={{ $json.object }}, Iceland', isNobodys('Person Country', '[object Object]')),
	country(
		'={{ "Head of " + $json.object }}',
		isNobodys('Person Country', 'Head of [object Object]'),
	),
	...other(
		isNothing('Other Filters (JSON)'),
		'={"company_size": ["{{ $json.size }}"]}',
		'={"company_size": [{{ $json.size }}]}',
		'={{ $json.filters }}\n',
	),
	...other(
		"'Other Filters (JSON)' sets 'company_size' to an expression that gives nothing: the field it names is not there",
		'={{ ({ company_size: [{ from: $json.size }] }) }}',
	),
	...other(
		"'Other Filters (JSON)' sets 'company_size' to 'undefined', which is what an expression makes of a field that is not there, or that holds an object",
		'={{ ({ company_size: [`${$json.size}`] }) }}',
	),
	...['jobTitles', 'job_title', 'JobTitles', 'job-titles', 'JOB_TITLES', 'job titles'].flatMap(
		(name) =>
			other(
				`'Other Filters (JSON)' sets '${name}', a name that the service does not know`,
				`{"${name}": ["CEO"]}`,
			),
	),
	...other(
		`'Other Filters (JSON)' sets 'personLocationCountries', a name that the service does not know`,
		'{"personLocationCountries": ["Iceland"]}',
	),
])('%s: %s: %j', (_, message, filters) => {
	test.each(['search', 'count', 'preview'] as const)('%s refuses it', async (operation) => {
		const before = shared.service.admin.requests().length;
		const input = [{ object: { a: 1 } }];
		const result = await customer()[operation]({ filters, limit: 5 }, { input });
		expect(result).toMatchObject({ message, spent: 0 });
		expect(result.description).toMatch(/^(Check the name|Write 'job_titles'|Write 'person_loc)/);
		expect(shared.service.admin.requests()).toHaveLength(before);
	});
});

test.each<[string, INodeParameters, unknown]>([
	['white space around it', { jobTitles: '= {{ $json.title }}\n' }, ['VP', 'CEO']],
	['an array with a line break after it', { jobTitles: '={{ ["VP, Sales"] }}\n' }, ['VP, Sales']],
	['a typed array', { jobTitles: '["VP, Sales"]\n' }, ['VP, Sales']],
	['a typed list with a line break', { jobTitles: 'VP, Sales\n' }, ['VP', 'Sales']],
	['several', { jobTitles: '={{ $json.title }}, {{ $json.none }} CTO' }, ['VP', 'CEO', 'CTO']],
	['null and empty texts in an array', { jobTitles: '={{ [null, "", "CEO"] }}' }, ['CEO']],
	['an optional one', { jobTitles: "={{ $json.x ?? '' }}\n", ...iceland }, undefined],
	['JSON around one', { otherFilters: '={"job_titles": ["{{ $json.one }}"]}' }, ['CEO']],
	['braces that are none', { jobTitles: 'a {{ b }}' }, ['a {{ b }}']],
])('is read as meant: %s', async (_, filters, titles) => {
	const { preview, requests } = customer();
	const input = [{ title: 'VP, CEO', none: null, one: 'CEO' }];
	await preview({ filters, limit: 1 }, { input });
	expect(requests()[0]?.body).toMatchObject({ _page: 1 });
	expect((requests()[0]?.body as Record<string, unknown>).job_titles).toEqual(titles);
});

const twenty = Array.from({ length: 20 }, (_, index) => leadAt(index).linkedin_url);
const switches = (on: boolean) => [
	...[on, String(on), String(on).toUpperCase(), on ? 'True' : 'False', on ? 1 : 0, on ? '1' : '0'],
];
const SWITCHES = [true, false].flatMap((on) =>
	switches(on).flatMap((value) =>
		['={{ $json.all }}', '={{ $json.all }} ', '=\n{{ $json.all }}\n'].map(
			(written) => [value, written, on] as const,
		),
	),
);
test.each(SWITCHES)('Return All by expression: %j in %j is %p', async (value, returnAll, isOn) => {
	const { lookUpAll } = customer();
	const input = [{ all: value }];
	const { spent } = await lookUpAll(twenty, { input }, {}, { returnAll, limit: 2 });
	expect(spent).toBe(isOn ? 20 : 2);
});

test.each([
	['={{ $json.all }}', { all: null }, 'is empty'],
	['={{ $json.all }}', { all: '' }, 'is empty'],
	['={{ $json.all }}', { all: 'no' }, "is 'no', neither true nor false"],
	['={{ $json.all }}', { all: 2 }, 'is 2, neither true nor false'],
	['={{ $json.all }}', { all: [true] }, 'is [true], neither true nor false'],
	['={{ $json.x }}', {}, 'is an expression that gives nothing: the field it names is not there'],
])('Return All %s of %j is refused', async (returnAll, item, problem) => {
	const { lookUpAll } = customer();
	const { message, spent } = await lookUpAll(
		twenty,
		{ input: [item] },
		{},
		{ returnAll, limit: 2 },
	);
	expect({ message, spent }).toEqual({ message: `'Return All' ${problem}`, spent: 0 });
});

test('other switches mean what their texts say', async () => {
	const { lookUpAll, search, requests } = customer();
	const options = { includePhones: "={{ 'TRUE' }}", onlyWithEmails: "={{ 'FALSE' }}" };
	await lookUpAll(twenty.slice(0, 1), {}, options);
	expect(requests()[0]?.body).toMatchObject({ includePhones: true, onlyWithEmails: false });
	const { json } = await search({ limit: 1, simplify: "={{ 'false' }}" });
	expect(json[0]).toHaveProperty('twitter_status');
});

test.each([
	[{ authentication: 'other' }, "'Authentication' in the credential is 'other', which is none of"],
	[{ creditCeiling: '={{ null }}' }, "'Credit Ceiling' in the credential is empty"],
	[
		{ creditCeiling: "={{ '1.000' }}" },
		"'Credit Ceiling' in the credential is '1.000', not a whole",
	],
])('the credential by expression: %j', async (credential, message) => {
	const result = await customer().search({ limit: 1 }, { credential });
	expect(result.message).toContain(message);
	expect(result.spent).toBe(0);
});

test.each([0, '', '0'])(
	'a Credit Ceiling of %j is none, as it was saved before',
	async (creditCeiling) => {
		const { spent, message } = await customer().search(
			{ limit: 3 },
			{ credential: { creditCeiling } },
		);
		expect({ spent, message }).toEqual({ spent: 3, message: undefined });
	},
);
