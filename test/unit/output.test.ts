import { Output } from '../../nodes/LeadSearch/execution/output';

describe('Output', () => {
	test('comes in the order of the input items, each paired with its own', () => {
		const output = new Output();
		output.add(2, { n: 1 });
		output.add(0, { n: 2 });
		output.add(2, { n: 4 });
		expect(output.items()).toEqual([
			{ json: { n: 2 }, pairedItem: { item: 0 } },
			{ json: { n: 1 }, pairedItem: { item: 2 } },
			{ json: { n: 4 }, pairedItem: { item: 2 } },
		]);
	});

	test('that may belong to any of several input items is paired with all of them', () => {
		const output = new Output();
		output.addForAny([1, 2], { n: 1 });
		output.addForAny([2], { n: 2 });
		expect(output.items()).toEqual([
			{ json: { n: 1 }, pairedItem: [{ item: 1 }, { item: 2 }] },
			{ json: { n: 2 }, pairedItem: { item: 2 } },
		]);
	});

	test('of nothing is nothing', () => {
		expect(new Output().items()).toEqual([]);
	});

	test('Promise 2: an item for a failure stands behind the leads that came before it', () => {
		const output = new Output();
		output.add(0, { n: 1 });
		output.addError(0, { message: 'm', description: 'd', details: { status: 402 } });
		output.addError(1, { message: 'm', description: 'd' });
		expect(output.items()).toEqual([
			{ json: { n: 1 }, pairedItem: { item: 0 } },
			{
				json: { error: 'm', message: 'd', details: { status: 402 } },
				pairedItem: { item: 0 },
			},
			{ json: { error: 'm', message: 'd' }, pairedItem: { item: 1 } },
		]);
	});
});
