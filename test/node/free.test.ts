/** Tests Preview, Count and Check URLs, which are free and need no credential. */
import type { Behaviour } from '../../sandbox/service';
import { byCountry, containing, iceland as filters } from './useService';
import { icelandUrls, useService, type RunOptions } from './useService';

const shared = useService();
const { customer } = shared;

const noMatch = [
	"No leads match where 'Person Country' is 'Nowhere'. For a country, write 'United States', not 'USA'.",
];

describe('Preview', () => {
	test("a preview that returns more rows than requested is truncated to Limit and doesn't fail", async () => {
		shared.service.admin.setPreviewBehaviour({ deviation: { moreRows: 40 } });
		const { preview } = customer();
		expect(await preview({ filters, limit: 10 })).toMatchObject({ urls: icelandUrls.slice(0, 10) });
		shared.service.admin.setPreviewBehaviour({ deviation: { largerPages: 50 } });
		expect((await preview({ filters, limit: 10 })).urls).toEqual(icelandUrls.slice(0, 10));
	});

	test('a preview that returns page 1 for every page ends there, with a hint', async () => {
		shared.service.admin.setPreviewBehaviour({ deviation: { firstPageFrom: 2 } });
		const { urls, warnings, message } = await customer().preview({ filters, limit: 300 });
		expect(message).toBeUndefined();
		expect(urls).toEqual(icelandUrls.slice(0, 100));
		expect(warnings).toEqual([containing('The preview ends here')]);
	});

	test("a preview isn't cached, reports no cost and sends no Email Status", async () => {
		const { preview, requests } = shared.node();
		const emailStatus = { limit: 1, filters: { emailStatus: 'verified' } };
		await preview(emailStatus);
		const { infos, warnings, pages } = await preview(emailStatus);
		expect({ warnings, pages }).toEqual({
			warnings: [containing("Count and Preview ignore 'Email Status'")],
			pages: [1, 1],
		});
		expect(infos.join(' ')).not.toMatch(/leads? for/);
		expect(requests()[0]?.body).toEqual({ _page: 1, _per_page: 1 });
	});
});

describe('Count', () => {
	// 1,000 credits cost 4.50 dollars in the smallest package and 2.92 dollars in the largest.
	const counted = (count: number, isAtLeast: boolean, usdFrom: number, usdTo: number) => ({
		count,
		isAtLeast,
		credits: count,
		usdFrom,
		usdTo,
	});
	const inIceland = counted(2_350, false, 6.85, 10.58);
	const hundred = counted(100, true, 0.29, 0.45);

	test.each<[string, Behaviour, typeof inIceland]>([
		['all 2,350 leads', {}, inIceland],
		['at least 100 leads if the preview has no more', { leads: 100 }, hundred],
	])('Count returns %s, with at most 20 requests', async (_, behaviour, expected) => {
		shared.service.admin.setPreviewBehaviour(behaviour);
		const { count, requests } = customer();
		const { json, warnings } = await count({ filters });
		const atLeast =
			'At least 100 leads match. The preview shows no further leads, but there may be more.';
		expect(json).toEqual([expected]);
		expect(warnings).toEqual(expected.isAtLeast ? [atLeast] : []);
		expect(requests().length).toBeLessThanOrEqual(20);
		expect(requests().filter(({ account }) => account !== null)).toEqual([]);
	});

	test('Count runs once for input items with the same filters, and each gets the result', async () => {
		const { count, requests } = customer();
		const input = ['Iceland', 'Nowhere', 'Iceland'].map((country) => ({ country }));
		expect(await count({ filters: byCountry }, { input })).toMatchObject({
			pairs: [0, 1, 2],
			json: [{ count: 2_350 }, { count: 0 }, { count: 2_350 }],
			warnings: noMatch,
		});
		const isFiltered = (body: unknown) => Object.hasOwn(body as object, 'person_location_country');
		expect(requests().filter(({ body, page }) => page === 1 && isFiltered(body))).toHaveLength(2);
	});
});

