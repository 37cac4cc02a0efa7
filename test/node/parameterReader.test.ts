import { Expression } from 'n8n-workflow';

import { leadAt } from '../../sandbox/service';
import { jsonOf, pairsOf, useService } from './useService';

const { customer } = useService();
const { linkedin_url: url } = leadAt(0);

afterEach(() => {
	jest.restoreAllMocks();
});

test('a field of the item is not evaluated for each item', async () => {
	const evaluated = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const expressions = () =>
		evaluated.mock.calls.filter(([value]) => String(value).startsWith('=')).length;
	const input = Array.from({ length: 200 }, () => ({ 'LinkedIn URL': url }));

	await customer().lookUp({ linkedinUrls: '={{ $json["LinkedIn URL"] }}' }, { input });
	const asField = expressions();
	await customer().lookUp({ linkedinUrls: '={{ [$json["LinkedIn URL"]] }}' }, { input });
	expect(expressions() - asField).toBeGreaterThanOrEqual(200);
	expect(asField).toBeLessThan(10);
});

test('a single item is left to n8n: for a tool, its expressions mean other data', async () => {
	const evaluated = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const linkedinUrls = '={{ $json.url }}';
	const options = { onlyWithEmails: false };
	const { items } = await customer().lookUp({ linkedinUrls, options }, { input: [{ url }] });
	expect(items).toHaveLength(1);
	expect(evaluated.mock.calls.map(([value]) => value)).toContain(linkedinUrls);
});

describe('a field of the item is what n8n makes of it', () => {
	const written = (field: string) => [
		`={{ $json.${field} }}`,
		`={{$json["${field}"]}}`,
		`={{ $json['${field}'] }}`,
	];
	test.each([
		...written('url'),
		...written('missing'),
		...written('constructor'),
		...written('__proto__'),
		...written('toString'),
		'={{ $json["a field"] }}',
		'={{ $json["it\\"s"] }}',
		'={{ $json.$id }}',
		'={{ $json.nested.url }}',
		'= {{ $json.url }}',
		'={{ $json.url }} ',
		'={{ $json.url }},{{ $json.url }}',
		'$json.url',
	])('%s', async (expression) => {
		const input = [
			{ url, 'a field': url, 'it"s': url, $id: url, nested: { url } },
			{ url: [url, url] },
			{ url: 7 },
			{ url: '' },
			{ url: '={{ 1 + 1 }}' },
			{},
		];
		const run = async (linkedinUrls: string) => {
			const buyer = customer();
			const { items, errorItems, error } = await buyer.lookUp(
				{ linkedinUrls },
				{ input, onError: 'continueRegularOutput' },
			);
			return {
				items: jsonOf(items),
				pairs: pairsOf(items),
				errors: jsonOf(errorItems),
				error: error?.message,
				bodies: buyer.requests().map(({ body }) => body),
			};
		};
		// A comment changes nothing, but with it the expression is more than a field.
		const viaN8n = expression.startsWith('={{')
			? expression.replace('{{', '{{ /* as it is */')
			: expression;
		expect(await run(expression)).toEqual(await run(viaN8n));
	});
});
