import type { IExecuteFunctions } from 'n8n-workflow';

import { add, inTurn, savedSpending, saveSpending } from '../../nodes/LeadSearch/execution/credits';

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
	const spent = { charged: 50, atRisk: 20, lost: 1, requests: 3, returned: 40 };
	expect(savedSpending(context, '1')).toMatchObject({ charged: 0, returned: 0 });
	saveSpending(context, '1', add(spent, spent));
	expect(savedSpending(context, '1')).toEqual({
		charged: 100,
		atRisk: 40,
		lost: 2,
		requests: 6,
		returned: 80,
	});
	expect(savedSpending(context, '2')).toMatchObject({ charged: 0, returned: 0 });
});
