/** Runs of one node that overlap in one execution, as when an agent calls its tool twice at once. */
import { randomUUID } from 'node:crypto';

import type { RunOptions } from './useService';
import { urlsOf, useService } from './useService';

const shared = useService();

const sameExecution = (): RunOptions => ({ nodeId: randomUUID(), executionId: randomUUID() });

test('three runs of 20 leads under a Credit Budget of 25 cost 25 credits', async () => {
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

test('two runs of the same search are paid once', async () => {
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
