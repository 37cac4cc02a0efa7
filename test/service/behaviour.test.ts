import { leadAt, startService, type LeadService, type SearchRequest } from '../../sandbox/service';
import { search } from './client';

let service: LeadService;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	expect(service.admin.schemaBreaches()).toEqual([]);
	await service.close();
});

function as(account: { apiKey: string }) {
	return async (body: SearchRequest = {}) => {
		const answer = await search(service.baseUrl, account.apiKey, body);
		expect(answer.status).toBe(200);
		return answer.body;
	};
}

describe('an account can make the service', () => {
	test('smaller', async () => {
		const account = service.admin.createAccount({ leads: 40 });
		const answer = await as(account)({ _page: 2 });
		expect(answer).toMatchObject({ count: 15, total_count: 40, has_more: false });
	});

	test('clamp pages and say so', async () => {
		const ask = as(service.admin.createAccount({ clampPerPage: 10, leads: 25 }));
		const second = await ask({ _page: 2, _per_page: 100 });
		expect(second).toMatchObject({ count: 10, per_page: 10, has_more: true, next_page: 3 });
		expect(second.preview_data[0]?.linkedin_url).toBe(leadAt(10).linkedin_url);
		expect(await ask({ _page: 3, _per_page: 100 })).toMatchObject({
			count: 5,
			has_more: false,
		});
	});

	test('clamp pages silently', async () => {
		const ask = as(service.admin.createAccount({ silentClamp: 10 }));
		const second = await ask({ _page: 2, _per_page: 100 });
		expect(second).toMatchObject({ count: 10, per_page: 100, has_more: true });
		expect(second.preview_data[0]?.linkedin_url).toBe(leadAt(10).linkedin_url);
	});

	test('leave per_page out', async () => {
		const answer = await as(service.admin.createAccount({ answersPerPage: false }))();
		expect(answer).not.toHaveProperty('per_page');
	});

	test.each([400, 413, 422] as const)('refuse large pages with %i', async (status) => {
		const account = service.admin.createAccount({ refusesPerPageAbove: { size: 100, status } });
		await as(account)({ _per_page: 100 });
		const large = await search(service.baseUrl, account.apiKey, { _per_page: 101 });
		expect(large.status).toBe(status);
		expect(account.spent.apiCredits).toBe(100);
	});

	test('ignore max_results', async () => {
		const account = service.admin.createAccount({ ignoresMaxResults: true });
		const answer = await as(account)({ _per_page: 100, max_results: 10 });
		expect(answer).toMatchObject({ count: 100, has_more: true, max_results: 10 });
	});

	test('name a next page when credits cut one', async () => {
		const account = service.admin.createAccount({ apiCredits: 3, saysMoreWhenShort: true });
		expect(await as(account)()).toMatchObject({ count: 3, has_more: true, next_page: 2 });
	});
});
