import { addAll, addNode, fetchingPaid, listFilters } from './adding';
import { fixture } from './fixture';

describe('Search', () => {
	test('asks for a credential, filters and how many leads', async () => {
		const panel = await addNode('Buy leads (1 credit each)');
		await panel.credential.waitFor();
		expect(await panel.labels()).toEqual([
			'Credential',
			'Resource',
			'Operation',
			'Filters',
			'Return All',
			'Limit',
			'Simplify',
			'Options',
		]);
		expect(await panel.value('Operation')).toBe('Search (Paid)');
		expect(await panel.value('Return All')).toBe(false);
		expect(await panel.value('Limit')).toBe('50');
		expect(await panel.value('Simplify')).toBe(true);
	});

	test('shows every filter and option once added, with its default', async () => {
		const panel = await fixture.openNode({ resource: 'lead', operation: 'buyLeads' });
		expect(await panel.offers('Filters')).toEqual(['Email Status', ...listFilters]);
		await addAll(panel, 'Filters');
		expect(await panel.value('Email Status')).toBe('All');
		expect(await panel.choices('Email Status')).toEqual(['All', 'Likely', 'Verified']);

		const details = ['Include Emails', 'Include Phones'];
		const fetching = ['Max Credits per Execution', ...fetchingPaid];
		expect(await panel.offers('Options')).toEqual([...details, ...fetching]);
		await panel.toggle('Simplify');
		expect(await panel.offers('Options')).toEqual([...details, 'Include Raw', ...fetching]);
		await addAll(panel, 'Options');
		expect(await panel.value('Include Emails')).toBe(true);
		expect(await panel.value('Include Phones')).toBe(false);
		expect(await panel.value('Include Raw')).toBe(true);
		expect(await panel.value('Max Retries')).toBe('3');
		expect(await panel.value('Page Size')).toBe('1000');
		expect(await panel.value('Parallel Pages')).toBe('Automatic');
		expect(await panel.value('Reuse Paid Results (Minutes)')).toBe('60');
		expect(await panel.value('Skip')).toBe('0');
		expect(await panel.value('Timeout (Seconds)')).toBe('300');

		await panel.toggle('Simplify');
		await panel.field('Include Raw').waitFor({ state: 'hidden' });
	});
});
