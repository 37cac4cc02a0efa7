/** Tests the output and the messages with services that differ from the documented one or send unexpected responses. */
import { randomUUID } from 'node:crypto';

import { continueOnError, createExecutionIds, first, iceland, matching, merge } from './useService';
import { production, raw, useService } from './useService';

const shared = useService();
const { customer } = shared;

describe('A page size that is refused with 422', () => {
	const readings = { pageSize: 30, tooLarge: 422 } as const;
	const refusal = {
		error: 'The lead service refused the request (422): _per_page must be at most 30',
		message: matching(
			/^Set 'Page Size' under Options to 25: the service may not accept 60 at a time\. If it refuses 25, too, check the other parameters, especially 'Filters'\./,
		),
	};

	test('is replaced by 25, for free, if no user has set it', async () => {
		const { search, lookUpAll } = customer({ readings });
		const result = await search({ limit: 60 });
		expect(result).toMatchObject({ urls: first(60), spent: 60, warnings: [] });
		expect(result.sizes).toEqual([60, 25, 25, 10]);
		expect((await lookUpAll(first(60))).urls).toEqual(first(60));
	});

	test('ends the run with a message, for free, if a user has set it', async () => {
		const { search, lookUpAll, spent } = customer({ readings });
		const options = { pageSize: 60 };
		const refused = await search({ limit: 100, options }, continueOnError);
		expect([refused.errors, refused.sizes]).toMatchObject([[refusal], [60]]);
		expect(refused.errors[0]?.message).toMatch(/ Nothing was charged\.$/);
		expect((await lookUpAll(first(60), continueOnError, options)).errors).toMatchObject([refusal]);
		expect(spent()).toBe(0);
	});

	test('ends a preview and a count with the same message if a user has set it', async () => {
		shared.service.admin.setPreviewBehaviour({ readings });
		const { preview, count } = customer();
		for (const run of [preview, count]) {
			const { errors } = await run({ options: { pageSize: 60 }, limit: 60 }, continueOnError);
			expect(errors).toMatchObject([refusal]);
		}
		expect((await preview({ limit: 60 })).urls).toHaveLength(60);
		expect((await count({ filters: iceland })).json).toMatchObject([{ count: 2_350 }]);
	});
});

test('a page that the service truncates after Skip is charged and wasted once, and a hint says so', async () => {
	const { search } = customer({ readings: { pageSize: 90 } });
	const result = await search({ limit: 500, options: { skip: 1_000 } });
	expect(result).toMatchObject({ urls: first(1_500).slice(1_000), spent: 590 });
	expect(result.warnings).toEqual([
		"The service returns at most 90 leads per page, but said so only in a page that it charged for. To avoid this charge, set 'Page Size' to 90.",
	]);
});

test('a hint about a repeated last page says what it costs with Parallel Pages 1', async () => {
	const readings = { afterLast: 'lastPage', hasMore: 'fullPage' } as const;
	const { search } = customer({ readings, leads: 30 });
	const options = { pageSize: 15, parallelPages: 1 };
	const { urls, spent, warnings } = await search({ returnAll: true, options });
	expect([urls, spent]).toEqual([first(30), 46]);
	expect(warnings[0]).toMatch(
		/To limit this charge to one page and one lead, set 'Parallel Pages' to 1\. The trigger always sends one request at a time\.$/,
	);
});

test("an empty page that says that more rows follow isn't reported as a 402", async () => {
	const { search } = customer({ apiCredits: 0, deviation: { emptyAtZero: 'more' } });
	const { errors } = await search({ limit: 60 }, continueOnError);
	expect(errors).toMatchObject([
		{
			error: matching(/: it sent no leads after row 0 but said that more follow$/),
			message: matching(
				/^Check your balance: the credits may have run out\. .* Nothing was charged\.$/,
			),
		},
	]);
});

test('the same profile for three URLs that were requested alone belongs to none of them, and ends the run', async () => {
	const row = { linkedin_url: 'https://www.linkedin.com/in/someone', has_email: true };
	const fault = { ...merge({ data: [row], count: 1 }), times: 'always' as const };
	const urls = Array.from({ length: 10 }, (_, index) => `linkedin.com/in/person-${index}`);
	const { lookUp } = customer({ faults: [fault] });
	const { json, urls: found } = await lookUp({ linkedinUrls: urls.join('\n') }, continueOnError);
	expect(found).toEqual([]);
	expect(json[0]).toMatchObject({
		error: matching(/: it sent the same profile for 3 different URLs/),
		message: matching(/^Ask who runs your network whether a gateway or cache/),
		details: { unmatched: [row] },
	});
});

