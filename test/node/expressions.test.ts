/** Tests how expressions are read. An expression without a value never buys leads that the user didn't request. */
import type { INodeParameters } from 'n8n-workflow';

import { leadAt } from '../../sandbox/service';
import { continueOnError, iceland, useService } from './useService';

const { customer } = useService();

test.each<[string, INodeParameters, unknown]>([
	['white space around an expression', { jobTitles: '= {{ $json.title }}\n' }, ['VP', 'CEO']],
	['an array with a line break after it', { jobTitles: '={{ ["VP, Sales"] }}\n' }, ['VP, Sales']],
	[
		'several expressions',
		{ jobTitles: '={{ $json.title }}, {{ $json.none }} CTO' },
		['VP', 'CEO', 'CTO'],
	],
	['null and empty strings in an array', { jobTitles: '={{ [null, "", "CEO"] }}' }, ['CEO']],
	['an optional expression', { jobTitles: "={{ $json.x ?? '' }}\n", ...iceland }, undefined],
	['JSON around an expression', { otherFilters: '={"job_titles": ["{{ $json.one }}"]}' }, ['CEO']],
	['braces outside an expression', { jobTitles: 'a {{ b }}' }, ['a {{ b }}']],
])('a filter with %s is read as the user means it', async (_, filters, titles) => {
	const { preview, requests } = customer();
	const input = [{ title: 'VP, CEO', none: null, one: 'CEO' }];
	await preview({ filters, limit: 1 }, { input });
	expect(requests()[0]?.body).toMatchObject({ _page: 1 });
	expect((requests()[0]?.body as Record<string, unknown>).job_titles).toEqual(titles);
});

const twenty = Array.from({ length: 20 }, (_, index) => leadAt(index).linkedin_url);
test.each([
	['={{ $json.all }}', true, true],
	['={{ $json.all }} ', 'TRUE', true],
	['={{ $json.all }}', '1', true],
	['=\n{{ $json.all }}\n', 'False', false],
	['={{ $json.all }}', 0, false],
])('Return All with the expression %j reads %j as %p', async (returnAll, all, isOn) => {
	const input = [{ all }];
	const { spent } = await customer().lookUpAll(twenty, { input }, {}, { returnAll, limit: 2 });
	expect(spent).toBe(isOn ? 20 : 2);
});

test.each([
	['={{ $json.all }}', { all: null }, 'is empty'],
	['={{ $json.all }}', { all: 'no' }, "is 'no', neither true nor false"],
	['={{ $json.all }}', { all: [true] }, 'is [true], neither true nor false'],
	[
		'={{ $json.x }}',
		{},
		"is an expression that returns nothing: the field that it names doesn't exist",
	],
])(
	'Return All with the expression %s rejects the input item %j',
	async (returnAll, item, problem) => {
		const input = [item];
		const result = await customer().lookUpAll(twenty, { input }, {}, { returnAll, limit: 2 });
		expect(result).toMatchObject({ message: `'Return All' ${problem}`, spent: 0 });
	},
);

test('a Credit Ceiling of 0 sets no limit', async () => {
	for (const creditCeiling of [0, '', '0'])
		expect(await customer().search({ limit: 3 }, { credential: { creditCeiling } })).toMatchObject({
			message: undefined,
			spent: 3,
		});
});

const [url] = twenty;

test.each([
	'={{ $json.url }}',
	'={{$json["url"]}}',
	"={{ $json['url'] }}",
	...['missing', 'constructor', '__proto__', 'toString'].map((field) => `={{ $json.${field} }}`),
	'={{ $json["a field"] }}',
	'={{ $json["it\\"s"] }}',
	'={{ $json.$id }}',
	'$json.url',
	'={{ $json.nested.url }}',
	'= {{ $json.url }}',
	'={{ $json.url }} ',
	'={{ $json.url }},{{ $json.url }}',
])('Look Up reads LinkedIn URLs with the expression %s as n8n evaluates it', async (expression) => {
	const values = [[url, url], 7, '', '={{ 1 + 1 }}'].map((value) => ({ url: value }));
	const input = [{ url, 'a field': url, 'it"s': url, $id: url, nested: { url } }, ...values, {}];
	const run = async (linkedinUrls: string) => {
		const { lookUp, requests } = customer();
		const { json, pairs, message } = await lookUp({ linkedinUrls }, { input, ...continueOnError });
		return { json, pairs, message, bodies: requests().map(({ body }) => body) };
	};
	// The comment has no effect on the value, but with it the node can't read the field without n8n.
	const evaluatedByN8n = expression.startsWith('={{')
		? expression.replace('{{', '{{ /* as it is */')
		: expression;
	expect(await run(expression)).toEqual(await run(evaluatedByN8n));
});
