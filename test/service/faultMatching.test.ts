import {
	LOOKUP_PATH,
	type Account,
	type FaultAction,
	type SearchRequest,
} from '../../sandbox/service';
import { lookup, search, useService } from './client';

const service = useService();
let account: Account;
beforeEach(() => {
	service.admin.clearFaults();
	account = service.admin.createAccount();
});

const add = (fault: FaultAction) => service.admin.addFault({ account: account.apiKey, ...fault });
const ask = (body: SearchRequest = {}) => search(service.baseUrl, account.apiKey, body);

describe('a fault is injected into', () => {
	const statuses = async (count: number, body: SearchRequest = {}) => {
		const seen: number[] = [];
		for (let i = 0; i < count; i++) seen.push((await ask(body)).status);
		return seen;
	};

	test('one request unless said otherwise, in the order they were added', async () => {
		add({ kind: 'status', status: 500 });
		add({ kind: 'status', status: 503 });
		expect(await statuses(3)).toEqual([500, 503, 200]);
	});

	test('so many requests, from the nth on', async () => {
		const fault = service.admin.addFault({
			account: account.id,
			kind: 'status',
			status: 500,
			nthRequest: 2,
			times: 2,
		});
		expect(await statuses(5)).toEqual([200, 500, 500, 200, 200]);
		expect(fault).toMatchObject({ seen: 5, met: 2 });
	});

	test('all of them, until it is removed', async () => {
		const fault = service.admin.addFault({
			account: account.id,
			kind: 'status',
			status: 500,
			times: 'always',
		});
		expect(await statuses(3)).toEqual([500, 500, 500]);
		fault.remove();
		expect(await statuses(1)).toEqual([200]);
	});

	test('one page, one page size, one path, one account', async () => {
		const status = 500;
		const always = { account: account.id, times: 'always', kind: 'status', status } as const;
		service.admin.addFault({ ...always, page: 2, perPage: 25 });
		service.admin.addFault({ ...always, path: LOOKUP_PATH });
		expect(await statuses(1, { _page: 1 })).toEqual([200]);
		expect(await statuses(1, { _page: 2 })).toEqual([500]);
		expect(await statuses(1, { _page: 2, _per_page: 10 })).toEqual([200]);
		const body = { linkedinUrls: [] };
		expect((await lookup(service.baseUrl, account.sessionToken, body)).status).toBe(500);
		const other = service.admin.createAccount();
		expect((await search(service.baseUrl, other.apiKey, { _page: 2 })).status).toBe(200);
	});
});