test('the same profile for two URLs, and another URL for a single one, are returned with a hint', async () => {
	const row = { linkedin_url: 'https://www.linkedin.com/in/someone', has_email: true };
	const fault = { ...merge({ data: [row], count: 1 }), times: 'always' as const };
	const [a, b] = ['linkedin.com/in/a', 'linkedin.com/in/b'];
	const both = await customer({ faults: [fault] }).lookUp({ linkedinUrls: `${a}\n${b}` });
	expect(both.urls).toEqual([row.linkedin_url, row.linkedin_url]);
	expect(both.warnings[0]).toMatch(/^2 profiles came back under other URLs than yours/);
	const one = await customer({ faults: [fault] }).lookUp({ linkedinUrls: a });
	expect(one.warnings).toEqual([
		'1 profile came back under another URL than yours, for example because the person has changed it.',
	]);
});

test('an ID that is too large for a JavaScript number is returned as a string', async () => {
	const lead = '{"full_name": "Anna", "raw": {"member_id": 7615917337495251231, "age": 41}}';
	const { search } = customer({ faults: [raw(`{"preview_data": [${lead}], "has_more": false}`)] });
	const { json } = await search({ limit: 1, simplify: false, options: { includeRaw: true } });
	expect(json[0]?.raw).toEqual({ member_id: '7615917337495251231', age: 41 });
});

test('a profile with an unusable URL is returned only if it was requested alone', async () => {
	const row = { linkedin_url: 5, has_email: 'yes' };
	const { lookUp } = customer({ faults: [merge({ data: [row] })] });
	const parameters = { linkedinUrls: 'linkedin.com/in/a\nlinkedin.com/in/b', simplify: false };
	const { json, warnings } = await lookUp(parameters, continueOnError);
	// The row of a request for two URLs can't be matched to one of them.
	expect(json).toEqual([]);
	expect(warnings[0]).toMatch(
		/^1 profile came back under other URLs and could not be matched to your URLs/,
	);
	const alone = customer({ faults: [merge({ data: [row] })] });
	const one = { ...parameters, linkedinUrls: 'linkedin.com/in/a' };
	expect((await alone.lookUp(one, continueOnError)).json).toEqual([row]);
});

test('the key and U+0000 are removed from fields and field names of rows, with and without Simplify', async () => {
	const { search, account, addFault } = customer();
	const { apiKey } = account;
	const row = {
		full_name: `Anna\0 ${apiKey}`,
		[apiKey]: 1,
		['city\0']: encodeURIComponent(apiKey),
		raw: { [`a ${apiKey}`]: [apiKey] },
	};
	for (const simplify of [true, false]) {
		addFault(raw(JSON.stringify({ preview_data: [row] })));
		const { json, saved } = await search({ limit: 1, simplify }, { nodeId: randomUUID() });
		expect(json[0]?.full_name).toBe('Anna ***');
		for (const text of [apiKey, '\\u0000']) expect(saved).not.toContain(text);
	}
});

test('a service that truncates page 1 and does not say so ends the run with the page size to set', async () => {
	const readings = { pageSize: 60, perPage: 'asked' } as const;
	const { search } = customer({ readings });
	const { errors, spent } = await search({ limit: 500 }, continueOnError);
	expect(errors).toMatchObject([
		{
			error:
				'The lead service sent an unexpected response: it sent 60 rows instead of the requested 100, although row 61 exists',
			message: matching(/^Set 'Page Size' under Options to 60\. /),
		},
	]);
	expect(spent).toBe(61);
	const options = { pageSize: 60 };
	expect(await search({ limit: 500, options })).toMatchObject({ urls: first(500), spent: 500 });
});

describe('The leads of an unexpected response, which have no index,', () => {
	const options = { pageSize: 10, parallelPages: 1 };

	test('are returned to no round of a loop that requests other leads, so that the loop ends', async () => {
		const { search, addFault, spent } = customer({ leads: 90 });
		addFault({ ...merge({ page: 9 }), nthRequest: 2 });
		const run = { ...createExecutionIds(), ...production, ...continueOnError };
		const rounds: unknown[][] = [];
		for (let skip = 0; skip <= 100; skip += 20)
			rounds.push((await search({ limit: 20, options: { skip } }, run)).urls);
		expect(rounds.map(({ length }) => length)).toEqual([20, 20, 20, 20, 10, 0]);
		expect(new Set(rounds.flat()).size).toBe(90);
		expect(spent()).toBe(90);
	});

	test('are returned once if the same leads with the field raw are cached, too', async () => {
		const { search, addFault } = customer({ leads: 60 });
		const fault = addFault({ ...merge({ page: 9 }), nthRequest: 2 });
		const stopped = await search({ returnAll: true, options }, production);
		fault.remove();
		await search({ returnAll: true, simplify: false, options: { includeRaw: true } }, production);
		const retried = await search({ returnAll: true, options }, { mode: 'retry', retryOf: stopped });
		expect(retried.urls).toEqual(first(60));
	});
});
