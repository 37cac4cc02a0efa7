/** Runs of one node that overlap in one execution, as when an agent calls its tool twice at once. */
import { randomUUID } from 'node:crypto';

import type { RunOptions } from './useService';
import { urlsOf, useService } from './useService';

const shared = useService();

const sameExecution = (): RunOptions => ({ nodeId: randomUUID(), executionId: randomUUID() });

// Fails: each run checks the budget before it sends, and doesn't see what the others have in flight.
test.failing('three runs of 20 leads under a Credit Budget of 25 cost 25 credits', async () => {
	const buyer = shared.customer();
	const where = sameExecution();
	await Promise.all(
		['Iceland', 'Germany', 'France'].map((personLocationCountry) =>
			buyer.search(
				{ filters: { personLocationCountry }, limit: 20, options: { maxCredits: 25 } },
				where,
			),
		),
	);
	expect(buyer.account.spent.apiCredits).toBeLessThanOrEqual(25);
});

// Fails: what a run pays for is known to the others only when it has ended.
test.failing('two runs of the same search are paid once', async () => {
	const buyer = shared.customer();
	const where = sameExecution();
	const search = { filters: { personLocationCountry: 'Iceland' }, limit: 20 };
	const [first, second] = await Promise.all([
		buyer.search(search, where),
		buyer.search(search, where),
	]);
	expect(urlsOf(second.items)).toEqual(urlsOf(first.items));
	expect(first.items).toHaveLength(20);
	expect(buyer.account.spent.apiCredits).toBe(20);
});
