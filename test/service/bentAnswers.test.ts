/** Answers that leave the contract's schema because their account wants it so. */
import { leadAt, LOOKUP_PATH, SEARCH_PATH, type AccountOptions } from '../../sandbox/service';
import { bearer, lookup, postForText, search, useService } from './client';

const service = useService();

/** What an account gets for a page of three leads, and what that costs it. */
async function threeLeads(path: string, options: AccountOptions) {
	const account = service.admin.createAccount(options);
	const linkedinUrls = [0, 1, 2].map((lead) => leadAt(lead).linkedin_url);
	const body =
		path === LOOKUP_PATH ? { linkedinUrls, onlyWithEmails: false } : { max_results: 3 };
	const answer = await postForText(service.baseUrl + path, body, bearer(account.apiKey));
	expect(account.spent.apiCredits).toBe(3);
	expect(service.admin.requests({ account: account.id })[0]).toMatchObject({
		status: answer.status,
		rows: 3,
		charged: 3,
		range: { from: 0, to: 3 },
	});
	return answer;
}

const paths = [
	[SEARCH_PATH, 'preview_data', 'data'],
	[LOOKUP_PATH, 'data', 'preview_data'],
] as const;

describe.each(paths)('an answer of %s', (path, field, otherField) => {
	const json = async (options: AccountOptions) => {
		const { status, body } = await threeLeads(path, options);
		expect(status).toBe(200);
		return JSON.parse(body) as Record<string, unknown>;
	};

	test('can lack fields', async () => {
		const answer = await json({ omits: ['page', 'has_more', 'success'] });
		expect(Object.keys(answer)).toEqual(expect.arrayContaining([field, 'count', 'per_page']));
		for (const name of ['page', 'has_more', 'success']) expect(answer).not.toHaveProperty(name);
	});

	test('can lack fields in its rows', async () => {
		const rows = (await json({ omitsRowFields: ['linkedin_url'] }))[field] as object[];
		expect(rows).toHaveLength(3);
		for (const row of rows) {
			expect(row).toHaveProperty('full_name');
			expect(row).not.toHaveProperty('linkedin_url');
		}
	});

	test("can have its rows under the other endpoint's name", async () => {
		const answer = await json({ answerShape: 'otherName' });
		expect(answer).not.toHaveProperty(field);
		expect(answer).toMatchObject({ count: 3, [otherField]: [{}, {}, {}] });
	});

	test('can be nothing but the rows', async () => {
		expect(await json({ answerShape: 'bareArray' })).toMatchObject([{}, {}, {}]);
	});

	test('can have null in place of rows that were charged', async () => {
		const answer = await json({ answerShape: 'nullRows' });
		expect(answer).toMatchObject({ success: true, count: 3, [field]: null });
	});

	test('can be empty', async () => {
		const { status, body } = await threeLeads(path, { answerShape: 'emptyBody' });
		expect({ status, body }).toEqual({ status: 200, body: '' });
	});

	test('can have no content', async () => {
		const { status, body } = await threeLeads(path, { answerShape: 'noContent' });
		expect({ status, body }).toEqual({ status: 204, body: '' });
	});

	test('can be a web page', async () => {
		const { status, body, type } = await threeLeads(path, { answerShape: 'html' });
		expect(status).toBe(200);
		expect(type).toContain('text/html');
		expect(body).toContain('<!doctype html>');
	});
});

test('An answer can have null in place of rows when there are none, and only then', async () => {
	const { apiKey } = service.admin.createAccount({ answerShape: 'nullWhenEmpty' });
	const { baseUrl } = service;
	const far = await search(baseUrl, apiKey, { _page: 2, max_results: 3 });
	expect(far.body).toMatchObject({ count: 0, preview_data: null });
	const near = await search(baseUrl, apiKey, { max_results: 3 });
	expect(near.body).toMatchObject({ count: 3, preview_data: [{}, {}, {}] });
	const none = await lookup(baseUrl, apiKey, { linkedinUrls: [] });
	expect(none.body).toMatchObject({ count: 0, data: null });
});

test('A refusal is not bent', async () => {
	const { apiKey } = service.admin.createAccount({ apiCredits: 0, answerShape: 'emptyBody' });
	expect(await search(service.baseUrl, apiKey)).toMatchObject({
		status: 402,
		body: { success: false },
	});
});

test('A fault does not change what is no JSON', async () => {
	const account = service.admin.createAccount({ answerShape: 'html' });
	service.admin.addFault({ kind: 'merge', merge: { count: 9 }, account: account.id });
	const url = service.baseUrl + SEARCH_PATH;
	expect((await postForText(url, {}, bearer(account.apiKey))).body).toContain('It works!');
});
