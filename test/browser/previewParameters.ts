import { addNode, fetching, listFilters } from './adding';

test('Preview has a Base URL and no credential, no Email Status and no options about money', async () => {
	const panel = await addNode('Preview leads');
	await panel.credential.waitFor({ state: 'hidden' });
	expect(await panel.labels()).toEqual([
		'Resource',
		'Operation',
		'Base URL',
		'Filters',
		'Return All',
		'Limit',
		'Options',
	]);
	expect(await panel.value('Resource')).toBe('Lead');
	expect(await panel.value('Operation')).toBe('Preview');
	expect(await panel.value('Return All')).toBe(false);
	expect(await panel.value('Limit')).toBe('50');

	expect(await panel.offers('Filters')).toEqual(listFilters);
	expect(await panel.offers('Options')).toEqual(fetching);
	await panel.add('Options', 'Page Size');
	expect(await panel.value('Page Size')).toBe('100');
});
