import { leadsChargedTwice, SEARCH_PATH } from '../../sandbox/service';
import { checker } from '../../sandbox/service/contract';
import { RequestLog } from '../../sandbox/service/log';
import { searchAnswer } from './answers';
import { post, search, useService } from './client';

const service = useService();

describe('the admin', () => {
	test('opens accounts, tells their ledger and refills them', async () => {
		const { admin, baseUrl } = service;
		const account = admin.createAccount({ id: 'buyer', apiCredits: 5, leads: 9 });
		expect((await search(baseUrl, account.apiKey)).body).toMatchObject({ count: 5 });
		expect(account).toMatchObject({ apiCredits: 0, spent: { apiCredits: 5 } });
		expect(leadsChargedTwice(account)).toEqual([]);
		admin.setCredits('buyer', { apiCredits: 7 });
		admin.setBehaviour('buyer', { leads: 2 });
		expect((await search(baseUrl, account.apiKey)).body).toMatchObject({ count: 2 });
		expect(account).toMatchObject({ apiCredits: 5, spent: { apiCredits: 7 } });
		expect(leadsChargedTwice(account)).toEqual([0, 1]);
		expect(() => admin.createAccount({ id: 'plenty' })).toThrow('plenty is taken');
		expect(() => admin.account('nobody')).toThrow('There is no such account');
	});

	test('gives the requests of an account since another one', async () => {
		const { id, apiKey } = service.admin.createAccount();
		await search(service.baseUrl, apiKey, { _page: 1 });
		await search(service.baseUrl, apiKey, { _page: 2 });
		const [first] = service.admin.requests({ account: id });
		const asked = { path: SEARCH_PATH, method: 'POST', body: { _page: 2 }, page: 2, perPage: 25 };
		expect(service.admin.requests({ account: id, since: first?.seq })).toMatchObject([
			{ ...asked, status: 200, rows: 25, charged: 25, account: id },
		]);
	});
});

test('the built-in accounts have plenty, 60 and no credits', () => {
	const built = ['plenty', 'few', 'none'].map((id) => service.admin.account(id));
	expect(built.map(({ apiCredits }) => apiCredits)).toEqual([1_000_000, 60, 0]);
	expect(built.map(({ subscriptionCredits }) => subscriptionCredits)).toEqual([1_000_000, 60, 0]);
});

test('the answer schemas want every field and no other', async () => {
	const wrongIn = checker(searchAnswer, 'answer');
	expect(wrongIn({ success: true })).toContain('answer must have required property');
	const { body } = await search(service.baseUrl, service.admin.account('plenty').apiKey);
	expect(wrongIn(body)).toBeUndefined();
	expect(wrongIn({ ...body, code: 1 })).toContain('additional properties');
});

describe('the request log', () => {
	test('keeps the last 20,000 requests', () => {
		const log = new RequestLog();
		const who = { account: null, headerStyle: null, page: null, perPage: null };
		for (let i = 0; i < 23_000; i++) {
			log.arrived({ method: 'POST', path: '/', headers: {}, body: {}, ...who });
			log.ended();
		}
		expect(log.requests).toHaveLength(20_000);
		expect(log.requests.at(-1)).toMatchObject({ seq: 23_000, inFlight: 1 });
	});

	test('tells of a request that was already there, or comes later', async () => {
		const later = service.admin.whenRequest((r) => r.path === '/later');
		await post(`${service.baseUrl}/later`, {});
		const { seq } = await later;
		expect(await service.admin.whenRequest((r) => r.path === '/later')).toMatchObject({ seq });
	});
});
