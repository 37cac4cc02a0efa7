/** The Credit Ceiling while runs overlap: what one reads or changes never makes it wrong for another. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { withCeiling } from '../../nodes/LeadSearch/execution/credits';

test('a run without a ceiling, under way at the same time, takes none of it away', async () => {
	const flow = {};
	const context = { getContext: () => flow } as unknown as IExecuteFunctions;
	const open = async (ceiling: number, run: (left: () => number) => number | Promise<number>) => {
		await withCeiling(context, 'execution', { credentialId: '1', ceiling }, async (account) => {
			account.book(await run(() => account.left));
		});
	};
	let endFree: (credits: number) => void = () => undefined;
	const free = open(
		Infinity,
		async () => await new Promise<number>((resolve) => (endFree = resolve)),
	);
	await open(5, (left) => {
		expect(left()).toBe(5);
		return 4;
	});
	endFree(3);
	await free;
	await open(9, (left) => {
		expect(left()).toBe(2);
		return 0;
	});
	expect(flow).toEqual({ credits: { executionId: 'execution', spent: { 1: 7 } } });
});
