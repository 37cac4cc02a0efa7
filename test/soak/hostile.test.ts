/** Answers that take real time, or much of it: a clear message, no endless wait, nothing lost. */
import type { FaultAction } from '../../sandbox/service';
import { useService } from '../node/useService';

const shared = useService();
jest.setTimeout(300_000);

/** Two good pages, then this; how many leads came out, and the message. */
async function afterTwoPages(fault: FaultAction, options = {}) {
	const buyer = shared.customer();
	buyer.addFault({ ...fault, page: 3, perPage: 50 });
	const { items } = await buyer.search(
		{
			returnAll: true,
			filters: { personLocationCountry: 'Iceland' },
			options: { pageSize: 50, parallelPages: 1, maxRetries: 0, ...options },
		},
		{ onError: 'continueRegularOutput' },
	);
	const leads = items.filter(({ json }) => json.error === undefined);
	return { leads: leads.length, failure: items.at(-1)?.json.error, buyer };
}

test('an answer of 300 MB', async () => {
	const { leads, failure } = await afterTwoPages({ kind: 'huge', bytes: 300_000_000 });
	expect(leads).toBe(100);
	expect(failure).toBe('The answer is larger than 100 MB; it may have been charged');
});

test('an answer that never ends', async () => {
	// Long enough for each of the good pages, however busy the machine is.
	const { leads, failure } = await afterTwoPages({ kind: 'endless' }, { timeout: 20 });
	expect(leads).toBe(100);
	expect(failure).toBe('No complete answer within 20 seconds; it may have been charged');
});

test('a 402 whose body never ends', async () => {
	const { leads, failure, buyer } = await afterTwoPages(
		{ kind: 'endless', status: 402 },
		{ timeout: 20 },
	);
	expect(leads).toBe(100);
	expect(failure).toBe('Not enough API credits (402): 100 leads fetched before they ran out');
	expect(buyer.requests()).toHaveLength(3);
});
