/** Tests the faults that the mock service injects. */
import { LOOKUP_PATH, SEARCH_PATH } from '../../sandbox/service';
import type { Account, FaultAction, FaultMatch, SearchRequest } from '../../sandbox/service';
import { bearer, lookup, search, send, useService } from './client';

const service = useService();
let account: Account;
beforeEach(() => {
	service.admin.clearFaults();
	account = service.admin.createAccount({ apiCredits: 1_000 });
});

const add = (fault: FaultAction & FaultMatch) =>
	service.admin.addFault({ account: account.apiKey, ...fault });
const searchPage = (body: SearchRequest = {}) => search(service.baseUrl, account.apiKey, body);
const sendSearch = (signal?: AbortSignal) =>
	send(service.baseUrl + SEARCH_PATH, {}, bearer(account.apiKey), signal);
const lastLogged = () => service.admin.requests({ account: account.id }).at(-1);

describe('The requests of a fault', () => {
	test('a fault is injected into one request, or into several from the nth on, until it is removed', async () => {
		add({ kind: 'status', status: 500 });
		add({ kind: 'status', status: 501 });
		add({ kind: 'status', status: 502, nthRequest: 3, times: 2 });
		const last = { account: account.id, nthRequest: 6, times: 'always' } as const;
		const fault = add({ kind: 'status', status: 503, ...last });
		const statuses: number[] = [];
		for (let i = 0; i < 8; i++) statuses.push((await searchPage()).status);
		expect(statuses).toEqual([500, 501, 502, 502, 200, 503, 503, 503]);
		fault.remove();
		expect((await searchPage()).status).toBe(200);
	});

	test('a fault is injected only into requests of its page, page size, path and account', async () => {
		const always = { account: account.sessionToken, times: 'always', kind: 'status', status: 500 };
		add({ ...always, page: 2, perPage: 25 } as FaultAction);
		add({ ...always, path: LOOKUP_PATH } as FaultAction);
		const other = service.admin.createAccount();
		const responses = [
			await searchPage({ _page: 1 }),
			await searchPage({ _page: 2 }),
			await searchPage({ _page: 2, _per_page: 10 }),
			await lookup(service.baseUrl, account.sessionToken, { linkedinUrls: [] }),
			await search(service.baseUrl, other.apiKey, { _page: 2 }),
		];
		expect(responses.map(({ status }) => status)).toEqual([200, 500, 200, 500, 200]);
	});
});

test.each<[FaultAction, number]>([
	[{ kind: 'status', status: 429 }, 0],
	[{ kind: 'status', status: 504, charge: true }, 25],
	[{ kind: 'wrongEncoding' }, 25],
	[{ kind: 'wrongEncoding', charge: false }, 0],
	[{ kind: 'loseAfterAnswer' }, 25],
	[{ kind: 'loseMidAnswer' }, 25],
	[{ kind: 'hang', charge: true }, 25],
])('the fault %j costs a client that disconnects %i credits', async (fault, credits) => {
	add(fault);
	const disconnect = new AbortController();
	sendSearch(disconnect.signal).catch(() => undefined);
	await service.admin.waitForRequest((r) => r.account === account.id && r.faults.length > 0);
	disconnect.abort();
	await service.admin.idle();
	expect(account.spent.apiCredits).toBe(credits);
	expect(lastLogged()).toMatchObject({ charged: credits, rows: credits });
});
