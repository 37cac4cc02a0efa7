/** Promises 6 and 7: stop means stop; as fast as the service allows, with every promise about money kept. */
import { once } from 'node:events';
import { sleep } from 'n8n-workflow';

import {
	continues,
	iceland as filters,
	icelanders,
	jsonOf,
	urlsOf,
	useService,
	warningsOf,
	type Customer,
} from './useService';

const shared = useService();
const { customer } = shared;

const mostAtOnce = (requests: ReturnType<Customer['requests']>) =>
	Math.max(...requests.map(({ inFlight }) => inFlight));
/** Has requests overlap, where several may be under way. */
const slow = (buyer: Customer) => {
	shared.service.admin.addFault({ kind: 'latency', ms: 10, times: 'always' });
	return buyer;
};
const sizesOf = (buyer: Customer) => buyer.requests().map(({ perPage }) => perPage);

describe('Promise 7: as fast as the service allows', () => {
	test.each([
		['at most eight', {}, 8],
		['at most as many as set', { parallelPages: 4 }, 4],
	])('one request at first, then one more for each that came, %s', async (_, more, most) => {
		const buyer = slow(customer());
		const { items } = await buyer.search({
			limit: 450,
			filters,
			options: { pageSize: 10, ...more },
		});
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 450));
		const [first, second] = buyer.requests();
		expect([first?.inFlight, second?.inFlight]).toEqual([1, 1]);
		expect(mostAtOnce(buyer.requests())).toBeGreaterThan(2);
		expect(mostAtOnce(buyer.requests())).toBeLessThanOrEqual(most);
		expect(buyer.spent()).toBe(450);
	});

	test('lookups and previews know it too, and with 1 it is one at a time', async () => {
		const buyer = slow(customer());
		const linkedinUrls = icelanders.slice(0, 100).join();
		const options = { pageSize: 10, onlyWithEmails: false };
		const { items } = await buyer.lookUp({ linkedinUrls, options });
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 100));
		expect(mostAtOnce(buyer.requests())).toBeGreaterThan(1);
		const visitor = customer();
		await visitor.preview({
			limit: 100,
			filters,
			options: { pageSize: 10, parallelPages: 1 },
		});
		expect(mostAtOnce(visitor.requests())).toBe(1);
	});

	test('leads come in the order of the search, whichever page is answered first', async () => {
		const buyer = customer();
		buyer.addFault({ kind: 'latency', ms: 50, page: 2 });
		const { items } = await buyer.search({ limit: 100, filters, options: { pageSize: 10 } });
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 100));
	});

	test('Limit and Max Credits per Execution stay exact', async () => {
		const buyer = customer({ readings: { maxResults: 'totalCount' } });
		const options = { pageSize: 20, parallelPages: 10, maxCredits: 117 };
		const { items } = await buyer.search({ limit: 143, filters, options });
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 117));
		expect(buyer.spent()).toBe(117);
	});

	test('past the end at most seven pages are asked for, and they are free', async () => {
		const buyer = customer({ leads: 240 });
		const { items } = await buyer.search({
			returnAll: true,
			filters,
			options: { pageSize: 50 },
		});
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 240));
		expect(buyer.spent()).toBe(240);
		expect(buyer.requests().filter(({ rows }) => rows === 0).length).toBeLessThanOrEqual(8);
	});

	test('a key that is not accepted costs one request, not eight', async () => {
		const credential = { apiKey: 'key_of_nobody' };
		const { error } = await customer().search({ returnAll: true, filters }, { credential });
		expect(error?.message).toBe('The API key was not accepted (401)');
		const refused = shared.service.admin.requests().filter(({ status }) => status === 401);
		expect(refused).toHaveLength(1);
	});
});

describe('Page sizes', () => {
	test('smaller ones than asked for are followed', async () => {
		const buyer = customer({ readings: { pageSize: 100 } });
		const { items } = await buyer.search({ limit: 250, filters });
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 250));
		expect(sizesOf(buyer)).toEqual([250, 100, 50]);
		expect(buyer.spent()).toBe(250);
	});

	test.each([400, 413, 422] as const)(
		'one that is refused with %s gives way to the documented default',
		async (status) => {
			const buyer = customer({ readings: { pageSize: 100, tooLarge: status } });
			const { items } = await buyer.search({ limit: 130, filters });
			expect(urlsOf(items)).toEqual(icelanders.slice(0, 130));
			expect(sizesOf(buyer)).toEqual([130, 25, 25, 25, 25, 25, 5]);
			const linkedinUrls = icelanders.slice(0, 150).join();
			await buyer.lookUp({ linkedinUrls, options: { onlyWithEmails: false } });
			expect(sizesOf(buyer).slice(7)).toEqual([150, 100, 50]);
		},
	);

	test('after Skip the service is asked for its own once, for free', async () => {
		const buyer = customer({ readings: { pageSize: 30 }, leads: 1_000 });
		const { items } = await buyer.search({ limit: 200, filters, options: { skip: 60 } });
		expect(urlsOf(items)).toEqual(icelanders.slice(60, 260));
		expect(buyer.requests()[0]).toMatchObject({ page: 100_001, perPage: 200, charged: 0 });
		expect(buyer.spent()).toBe(200);
	});
	test('the row by which a service shows its page after the last one keeps its place', async () => {
		const buyer = customer({
			readings: { pageSize: 25, afterLast: 'lastPage' },
			leads: 130,
		});
		const { items } = await buyer.search({ returnAll: true, filters, options: { skip: 7 } });
		expect(urlsOf(items)).toEqual(icelanders.slice(7, 130));
	});

	test('a last page that was cut to a size nobody named is found to begin earlier', async () => {
		const buyer = shared.node({
			readings: { pageSize: 51, missing: ['per_page'] },
			leads: 100,
		});
		await buyer.search({ limit: 1 });
		const result = await buyer.search({ returnAll: true });
		expect(urlsOf(result.items)).toEqual(icelanders.slice(0, 100));
		expect(warningsOf(result)).toEqual([
			expect.stringMatching(/^The service sent \d+ leads a second time/),
		]);
	});
});