describe.each(['preview', 'count'])('Base URL of %s', (operation) => {
	const hint = 'address of the lead search service';
	const run = async (baseUrl: string, credential?: object, more?: RunOptions) => {
		const { search, requests } = customer();
		const result = await search({ operation, baseUrl, filters }, { credential, ...more });
		return { result, sent: requests().flatMap(({ headers }) => Object.keys(headers)) };
	};

	test(`the Base URL of the credential is used if a ${operation} has none, and no key is sent`, async () => {
		const credential = { baseUrl: 'nonsense' };
		for (const outcome of [await run(' '), await run(shared.service.baseUrl, credential)]) {
			expect(outcome.result.message).toBeUndefined();
			expect(outcome.result.json.length).toBeGreaterThan(0);
			expect(outcome.sent).not.toEqual([]);
			expect(outcome.sent.filter((name) => /^(authorization|x-api-key)$/.test(name))).toEqual([]);
		}
	});

	test(`a ${operation} is rejected if neither the node nor the credential has a usable Base URL`, async () => {
		const neither = await customer()[operation as 'count']({ baseUrl: '', filters });
		expect(neither.message).toBe("'Base URL' is empty");
		expect(neither.description).toContain(hint);
		expect(neither.description).toContain('or choose a credential');
		const { result } = await run('', { baseUrl: 'nonsense' });
		expect(result.message).toMatch(/^'Base URL' in the credential does not start with/);
	});

	test(`a ${operation} is rejected if the Base URL of the credential differs between input items`, async () => {
		const input = [{ url: shared.service.baseUrl }, { url: 'https://leads.example.com' }];
		const { result, sent } = await run('', { baseUrl: '={{ $json.url }}' }, { input });
		expect(result.message).toContain('Input items 0 and 1 use different credentials');
		expect(sent).toEqual([]);
	});
});

describe('Check URLs', () => {
	const jane = 'https://www.linkedin.com/in/jane';
	const paul = 'https://www.linkedin.com/in/paul';

	const operation = { resource: 'linkedInProfile', operation: 'check' };
	const check = async (linkedinUrls: string, run?: RunOptions) =>
		await customer().preview({ ...operation, linkedinUrls }, run);

	test.each([
		['duplicate URLs', `${jane}\nHTTP://LinkedIn.com/in/JANE/?x=1 ${paul} ${jane}`, [2, 2, 0]],
		[
			'entries that are no profile',
			`${jane}, https://www.linkedin.com/company/acme, jane`,
			[1, 0, 2],
		],
		['no URLs in an empty parameter', '', [0, 0, 0]],
	])('Check URLs counts %s', async (_, linkedinUrls, [urls, duplicates, invalid]) => {
		const { json } = await check(linkedinUrls);
		expect(json).toEqual([{ urls, duplicates, invalid, credits: urls }]);
	});

	test('Check URLs counts the URLs of each input item separately, and a hint has the total', async () => {
		const input = [{ urls: [jane, paul] }, { urls: [jane, jane] }, { urls: [] }];
		expect(await check('={{ $json.urls }}', { input })).toMatchObject({
			json: [
				{ urls: 2, duplicates: 0 },
				{ urls: 1, duplicates: 1 },
				{ urls: 0, duplicates: 0 },
			],
			pairs: [0, 1, 2],
			warnings: [
				'Some profiles are in several input items. Look Up requests each of them once: 2 profiles, 2 credits if all are found.',
			],
		});
	});

	test('a hint of Check URLs counts rejected entries by reason and does not contain them', async () => {
		const hint = async (...urls: string[]) =>
			(await check('={{ $json.url }}', { input: urls.map((url) => ({ url })) })).warnings;
		expect(await hint('<b>')).toEqual([
			"Look Up rejects 1 entry: no LinkedIn profile (1). Write addresses such as 'https://www.linkedin.com/in/profile-name', one per line.",
		]);
		const acme = 'https://www.linkedin.com/company/acme';
		expect(await hint(`${jane}…`, acme, `${paul.slice(0, -2)}***`)).toEqual([
			"Look Up rejects 3 entries: truncated, or not alone on its line (2); a page of another kind (1). Write each address in full, alone on its line: a truncated address can belong to another person. Write the address of the profile, which contains /in/. In Sales Navigator, click 'Copy LinkedIn.com URL' to get it.",
		]);
	});

	test('Check URLs and Look Up reject an expression whose field is missing', async () => {
		const message =
			"'LinkedIn URLs' is an expression that returns nothing: the field that it names doesn't exist";
		// The field has another name, because the file started with a byte order mark.
		const run = { input: [{ '\ufefflinkedin_url': jane }] };
		expect(await check('={{ $json.linkedin_url }}\n', run)).toMatchObject({ message });
		const linkedinUrls = '={{ $json.linkedin_url }}';
		expect(await customer().lookUp({ linkedinUrls }, run)).toMatchObject({ message, spent: 0 });
	});
});
