/** Fields of input items are read without n8n's expressions, which take long, and mean the same. */
import { Expression } from 'n8n-workflow';

import { leadAt } from '../../sandbox/service';
import { continues, useService } from './useService';

const { customer } = useService();
const { linkedin_url: url } = leadAt(0);

test('a field of the item is not evaluated for each item; that of a single one is left to n8n', async () => {
	const evaluated = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const count = async (linkedinUrls: string, items: number) => {
		evaluated.mockClear();
		const input = Array.from({ length: items }, () => ({ 'LinkedIn URL': url }));
		await customer().lookUp({ linkedinUrls }, { input });
		return evaluated.mock.calls.filter(([value]) => value === linkedinUrls).length;
	};
	expect(await count('={{ [$json["LinkedIn URL"]] }}', 200)).toBeGreaterThanOrEqual(200);
	expect(await count('={{ $json["LinkedIn URL"] }}', 200)).toBeLessThan(10);
	// For a tool, its expressions mean other data.
	expect(await count('={{ $json["LinkedIn URL"] }}', 1)).toBeGreaterThan(0);
});

const written = (field: string) => [
	`={{ $json.${field} }}`,
	`={{$json["${field}"]}}`,
	`={{ $json['${field}'] }}`,
];
test.each([
	...['url', 'missing', 'constructor', '__proto__', 'toString'].flatMap(written),
	...['={{ $json["a field"] }}', '={{ $json["it\\"s"] }}', '={{ $json.$id }}', '$json.url'],
	...['={{ $json.nested.url }}', '= {{ $json.url }}', '={{ $json.url }} '],
	'={{ $json.url }},{{ $json.url }}',
])('%s is what n8n makes of it', async (expression) => {
	const values = [[url, url], 7, '', '={{ 1 + 1 }}'].map((value) => ({ url: value }));
	const input = [{ url, 'a field': url, 'it"s': url, $id: url, nested: { url } }, ...values, {}];
	const run = async (linkedinUrls: string) => {
		const { lookUp, requests } = customer();
		const { json, pairs, message } = await lookUp({ linkedinUrls }, { input, ...continues });
		return { json, pairs, message, bodies: requests().map(({ body }) => body) };
	};
	// A comment changes nothing, but with it the expression is more than a field.
	const viaN8n = expression.startsWith('={{')
		? expression.replace('{{', '{{ /* as it is */')
		: expression;
	expect(await run(expression)).toEqual(await run(viaN8n));
});
