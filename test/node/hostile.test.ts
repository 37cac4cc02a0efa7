/** Answers that no honest service gives: a clear message, no crash, no endless loop, nothing lost. */
import { randomUUID } from 'node:crypto';

import { continues, containing, first, merge, raw, useService, type Fault } from './useService';

const { customer } = useService();

test('a page that contradicts what came before ends the run; what was charged comes out', async () => {
	const { search, requests } = customer({ faults: [{ ...merge({ page: 2 }), page: 3 }] });
	const options = { pageSize: 50, parallelPages: 1 };
	const { urls, errors } = await search({ returnAll: true, options }, continues);
	expect(urls).toEqual(first(150));
	expect(errors[0]?.error).toBe(
		'The lead service sent an unexpected answer: it answered with page 2 where page 3 was asked for',
	);
	expect(requests()).toHaveLength(3);
});

test('in fields that the node does not use, anything may stand', async () => {
	const fields = ['count', 'total_count', 'total_pages', 'max_results', 'search_id', 'message'];
	const nonsense = Object.fromEntries(fields.map((field) => [field, { not: 'this' }]));
	const { urls } = await customer({ faults: [merge(nonsense)] }).search({ limit: 5 });
	expect(urls).toEqual(first(5));
});

test.each(['', '0', 0, false])(
	'%j for no next page is the end of a list, and nothing else',
	async (none) => {
		const last: Fault = { ...merge({ next_page: none, has_more: false }), page: 2 };
		const { search, spent } = customer({ faults: [last] });
		const options = { pageSize: 25 };
		const { urls, warnings, message } = await search({ limit: 50, options });
		expect([urls, warnings, message, spent()]).toEqual([first(50), [], undefined, 50]);
	},
);

test('an id that JavaScript can not hold comes out as it came, as text', async () => {
	const lead = '{"full_name": "Anna", "raw": {"member_id": 7615917337495251231, "age": 41}}';
	const { search } = customer({ faults: [raw(`{"preview_data": [${lead}], "has_more": false}`)] });
	const { json } = await search({ limit: 1, simplify: false, options: { includeRaw: true } });
	expect(json[0]?.raw).toEqual({ member_id: '7615917337495251231', age: 41 });
});

test('a profile whose URL is none is handed on as it is, to whom it came alone', async () => {
	const row = { linkedin_url: 5, has_email: 'yes' };
	const { lookUp } = customer({ faults: [merge({ data: [row] })] });
	const parameters = { linkedinUrls: 'linkedin.com/in/a\nlinkedin.com/in/b', simplify: false };
	const { json, warnings } = await lookUp(parameters, continues);
	// Where only one of the answers holds it, nothing tells whose it is.
	expect(json).toEqual([]);
	expect(warnings[0]).toMatch(/^1 profile came back under a URL that was not asked for/);
	const alone = customer({ faults: [merge({ data: [row] })] });
	const one = { ...parameters, linkedinUrls: 'linkedin.com/in/a' };
	expect((await alone.lookUp(one, continues)).json).toEqual([row]);
});

test('no field, name or note of a row holds the key or U+0000, Simplify or not', async () => {
	const { search, account, addFault } = customer();
	const { apiKey } = account;
	const row = {
		...{ full_name: `Anna\0 ${apiKey}`, company: Buffer.from(apiKey).toString('base64') },
		...{ [apiKey]: 1, ['city\0']: encodeURIComponent(apiKey), raw: { [`a ${apiKey}`]: [apiKey] } },
	};
	for (const simplify of [true, false]) {
		addFault(raw(JSON.stringify({ preview_data: [row] })));
		const { json, saved } = await search({ limit: 1, simplify }, { nodeId: randomUUID() });
		expect(json[0]?.full_name).toBe('Anna ***');
		const spelled = [apiKey, Buffer.from(apiKey).toString('base64').slice(0, -4), '\\u0000'];
		for (const one of spelled) expect(saved).not.toContain(one);
	}
});

describe('An answer that is larger than asked for', () => {
	const answered = async (rows: number, size: number, limit: number) => {
		const lead = { full_name: 'Anna B', notes: 'x'.repeat(size) };
		const answer = raw(JSON.stringify({ preview_data: Array(rows).fill(lead) }));
		return await customer({ faults: [answer] }).search({ limit, simplify: false }, continues);
	};

	test('by some rows: they are kept, and the message says how many came', async () => {
		const { json } = await answered(30, 1_000, 1);
		expect(json).toMatchObject([
			{ full_name: 'Anna B' },
			{
				error: containing('it sent 30 rows where 1 were asked for'),
				message: containing('This node has spent 30 credits in this execution'),
			},
		]);
	});

	test('may have more than 5 MB for many rows, and not for a few', async () => {
		expect((await answered(200, 45_000, 200)).errors).toEqual([]);
		expect((await answered(2, 2_600_000, 2)).json).toMatchObject([
			{
				error: 'The answer has more than 5 MB; it may have been charged',
				message: containing('no more of it was read'),
			},
		]);
	});
});
