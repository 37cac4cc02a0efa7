import { leadAt, LOOKUP_PATH, matching, type LookupRequest } from '../../sandbox/service';
import { bearer, lookup, post, someText, useService } from './client';

const service = useService();

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const urlOf = (lead: number) => leadAt(lead).linkedin_url;
const urls = (count: number) => numbers(count).map(urlOf);
const hasEmail = (lead: number) =>
	leadAt(lead).work_email !== null || leadAt(lead).personal_emails.length > 0;

async function look(account: { apiKey: string }, body: LookupRequest) {
	const answer = await lookup(service.baseUrl, account.apiKey, body);
	expect(answer.status).toBe(200);
	return answer.body;
}

describe('a lookup', () => {
	test('answers the profiles it knows, with emails only, in the order of the list, each once', async () => {
		const account = service.admin.createAccount();
		const known = urls(40).reverse();
		const answer = await look(account, {
			linkedinUrls: ['https://www.linkedin.com/in/nobody', ...known, ...known],
		});
		const expected = numbers(40).reverse().filter(hasEmail);
		expect(answer.data.map((row) => row.linkedin_url)).toEqual(expected.map(urlOf));
		expect(expected.length).toBeLessThan(40);
		expect(answer).toMatchObject({
			success: true,
			count: expected.length,
			page: 1,
			per_page: 100,
			total_pages: 1,
			total_count: expected.length,
			has_more: false,
			next_page: null,
			max_results: 81,
		});
		expect(account.spent).toEqual({ apiCredits: expected.length, subscriptionCredits: 0 });
		expect(account.chargedLeads).toEqual(expected);
	});

	test('gives everybody when told so, and what is to be in the row', async () => {
		const account = service.admin.createAccount();
		const { data } = await look(account, {
			linkedinUrls: urls(50),
			onlyWithEmails: false,
			includeWorkEmails: false,
			includePhones: true,
		});
		expect(data).toEqual(
			numbers(50).map((lead) => {
				const { personal_emails, mobile_phone, ...record } = leadAt(lead);
				return {
					linkedin_url: record.linkedin_url,
					full_name: record.full_name,
					first_name: record.first_name,
					last_name: record.last_name,
					job_title: record.job_title,
					company: record.company,
					work_email: null,
					personal_emails,
					personal_emails_count: personal_emails.length,
					has_email: personal_emails.length > 0,
					mobile_phone,
					has_phone: mobile_phone !== null,
				};
			}),
		);
	});

	test('leaves personal emails out when told so, and phones unless asked for', async () => {
		const { data } = await look(service.admin.createAccount(), {
			linkedinUrls: urls(50),
			includePersonalEmails: false,
		});
		expect(data.every((row) => row.personal_emails.length === 0)).toBe(true);
		expect(data.some((row) => row.work_email !== null)).toBe(true);
		expect(data.every((row) => row.mobile_phone === null && !row.has_phone)).toBe(true);
	});

	test('knows a profile by any spelling of its URL and answers the canonical one', async () => {
		const lead = numbers(1_000).find(hasEmail) ?? 0;
		const encoded = numbers(5_000).find((n) => urlOf(n).includes('%') && hasEmail(n)) ?? 0;
		const spellings = (url: string) => [
			url.toUpperCase().replace('HTTPS://', 'http://'),
			url.replace('https://www.', ''),
			url.replace('www', 'de'),
			`${url}/?trk=abc#top`,
			`${url}/details/experience/`,
			decodeURIComponent(url),
		];
		for (const known of [lead, encoded])
			for (const spelling of spellings(urlOf(known))) {
				const { data } = await look(service.admin.createAccount(), {
					linkedinUrls: [spelling],
				});
				expect(data.map((row) => row.linkedin_url)).toEqual([urlOf(known)]);
			}
	});

	test('does not know people who share a number or a name with a lead', async () => {
		const url = urlOf(0);
		const { count } = await look(service.admin.createAccount(), {
			linkedinUrls: [
				url.replace(/in\/\w+-/, 'in/someone-'),
				url.replace(/-\d+$/, ''),
				url.replace('linkedin', 'linkedout'),
				'https://www.linkedin.com/company/acme',
				'%E0%A4%A',
				'',
			],
			onlyWithEmails: false,
		});
		expect(count).toBe(0);
	});

	test('pages through the results within max_results', async () => {
		const account = service.admin.createAccount();
		const body = { linkedinUrls: urls(50), onlyWithEmails: false, _per_page: 20 };
		expect(await look(account, { ...body, _page: 2 })).toMatchObject({
			count: 20,
			total_pages: 3,
			total_count: 50,
			has_more: true,
			next_page: 3,
		});
		const last = await look(account, { ...body, _page: 2, max_results: 25 });
		expect(last).toMatchObject({ count: 5, total_count: 25, next_page: null, max_results: 25 });
		expect(last.data[0]?.linkedin_url).toBe(urlOf(20));
	});

	test('of no URL answers no row, needs no credit, and has max_results 500', async () => {
		const account = service.admin.createAccount({ apiCredits: 0 });
		const answer = await look(account, { linkedinUrls: [] });
		expect(answer).toMatchObject({ count: 0, data: [], total_count: 0, max_results: 500 });
	});

	test('takes 100,000 URLs, and not one more', async () => {
		const account = service.admin.createAccount();
		const all = [...matching().subarray(0, 100_000)].map(urlOf);
		const answer = await look(account, { linkedinUrls: all, onlyWithEmails: false });
		expect(answer).toMatchObject({ count: 100, total_count: 100_000 });
		const [logged] = service.admin.requests({ account: account.id });
		expect(logged?.body).toEqual({
			linkedinUrls: { count: 100_000, first: all[0], last: all[99_999] },
			onlyWithEmails: false,
		});
		const more = await lookup(service.baseUrl, account.apiKey, {
			linkedinUrls: [...all, 'one more'],
		});
		expect(more.status).toBe(400);
	});
});

describe('lookup credits', () => {
	test('come from the subscription with a session token', async () => {
		const account = service.admin.createAccount({ apiCredits: 0, subscriptionCredits: 30 });
		const body = { linkedinUrls: urls(10), onlyWithEmails: false };
		const { status } = await lookup(service.baseUrl, account.sessionToken, body);
		expect(status).toBe(200);
		expect(account.spent).toEqual({ apiCredits: 0, subscriptionCredits: 10 });
	});

	test('cut the page when they are low, and give 402 when they are gone', async () => {
		const account = service.admin.createAccount({ apiCredits: 4 });
		const body = { linkedinUrls: urls(10), onlyWithEmails: false };
		expect(await look(account, body)).toMatchObject({
			count: 4,
			total_count: 4,
			has_more: false,
		});
		expect((await lookup(service.baseUrl, account.apiKey, body)).status).toBe(402);
		expect(account.spent.apiCredits).toBe(4);
	});
});

test.each([
	['no list of URLs', {}],
	['a URL that is no string', { linkedinUrls: [1] }],
	['a field that lookup does not have', { linkedinUrls: [], includePhone: true }],
])('%s is refused with 400', async (_what, body) => {
	const { apiKey } = service.admin.createAccount();
	const answer = await post(service.baseUrl + LOOKUP_PATH, body, bearer(apiKey));
	expect(answer).toEqual({
		status: 400,
		body: { success: false, message: someText },
	});
});
