import type { IExecuteFunctions } from 'n8n-workflow';

import { inTurn, RunSpending } from '../../nodes/LeadSearch/execution/credits';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';

test('runs of a node follow each other, also one that fails; those of others do not wait', async () => {
	const order: string[] = [];
	let end: () => void = () => undefined;
	const first = inTurn('execution node', async () => {
		await new Promise<void>((resolve) => (end = resolve));
		order.push('first');
		throw new Error('it failed');
	});
	const follow = async (name: string) => {
		await Promise.resolve(order.push(name));
	};
	const second = inTurn('execution node', async () => {
		await follow('second');
	});
	await inTurn('execution other', async () => {
		await follow('other');
	});
	end();
	await expect(first).rejects.toThrow('it failed');
	await second;
	expect(order).toEqual(['other', 'first', 'second']);
});

test('what an execution has spent is kept with it, and is not that of its Retry', () => {
	const data = {};
	const context = { getContext: () => data } as unknown as IExecuteFunctions;
	const ledger = Object.assign(new LeadList(), { charged: 50, atRisk: 20, lost: 1, requests: 3 });
	const once = { charged: 50, atRisk: 20, lost: 1, requests: 3, returned: 40 };
	const first = new RunSpending(context, '1', [ledger]);
	expect(first.before).toMatchObject({ charged: 0, returned: 0 });
	expect(first.save(40)).toEqual(once);
	const second = new RunSpending(context, '1', [ledger]);
	expect(second.before).toEqual(once);
	expect(second.inAll(40)).toEqual({
		charged: 100,
		atRisk: 40,
		lost: 2,
		requests: 6,
		returned: 80,
	});
	expect(new RunSpending(context, '2', []).before).toMatchObject({ charged: 0, returned: 0 });
});
