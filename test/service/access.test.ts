import {
	leadAt,
	LOOKUP_PATH,
	PREVIEW_PATH,
	SEARCH_PATH,
	type Account,
	type LeadRecord,
} from '../../sandbox/service';
import { bearer, post, preview, someText, useService } from './client';

const service = useService();
let account: Account;
beforeAll(() => {
	account = service.admin.createAccount();
});

type Headers = (of: Account) => Record<string, string>;
const credentials: Record<string, Headers> = {
	'Bearer API key': ({ apiKey }) => bearer(apiKey),
	'Bearer session token': ({ sessionToken }) => bearer(sessionToken),
	'X-API-Key': ({ apiKey }) => ({ 'x-api-key': apiKey }),
	'session token as X-API-Key': ({ sessionToken }) => ({ 'x-api-key': sessionToken }),
	'an unknown key': () => bearer('unknown'),
	'a key without Bearer': ({ apiKey }) => ({ authorization: apiKey }),
	nothing: () => ({}),
};

describe('who gets in', () => {
	test.each([
		['Bearer API key', 200, 200],
		['Bearer session token', 401, 200],
		['X-API-Key', 401, 200],
		['session token as X-API-Key', 401, 401],
		['an unknown key', 401, 401],
		['a key without Bearer', 401, 401],
		['nothing', 401, 401],
	])('with %s: search %i, lookup %i, preview always', async (name, searched, lookedUp) => {
		const headers = credentials[name]?.(account);
		const to = async (path: string, body: object) => {
			const answer = await post(service.baseUrl + path, body, headers);
			if (answer.status !== 200)
				expect(answer.body).toEqual({ success: false, message: someText });
			return answer.status;
		};
		expect(await to(SEARCH_PATH, { _per_page: 1 })).toBe(searched);
		expect(await to(LOOKUP_PATH, { linkedinUrls: [leadAt(0).linkedin_url] })).toBe(lookedUp);
		expect(await to(PREVIEW_PATH, {})).toBe(200);
	});

	test('is told before what is wrong with the request', async () => {
		const { status } = await post(service.baseUrl + SEARCH_PATH, { _page: 'x' });
		expect(status).toBe(401);
	});

	test.each([
		['Bearer API key', 'bearer', true],
		['X-API-Key', 'xApiKey', true],
		['an unknown key', 'bearer', false],
		['nothing', null, false],
	])('shows in the log: %s', async (name, headerStyle, isKnown) => {
		const since = service.admin.requests().at(-1)?.seq ?? 0;
		await post(service.baseUrl + PREVIEW_PATH, {}, credentials[name]?.(account));
		const [logged] = service.admin.requests({ since });
		expect(logged).toMatchObject({ headerStyle, account: isKnown ? account.id : null });
	});
});

describe('a preview', () => {
	test('is free, and hides emails and phones', async () => {
		const { body } = await preview<{ preview_data: LeadRecord[] }>(service.baseUrl, {
			person_location_country: ['Iceland'],
			_page: 2,
			_per_page: 50,
		});
		expect(body).toMatchObject({
			success: true,
			count: 50,
			page: 2,
			per_page: 50,
			has_more: true,
			next_page: 3,
			total_count: 2_350,
		});
		expect(body.preview_data).toHaveLength(50);
		for (const row of body.preview_data) {
			expect(row.country).toBe('Iceland');
			expect(row.work_email ?? 'x***@y').toMatch(/^.\*\*\*@/);
			expect(row).toMatchObject({ personal_emails: [], mobile_phone: null });
		}
		expect(service.admin.requests({ path: PREVIEW_PATH }).at(-1)).toMatchObject({
			rows: 50,
			charged: 0,
		});
	});
});

test('an unknown path is 404, and logged', async () => {
	const { status } = await post(`${service.baseUrl}/api/api/preview`, {});
	expect(status).toBe(404);
	expect(service.admin.requests().at(-1)).toMatchObject({
		path: '/api/api/preview',
		status: 404,
		page: null,
	});
});
