import fc from 'fast-check';
import {
	leadAt,
	leadsChargedTwice,
	type SearchAnswer,
	type SearchRequest,
} from '../../sandbox/service';
import { lookup, search, useService } from './client';

const service = useService();

function as(account: { apiKey: string }) {
	return async (body: SearchRequest = {}) => {
		const answer = await search(service.baseUrl, account.apiKey, body);
		expect(answer.status).toBe(200);
		return answer.body;
	};
}

const urlsOf = ({ preview_data }: SearchAnswer) => preview_data.map((row) => row.linkedin_url);
const urls = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => leadAt(from + i).linkedin_url);

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

	test('set credits aside for requests in flight', async () => {
		const account = service.admin.createAccount({ apiCredits: 30, setsCreditsAside: true });
		const ask = (page: number) =>
			search(service.baseUrl, account.apiKey, { _page: page, _per_page: 25 });
		const counts = (await Promise.all([ask(1), ask(2), ask(3)])).map(({ status, body }) =>
			status === 200 ? body.count : status,
		);
		expect(counts.sort()).toEqual([25, 402, 5]);
		expect(account.apiCredits).toBe(0);
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

	test('deny a next page where a full page takes the last credit', async () => {
		const account = service.admin.createAccount({ apiCredits: 50, deniesMoreAtZero: true });
		const ask = as(account);
		expect(await ask()).toMatchObject({ count: 25, has_more: true, next_page: 2 });
		const last = await ask({ _page: 2 });
		expect(last).toMatchObject({ count: 25, has_more: false, next_page: null });
		expect(account.apiCredits).toBe(0);
	});

	test('refuse a page without any row when no credit is left', async () => {
		const account = service.admin.createAccount({ apiCredits: 25, refusesAllAtZero: true });
		const ask = (body: SearchRequest) => search(service.baseUrl, account.apiKey, body);
		expect(await ask({ _page: 9, max_results: 50 })).toMatchObject({ body: { count: 0 } });
		await ask({});
		expect((await ask({ _page: 9, max_results: 50 })).status).toBe(402);
	});

	test('clamp pages from a page number on and say so', async () => {
		const account = service.admin.createAccount({
			laterClamp: { fromPage: 3, size: 10 },
			leads: 45,
		});
		const ask = as(account);
		const second = await ask({ _page: 2, _per_page: 20 });
		expect(second).toMatchObject({ count: 20, per_page: 20, next_page: 3 });
		const third = await ask({ _page: 3, _per_page: 20 });
		expect(third).toMatchObject({ count: 10, per_page: 10, has_more: true, next_page: 4 });
		expect(urlsOf(third)).toEqual(urls(20, 30));
		expect(await ask({ _page: 5, _per_page: 20 })).toMatchObject({ count: 5, has_more: false });
	});

	test('name the number of rows as per_page', async () => {
		const account = service.admin.createAccount({ perPageIsCount: true, leads: 30 });
		const ask = as(account);
		const second = await ask({ _page: 2, _per_page: 20 });
		expect(second).toMatchObject({ count: 10, per_page: 10 });
		expect(urlsOf(second)).toEqual(urls(20, 30));
		expect(await ask({ _page: 3, _per_page: 20 })).toMatchObject({ count: 0, per_page: 0 });
	});

	test('repeat the size asked for as per_page, whatever size the pages have', async () => {
		const account = service.admin.createAccount({ clampPerPage: 10, echoesPerPage: true });
		const second = await as(account)({ _page: 2, _per_page: 20 });
		expect(second).toMatchObject({ count: 10, per_page: 20, next_page: 3 });
		expect(urlsOf(second)).toEqual(urls(10, 20));
	});

	test('keep pages at one size, named or not', async () => {
		const account = service.admin.createAccount({ fixedPerPage: 30 });
		const ask = as(account);
		const second = await ask({ _page: 2, _per_page: 10 });
		expect(second).toMatchObject({ count: 30, per_page: 30, next_page: 3 });
		expect(urlsOf(second)).toEqual(urls(30, 60));
		expect(account.spent.apiCredits).toBe(30);
		service.admin.setBehaviour(account.id, { echoesPerPage: true });
		expect(await ask({ _per_page: 10 })).toMatchObject({ count: 30, per_page: 10 });
		service.admin.setBehaviour(account.id, { answersPerPage: false });
		expect(await ask({ _per_page: 10 })).not.toHaveProperty('per_page');
	});

	test.each([
		['echo', { page: 2, has_more: false, next_page: null }],
		['one', { page: 1, has_more: true, next_page: 2 }],
	] as const)('serve the first page for every number (%s)', async (ignoresPage, told) => {
		const account = service.admin.createAccount({ ignoresPage, leads: 40 });
		const ask = as(account);
		await ask();
		const second = await ask({ _page: 2 });
		expect(second).toMatchObject({ count: 25, ...told });
		expect(urlsOf(second)).toEqual(urls(0, 25));
		expect(account.spent.apiCredits).toBe(50);
		expect(leadsChargedTwice(account)).toHaveLength(25);
	});

	test('serve the last page again behind the end, and charge for it', async () => {
		const account = service.admin.createAccount({ behindEnd: 'lastPage', leads: 40 });
		const ask = as(account);
		const behind = await ask({ _page: 7 });
		expect(behind).toMatchObject({ count: 15, page: 7, has_more: false, next_page: null });
		expect(urlsOf(behind)).toEqual(urls(25, 40));
		expect(account.spent.apiCredits).toBe(15);
	});

	test('name the last page when they serve it again', async () => {
		const account = service.admin.createAccount({ behindEnd: 'namedLastPage', leads: 40 });
		const behind = await as(account)({ _page: 7 });
		expect(behind).toMatchObject({ count: 15, page: 2, has_more: false, next_page: null });
		expect(urlsOf(behind)).toEqual(urls(25, 40));
	});

	test('serve the first page instead of one behind the end', async () => {
		const account = service.admin.createAccount({ behindEnd: 'firstPage', leads: 40 });
		const behind = await as(account)({ _page: 7 });
		expect(behind).toMatchObject({ count: 25, page: 7, has_more: false });
		expect(urlsOf(behind)).toEqual(urls(0, 25));
	});

	test('name as page size the rows that there were credits for', async () => {
		const account = service.admin.createAccount({ perPageIsCut: true, apiCredits: 30 });
		const ask = as(account);
		expect(await ask()).toMatchObject({ count: 25, per_page: 25 });
		expect(await ask({ _page: 2 })).toMatchObject({ count: 5, page: 2, per_page: 5 });
	});

	test('answer without rows where no credit is left', async () => {
		const bent = { answersAtZero: true, saysMoreWhenShort: true, apiCredits: 0 };
		const account = service.admin.createAccount(bent);
		expect(await as(account)()).toMatchObject({ count: 0, has_more: true, next_page: 2 });
	});

	test('have no page behind the last one, but a first one, and charge nothing', async () => {
		const account = service.admin.createAccount({ behindEnd: 'notFound', leads: 0 });
		const statuses = [1, 2].map(async (_page) => {
			const { status } = await search(service.baseUrl, account.apiKey, { _page });
			return status;
		});
		expect(await Promise.all(statuses)).toEqual([200, 404]);
		expect(account.spent.apiCredits).toBe(0);
	});

	test.each([
		[{ minPerPage: 10 }, 4, 10],
		[{ minPerPage: 10 }, 12, 12],
		[{ allowedPerPage: [10, 25] }, 4, 10],
		[{ allowedPerPage: [10, 25] }, 11, 25],
		[{ allowedPerPage: [10, 25] }, 30, 25],
	])('with %j, pages asked for with %i rows have %i, and say so', async (bent, asked, served) => {
		const ask = as(service.admin.createAccount(bent));
		const second = await ask({ _page: 2, _per_page: asked });
		expect(second).toMatchObject({ count: served, per_page: served });
		expect(urlsOf(second)).toEqual(urls(served, 2 * served));
	});

	test.each([
		[{ clampPerPage: 10 }, 25, { page: 3, count: 10 }, [20, 30]],
		[{ clampPerPage: 50 }, 25, { page: 2, count: 25 }, [25, 50]],
		[{ minPerPage: 40 }, 30, { page: 1, count: 40 }, [0, 40]],
	])(
		'with %j and renumbered pages, page 2 of %i rows is %j',
		async (bent, asked, page, range) => {
			const ask = as(service.admin.createAccount({ ...bent, renumbersPages: true }));
			const second = await ask({ _page: 2, _per_page: asked });
			expect(second).toMatchObject(page);
			expect(urlsOf(second)).toEqual(urls(range[0] ?? 0, range[1] ?? 0));
		},
	);

	test('leave fields out of an answer without rows only', async () => {
		const bent = { omitsWhenEmpty: ['page', 'per_page'], leads: 25 };
		const ask = as(service.admin.createAccount(bent));
		expect(await ask()).toMatchObject({ page: 1, per_page: 25 });
		const empty = await ask({ _page: 2 });
		expect(empty).toMatchObject({ count: 0, has_more: false });
		expect(empty).not.toHaveProperty('page');
		expect(empty).not.toHaveProperty('per_page');
	});

	test('send the following rows, too, and charge for them', async () => {
		const account = service.admin.createAccount({ sendsExtra: 5, leads: 58 });
		const ask = as(account);
		expect(urlsOf(await ask())).toEqual(urls(0, 30));
		const second = await ask({ _page: 2 });
		expect(second).toMatchObject({ count: 30, per_page: 25, has_more: true });
		expect(urlsOf(second)).toEqual(urls(25, 55));
		expect(await ask({ _page: 3 })).toMatchObject({ count: 8, has_more: false });
		expect(account.spent.apiCredits).toBe(68);
		expect(leadsChargedTwice(account)).toHaveLength(10);
	});
});

