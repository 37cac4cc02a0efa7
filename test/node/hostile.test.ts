/** Answers that no honest service gives: a clear message, no crash, no endless loop, nothing lost. */
import { randomUUID } from 'node:crypto';

import { continues, merge, raw, useService } from './useService';

const { customer } = useService();

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
