/** Other readings of a lookup than the mock service's usual one, account by account. */
import {
	leadAt,
	leadsChargedTwice,
	type LookupAnswer,
	type LookupRequest,
} from '../../sandbox/service';
import { lookup, useService } from './client';

const service = useService();

const urls = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => leadAt(from + i).linkedin_url);
const NOBODY = ['linkedin.com/in/nobody', 'linkedin.com/in/nobody-else'];

function as(account: { apiKey: string }) {
	return async (body: LookupRequest) => {
		const answer = await lookup(service.baseUrl, account.apiKey, {
			onlyWithEmails: false,
			...body,
		});
		expect(answer.status).toBe(200);
		return answer.body;
	};
}
const urlsOf = ({ data }: LookupAnswer) => data.map((row) => row.linkedin_url);

describe('an account can make a lookup', () => {
	test('find fewer profiles', async () => {
		const account = service.admin.createAccount({ leads: 2 });
		const answer = await as(account)({ linkedinUrls: urls(0, 6) });
		expect(answer).toMatchObject({ count: 2, total_count: 2, has_more: false });
	});

	test('count URLs in pages, so that an empty page may come before a full one', async () => {
		const account = service.admin.createAccount({ lookupPagesBy: 'urls' });
		const ask = as(account);
		const list = { linkedinUrls: [...urls(0, 2), ...NOBODY, ...urls(2, 5)], _per_page: 2 };
		const pages: LookupAnswer[] = [];
		for (const _page of [1, 2, 3, 4]) pages.push(await ask({ ...list, _page }));
		expect(pages.map(urlsOf)).toEqual([urls(0, 2), [], urls(2, 4), urls(4, 5)]);
		expect(pages.map((page) => page.next_page)).toEqual([2, 3, 4, null]);
		expect(pages[1]).toMatchObject({ has_more: true, total_count: 7, total_pages: 4 });
		expect(account.spent.apiCredits).toBe(5);
	});

	test('cut a page of URLs to the rows that the balance pays for', async () => {
		const account = service.admin.createAccount({ lookupPagesBy: 'urls', apiCredits: 3 });
		const linkedinUrls = [...NOBODY, ...urls(0, 6)];
		const whole = await as(account)({ linkedinUrls, _per_page: 4 });
		expect(whole).toMatchObject({ count: 2, has_more: true });
		const cut = await as(account)({ linkedinUrls, _per_page: 4, _page: 2 });
		expect(urlsOf(cut)).toEqual(urls(2, 3));
		expect(cut).toMatchObject({ has_more: false, total_count: 5 });
		expect(account.apiCredits).toBe(0);
	});

	test('deny a next page, and count no further, where a full page takes the last credit', async () => {
		const account = service.admin.createAccount({ apiCredits: 4, deniesMoreAtZero: true });
		const answer = await as(account)({ linkedinUrls: urls(0, 9), _per_page: 4 });
		expect(answer).toMatchObject({ count: 4, has_more: false, total_count: 4 });
	});

	test('refuse even an empty list when no credit is left', async () => {
		const { apiKey } = service.admin.createAccount({ apiCredits: 0, refusesAllAtZero: true });
		const answer = await lookup(service.baseUrl, apiKey, { linkedinUrls: [] });
		expect(answer.status).toBe(402);
	});

	test('answer some profiles under another URL, the same one each time', async () => {
		const account = service.admin.createAccount({ renamesEvery: 3 });
		const ask = as(account);
		const answer = await ask({ linkedinUrls: urls(0, 6) });
		const [zero, one, two, three, ...others] = urls(0, 6);
		const renamed = [`${zero}-renamed`, one, two, `${three}-renamed`, ...others];
		expect(urlsOf(answer)).toEqual(renamed);
		expect(urlsOf(await ask({ linkedinUrls: urls(0, 6) }))).toEqual(renamed);
		const again = await ask({ linkedinUrls: [`${zero}-renamed`, `${one}-renamed`] });
		expect(urlsOf(again)).toEqual([`${zero}-renamed`]);
	});

	test('give two rows for some profiles, both charged, which is no double payment', async () => {
		const account = service.admin.createAccount({ twoRowsEvery: 2, ignoresMaxResults: true });
		const ask = as(account);
		const { data } = await ask({ linkedinUrls: urls(0, 3) });
		const [zero, one, two] = urls(0, 3);
		expect(data.map((row) => row.linkedin_url)).toEqual([zero, zero, one, two, two]);
		expect(data[1]).toEqual({
			...data[0],
			job_title: `Former ${data[0]?.job_title ?? ''}`,
		});
		expect(data[4]?.work_email).toBe(`second.${data[3]?.work_email ?? ''}`);
		expect(account.spent.apiCredits).toBe(5);
		expect(account.chargedLeads).toHaveLength(5);
		expect(leadsChargedTwice(account)).toEqual([]);
		await ask({ linkedinUrls: urls(2, 3) });
		expect(leadsChargedTwice(account)).toEqual([2]);
	});
});
