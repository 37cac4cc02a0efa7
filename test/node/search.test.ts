/** Tests the requests, the output and the hints of Search (Paid). */
import { LEAD_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import type { INodeParameters } from 'n8n-workflow';

import { continueOnError, first, iceland, icelandUrls, matching, merge, raw } from './useService';
import { everywhere, useService } from './useService';

const setup = useService();
const { customer } = setup;
const onePageAtATime = { parallelPages: 1 };

describe('Requests', () => {
	test('a search with Return All returns every match in order, and ends with the end check', async () => {
		const { search, requests } = customer();
		const options = { pageSize: 500, ...onePageAtATime };
		expect(await search({ returnAll: true, options })).toMatchObject({
			urls: icelandUrls,
			spent: 2_350,
			message: undefined,
			pages: [1, 2, 3, 4, 5, 2_351],
			sizes: [500, 500, 500, 500, 500, 1],
		});
		expect(requests().map(({ rows }) => rows)).toEqual([500, 500, 500, 500, 350, 0]);
	});

	test('a search sends the sum of Skip and Limit as max_results', async () => {
		const { search, requests } = customer();
		const { urls } = await search({ limit: 20, options: { skip: 100 } });
		expect(urls).toEqual(icelandUrls.slice(100, 120));
		expect(requests()).toMatchObject([{ body: { max_results: 120 }, charged: 20 }]);
	});

	test('Limit 50 with two values in each filter sends one request in total', async () => {
		const latency = { kind: 'latency', ms: 300 } as const;
		const { search, account } = customer({ faults: [latency] });
		const { length: before } = setup.service.admin.requests();
		const filters = {
			jobTitles: 'founder, chief',
			jobTitleSeniority: 'owner, cxo',
			personLocationCountry: 'Iceland, Atlantis',
		};
		const { spent } = await search({ limit: 50, filters });
		// All requests of the service are counted, including free ones without a key.
		const sent = setup.service.admin.requests().slice(before);
		expect(sent).toMatchObject([{ account: account.id, charged: spent }]);
		expect(spent).toBeGreaterThan(0);
	});

	const options = { includeEmails: false, includePhones: true };
	const inIceland = { person_location_country: ['Iceland'] };
	test.each<[string, INodeParameters, object]>([
		[
			'filters under the names of the contract',
			{
				jobTitles: 'engineer, head of sales',
				jobTitleSeniority: 'owner\ncxo',
				personLocationCountry: ['Iceland', 'Germany'],
				emailStatus: 'verified',
				otherFilters: '{"company_size": ["11-50"], "in": {"_page": 1}, "toString": ["x"]}',
			},
			{
				job_titles: ['engineer', 'head of sales'],
				job_title_seniority: ['owner', 'cxo'],
				person_location_country: ['Iceland', 'Germany'],
				email_status: 'verified',
				company_size: ['11-50'],
				in: { _page: 1 },
				toString: ['x'],
			},
		],
		[
			'no empty filters',
			{ jobTitles: ' , ', jobTitleSeniority: [], otherFilters: '={{ null }}', ...iceland },
			inIceland,
		],
		[
			'a field of Other Filters as the only filter, even if it is false',
			{ otherFilters: '{"remote": false}' },
			{ remote: false },
		],
		[
			'no prototype that Other Filters set',
			{ otherFilters: '{"__proto__": {"_page": 5}, "a": 1}' },
			{ a: 1 },
		],
	])('a search sends its options and %s', async (_, filters, fields) => {
		const { search, requests } = customer();
		await search({ limit: 1, simplify: false, filters, options });
		expect(requests()[0]?.body).toEqual({
			...fields,
			include_emails: false,
			include_phones: true,
			_include_raw: false,
			_page: 1,
			_per_page: 1,
			max_results: 1,
		});
	});

	test('a search with a session token is rejected without a request', async () => {
		const { search, account } = customer();
		const { sessionToken } = account;
		const credential = { authentication: 'sessionToken', sessionToken };
		expect(await search({}, { credential })).toMatchObject({
			message: 'A session token works for LinkedIn lookup only; Search needs an API key',
			pages: [],
		});
	});
});

describe('Output', () => {
	test("Simplify returns at most 10 fields, and doesn't request raw", async () => {
		const { search, requests } = customer();
		const { json } = await search({ limit: 5, simplify: true, options: { includeRaw: true } });
		expect(Object.keys(LEAD_FIELDS).length).toBeLessThanOrEqual(10);
		const withoutPhone = Object.keys(LEAD_FIELDS).filter((field) => field !== 'mobile_phone');
		for (const lead of json) expect(Object.keys(lead)).toEqual(withoutPhone);
		const phones = { includePhones: true };
		const { json: withPhones } = await search({ limit: 5, options: phones });
		for (const lead of withPhones) expect(Object.keys(lead)).toEqual(Object.keys(LEAD_FIELDS));
		expect(requests()[0]?.body).toMatchObject({ _include_raw: false });
	});

	const simplified = { full_name: 'Anna B', country: null };
	const withoutRaw = { ...simplified, novelty: { deep: [1, null] } };
	const lead = { ...withoutRaw, raw: { a: [1] } };
	test.each<[string, INodeParameters, object]>([
		['a lead is simplified by default', {}, simplified],
		[
			'a lead is unchanged without Simplify and with Include Raw',
			{ simplify: false, options: { includeRaw: true } },
			lead,
		],
		['a lead has no field raw unless Include Raw is on', { simplify: false }, withoutRaw],
		[
			'a lead of a tool with the output simplified is simplified',
			{ output: 'simplified' },
			simplified,
		],
		['a lead of a tool with the output raw has all fields', { output: 'raw' }, withoutRaw],
		[
			'a lead of a tool with selected fields has only these fields',
			{ output: 'selectedFields', fields: 'state, country' },
			{ country: null },
		],
	])('%s, and a lead that would be empty is returned unchanged', async (...row) => {
		const [name, parameters, expected] = row;
		const rows = [lead, { unknown: 1 }];
		const { search } = customer({ faults: [merge({ preview_data: rows })] });
		const asTool = name.includes('tool');
		const { json } = await search({ limit: 2, ...parameters }, { asTool });
		expect(json.slice(0, 2)).toEqual([expected, rows[1]]);
		expect(json).toHaveLength(asTool ? 3 : 2);
	});

	test('Simplify returns personal emails as one string, or null if there are none', async () => {
		const emails = [['a@b.example', 'c@d.example'], ['e@f.example'], []];
		const rows = emails.map((personal_emails, at) => ({ full_name: `A ${at}`, personal_emails }));
		const { search } = customer({ faults: [merge({ preview_data: rows })] });
		const { json, infos } = await search({ limit: 3 });
		expect(json.map((lead) => lead.personal_emails)).toEqual([
			'a@b.example, c@d.example',
			'e@f.example',
			null,
		]);
		expect(infos[0]).toBe('3 leads for 3 credits; 2 with an email (0 with a work email)');
	});

	test('a tool with Selected Fields and no field is rejected', async () => {
		const noFields = { output: 'selectedFields', fields: [] };
		const { json } = await customer().search(noFields, { asTool: true });
		expect(json[0]).toMatchObject({ error: "'Fields' is empty" });
	});
});

describe('Hints', () => {
	test('a search with the default Limit costs 50 credits, and a hint and the custom data say so', async () => {
		const result = await customer().search();
		expect(result).toMatchObject({ urls: first(50), sizes: [50], spent: 50 });
		expect(result.infos).toEqual([
			'50 leads for 50 credits; 46 with an email (43 with a work email)',
			"There may be more leads. To get the next leads, set 'Skip' under Options to 50.",
		]);
		expect(result.customData).toBe('50 leads for 50 credits');
		const keys = Object.keys(result.run.data.resultData.metadata ?? {});
		expect(keys).toEqual([matching(/^lead_search_credits_[\da-f_]{30}$/)]);
	});

	test('the cost of each node has a key of its own in custom data, even if long node IDs start alike', async () => {
		const keyOf = async (nodeId: string) => {
			const { run } = await customer().search({ limit: 1 }, { nodeId });
			const [key = ''] = Object.keys(run.data.resultData.metadata ?? {});
			expect(key).toMatch(/^lead_search_credits_/);
			expect(key.length).toBeLessThanOrEqual(50);
			return key;
		};
		expect(await keyOf('search-1')).toBe('lead_search_credits_search_1');
		const longIds = ['leads', 'leads-2'].map((end) => `generated-workflow-of-the-day-${end}`);
		const keys = [];
		for (const id of longIds) keys.push(await keyOf(id), await keyOf(id));
		expect(new Set(keys).size).toBe(2);
	});

	test('warnings say where the credits ran out with Continue, and how many input items failed', async () => {
		const { searchIn } = customer({ apiCredits: 7 });
		const countries = ['Iceland', 'Germany', 'France'];
		const { warnings } = await searchIn(countries, { limit: 5 }, continueOnError);
		expect(warnings).toEqual([
			'This list is incomplete: the credits ran out after 2 leads. See the item that says why.',
			'2 of 3 input items failed. Their output items say why.',
		]);
		const { search } = customer({ apiCredits: 7 });
		const onBranch = await search({ limit: 10 }, { onError: 'continueErrorOutput' });
		expect(onBranch.warnings).toEqual([matching(/after 7 leads\. See the error branch\.$/)]);
	});

	test('a search that reaches row 100,000 says that narrower filters get the rest', async () => {
		const parameters = { filters: everywhere, limit: 5, options: { skip: 99_997 } };
		const { urls, warnings } = await customer().search(parameters);
		expect(urls).toHaveLength(3);
		expect(warnings).toEqual([
			'The search reached 100,000 results, the limit of the lead service. Use narrower filters to get the rest.',
		]);
	});
});

describe('Hints about the next step', () => {
	test('a hint names the Skip that gets the next leads if Limit truncated the list', async () => {
		const { search } = customer();
		const next = (skip: number) =>
			`There may be more leads. To get the next leads, set 'Skip' under Options to ${skip}.`;
		expect((await search({ limit: 20 })).infos).toContain(next(20));
		expect((await search({ limit: 5, options: { skip: 20 } })).infos).toContain(next(25));
	});

	test('no hint names a Skip after a complete list, or after lists with different Limits', async () => {
		const { search } = customer();
		const whole = await search({ returnAll: true });
		const input = [{ limit: 2 }, { limit: 3 }];
		const several = await search({ limit: '={{ $json.limit }}' }, { input });
		expect([...whole.infos, ...several.infos].join()).not.toContain('Skip');
	});

	test.each([
		[
			'Iceland, USA',
			["None of these 50 leads is in USA. For a country, write 'United States', not 'USA'."],
		],
		['ICELAND', []],
		[
			'Iceland, U<b>, USA',
			[
				"None of these 50 leads is in U&lt;b&gt; or USA. For a country, write 'United States', not 'USA'.",
			],
		],
	])('a search in %s warns about the countries that no lead has', async (countries, expected) => {
		const { search } = customer();
		const { warnings } = await search({ filters: { personLocationCountry: countries }, limit: 50 });
		expect(warnings).toEqual(expected);
	});

	test('no warning names a country if a lead has no country', async () => {
		const rows = [{ country: 'Iceland' }, { country: null }];
		const fault = raw(JSON.stringify({ preview_data: rows, has_more: false }));
		const { search } = customer({ faults: [fault] });
		const { warnings } = await search({ filters: { personLocationCountry: 'Iceland, USA' } });
		expect(warnings.join()).not.toContain('None of these');
	});
});
