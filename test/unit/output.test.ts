import { Output } from '../../nodes/LeadSearch/execution/output';

test('items come in the order of the input items, each paired with its own', () => {
	const output = new Output();
	expect(output.items()).toEqual([]);
	output.add(2, { n: 1 });
	output.add(0, { n: 2 });
	output.addForAny([1, 2], { n: 3 });
	output.addForAny([2], { n: 4 });
	expect(output.items()).toEqual([
		{ json: { n: 2 }, pairedItem: { item: 0 } },
		{ json: { n: 3 }, pairedItem: [{ item: 1 }, { item: 2 }] },
		{ json: { n: 1 }, pairedItem: { item: 2 } },
		{ json: { n: 4 }, pairedItem: { item: 2 } },
	]);
});

test('Promise 2: an item for a failure stands after the leads that came before it', () => {
	const output = new Output();
	expect(output.beginsWithError()).toBe(false);
	output.add(1, { n: 1 });
	output.addError(1, { message: 'm', description: 'd', details: { status: 402 } });
	expect(output.beginsWithError()).toBe(false);
	output.addError(0, { message: 'm', description: 'd' });
	expect(output.beginsWithError()).toBe(true);
	expect(output.outputs()).toEqual([
		[
			{ json: { error: 'm', message: 'd' }, pairedItem: { item: 0 } },
			{ json: { n: 1 }, pairedItem: { item: 1 } },
			{
				json: { error: 'm', message: 'd', details: { status: 402 } },
				pairedItem: { item: 1 },
			},
		],
	]);
});

test('what was not found is on the second output, where there is one', () => {
	for (const notFound of [undefined, new Output()]) {
		const output = new Output([], notFound);
		output.addNotFound(0, { n: 1 });
		const item = { json: { n: 1 }, pairedItem: { item: 0 } };
		expect(output.outputs()).toEqual(notFound ? [[], [item]] : [[item]]);
	}
});