describe('A page that fails', () => {
	test('is asked for again, and nothing is missing', async () => {
		const buyer = customer();
		buyer.addFault({ kind: 'status', status: 429, page: 3 });
		buyer.addFault({ kind: 'status', status: 503, page: 5 });
		const { items } = await buyer.search({ limit: 100, filters, options: { pageSize: 10 } });
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 100));
		expect(buyer.spent()).toBe(100);
	});

	test('is asked for again where others of the same lookup are in doubt meanwhile', async () => {
		const buyer = customer();
		buyer.addFault({ kind: 'status', status: 429, nthRequest: 2 });
		const [one = '', two = ''] = icelanders;
		const linkedinUrls = [`${one}-no`, `${two}-no`, one, two].join();
		const options = { pageSize: 3, onlyWithEmails: false };
		const { items } = await buyer.lookUp({ linkedinUrls, options });
		expect(urlsOf(items)).toEqual([one, two]);
	});

	test('is halved each time where the service behind does not answer', async () => {
		const buyer = customer();
		buyer.addFault({ kind: 'status', status: 502, times: 3 });
		const { items } = await buyer.search({ limit: 80, filters });
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 80));
		expect(sizesOf(buyer).slice(0, 4)).toEqual([80, 40, 20, 10]);
		expect(buyer.spent()).toBe(80);
	});

	test.each([
		[500, 3],
		...[400, 401, 402, 403, 404].map((status): [number, number] => [status, 1]),
	])('with %i is sent %i times, where Max Retries is 2', async (status, times) => {
		const buyer = customer();
		buyer.addFault({ kind: 'status', status, times: 'always' });
		await buyer.search({ limit: 1, options: { maxRetries: 2 } });
		expect(buyer.requests()).toHaveLength(times);
	});
});

describe('Promise 6: stop means stop', () => {
	const paged = { returnAll: true, filters, options: { pageSize: 100, parallelPages: 1 } };

	test.each(['continueRegularOutput', 'stopWorkflow'] as const)(
		'a cancel during page 3 ends the run at once (On Error: %s)',
		async (onError) => {
			const buyer = customer();
			buyer.addFault({ page: 3, kind: 'hang', charge: true });
			const cancelWhen = shared.service.admin.whenRequest(
				({ account, page }) => account === buyer.account.id && page === 3,
			);
			const { items, error } = await buyer.search(paged, { onError, cancelWhen });
			expect(buyer.requests()).toHaveLength(3);
			const isStopped = onError === 'stopWorkflow';
			expect(isStopped ? error?.description : jsonOf(items)[200]?.message).toBe(
				'No further request was sent. Your 200 leads are kept for 60 minutes. Run again: you pay only for the rest. 1 answer was lost or could not be used; up to 100 credits may have been charged.',
			);
		},
	);

	test('a cancel during the wait before a retry ends the wait', async () => {
		const buyer = customer();
		buyer.addFault({ kind: 'status', status: 503, times: 'always' });
		const cancelWhen = new Promise<void>((begun) => {
			jest.mocked(sleep).mockImplementationOnce(async (_, signal) => {
				begun();
				if (signal) await once(signal, 'abort');
			});
		});
		const { error } = await buyer.search(paged, { cancelWhen });
		expect(error?.message).toBe('The execution was stopped');
		expect(buyer.requests()).toHaveLength(1);
	});

	test('a cancel while a preview is on its way cuts it off', async () => {
		shared.service.admin.addFault({ path: '/api/preview', kind: 'hang' });
		const cancelWhen = shared.service.admin.whenRequest(
			({ path, perPage }) => path === '/api/preview' && perPage === 7,
		);
		const { error } = await customer().preview({ limit: 7 }, { cancelWhen });
		expect(error?.message).toBe('The execution was stopped');
	});

	test('after a 402 nothing is sent but what was in flight', async () => {
		const buyer = customer({ apiCredits: 30 });
		const { items } = await buyer.search(
			{ filters, returnAll: true, options: { pageSize: 10, parallelPages: 3 } },
			continues,
		);
		const statuses = buyer.requests().map(({ status }) => status);
		expect(statuses.length - statuses.indexOf(402)).toBeLessThanOrEqual(3);
		expect(items).toHaveLength(31);
	});
});