test('Whatever the behaviour, a page costs its rows and no more than there are credits', async () => {
	const size = fc.integer({ min: 1, max: 40 });
	const flag = fc.constant(true);
	const behaviours = fc.record(
		{
			leads: fc.nat({ max: 90 }),
			clampPerPage: size,
			fixedPerPage: size,
			minPerPage: size,
			allowedPerPage: fc.array(size, { minLength: 1 }),
			laterClamp: fc.record({ fromPage: fc.integer({ min: 1, max: 3 }), size }),
			echoesPerPage: flag,
			perPageIsCount: flag,
			ignoresMaxResults: flag,
			saysMoreWhenShort: flag,
			deniesMoreAtZero: flag,
			perPageIsCut: flag,
			renumbersPages: flag,
			answersAtZero: flag,
			refusesAllAtZero: flag,
			ignoresPage: fc.constantFrom('echo' as const, 'one' as const),
			behindEnd: fc.constantFrom(
				'lastPage' as const,
				'namedLastPage',
				'firstPage',
				'notFound',
			),
			sendsExtra: size,
			lookupPagesBy: fc.constant('urls' as const),
			twoRowsEvery: fc.integer({ min: 1, max: 3 }),
			renamesEvery: fc.integer({ min: 1, max: 3 }),
		},
		{ requiredKeys: [] },
	);
	const question = { _page: fc.integer({ min: 1, max: 5 }), _per_page: size };
	const linkedinUrls = fc.integer({ min: 0, max: 60 }).map((count) => urls(0, count));
	await fc.assert(
		fc.asyncProperty(
			behaviours,
			fc.nat({ max: 120 }),
			fc.record(question),
			fc.record({ ...question, linkedinUrls }),
			async (behaviour, apiCredits, asked, askedUrls) => {
				const account = service.admin.createAccount({ ...behaviour, apiCredits });
				let rows = 0;
				for (const answer of [
					await search(service.baseUrl, account.apiKey, asked),
					await lookup(service.baseUrl, account.apiKey, askedUrls),
				]) {
					expect([200, 402, 404]).toContain(answer.status);
					if (answer.status === 200) rows += answer.body.count;
				}
				expect(account.spent.apiCredits).toBe(rows);
				expect(account.chargedLeads).toHaveLength(rows);
				expect(account.apiCredits).toBe(apiCredits - rows);
			},
		),
		{ numRuns: 80 },
	);
});
