/** Tests promises 6 and 7: a cancel ends a run, and a run is as fast as the service and Parallel Pages allow. */
import { once } from 'node:events';
import { sleep } from 'n8n-workflow';

import { first, status, useService, setLastResponseWait } from './useService';
import type { Customer, Setup } from './useService';

const shared = useService();
const { customer } = shared;

const tenPerPage = { pageSize: 10 };
const concurrencyOf = (buyer: Customer) => buyer.requests().map(({ inFlight }) => inFlight);
const always = { times: 'always' } as const;
/** Creates a customer of a slow service, so that concurrent requests overlap. */
const createSlowCustomer = (setup?: Setup) => {
	shared.service.admin.addFault({ kind: 'latency', ms: 10, ...always });
	return customer(setup);
};

describe('Promise 7: as fast as the service allows', () => {
	test('a search starts with one request in flight, and allows more after its first responses, up to Parallel Pages', async () => {
		const buyer = createSlowCustomer();
		const result = await buyer.search({ limit: 450, options: { ...tenPerPage, parallelPages: 4 } });
		expect(result).toMatchObject({ urls: first(450), spent: 450 });
		const inFlight = concurrencyOf(buyer);
		expect(inFlight.slice(0, 2)).toEqual([1, 1]);
		expect(Math.max(...inFlight)).toBeGreaterThan(2);
		expect(Math.max(...inFlight)).toBeLessThanOrEqual(4);
	});

	test('a lookup has several requests in flight, and a preview with Parallel Pages 1 has one at a time', async () => {
		const [buyer, previewer] = [createSlowCustomer(), customer()];
		expect((await buyer.lookUpAll(first(100), {}, tenPerPage)).urls).toEqual(first(100));
		expect(Math.max(...concurrencyOf(buyer))).toBeGreaterThan(1);
		await previewer.preview({ limit: 100, options: { ...tenPerPage, parallelPages: 1 } });
		expect(Math.max(...concurrencyOf(previewer))).toBe(1);
	});
});

describe('Promise 6: stop means stop', () => {
	const paged = { returnAll: true, options: { pageSize: 100, parallelPages: 1 } };

	test.each(['continueRegularOutput', 'stopWorkflow'] as const)(
		'a cancel during the third request ends the run without another request, with On Error %s',
		async (onError) => {
			setLastResponseWait(300);
			const { search, waitForPage } = customer({
				faults: [{ page: 3, kind: 'hang', charge: true }],
			});
			const result = await search(paged, { onError, cancelWhen: waitForPage(3) });
			expect(result.pages).toEqual([1, 2, 3]);
			// The run waited 5 seconds for its last response.
			expect(jest.spyOn(AbortSignal, 'timeout').mock.calls).toContainEqual([5_000]);
			const isStopped = onError === 'stopWorkflow';
			expect(isStopped ? result.description : result.json[200]?.message).toBe(
				"No further request was sent. Run it again within 29 minutes: you pay only for the rest. This node has spent 200 credits in this execution. 1 response was lost or could not be used; up to 100 credits may have been charged. Your 200 leads are saved. To see them for 0 credits, turn off 'Return All', set 'Limit' 200, run the node, and then turn 'Return All' on again.",
			);
		},
	);

	test('a cancel during a back-off ends the back-off', async () => {
		const cancelWhen = new Promise<void>((begun) => {
			jest.mocked(sleep).mockImplementationOnce(async (_, signal) => {
				begun();
				if (signal) await once(signal, 'abort');
			});
		});
		const { search } = customer({ faults: [status(503, always)] });
		const { message, pages } = await search(paged, { cancelWhen });
		expect([message, pages]).toEqual(['The execution was stopped', [1]]);
	});

	test('a cancel ends a preview that is in flight', async () => {
		setLastResponseWait(300);
		shared.service.admin.addFault({ path: '/api/preview', kind: 'hang' });
		const cancelWhen = shared.service.admin.waitForRequest(
			({ path, perPage }) => path === '/api/preview' && perPage === 7,
		);
		const { message } = await customer().preview({ limit: 7 }, { cancelWhen });
		expect(message).toBe('The execution was stopped');
	});
});
