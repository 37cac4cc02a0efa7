import type { NodePanel } from '../../sandbox/browser/panels';
import { fixture } from './fixture';

describe('Parameters come and go', () => {
	test('with Resource and Operation', async () => {
		const panel = await fixture.openNode({ resource: 'lead', operation: 'buyLeads' });
		await panel.choose('Operation', 'Preview');
		await panel.field('Base URL').waitFor();
		await panel.credential.waitFor({ state: 'hidden' });
		await panel.choose('Resource', 'LinkedIn Profile');
		await panel.field('LinkedIn URLs').waitFor();
		// Where nothing was chosen, nothing costs credits.
		expect(await panel.value('Operation')).toBe('Check URLs');
		await panel.credential.waitFor({ state: 'hidden' });
		await panel.choose('Operation', 'Look Up (Paid)');
		await panel.credential.waitFor();
		await panel.choose('Resource', 'Lead');
		await panel.field('Filters').waitFor();
		expect(await panel.value('Operation')).toBe('Preview');
		await panel.credential.waitFor({ state: 'hidden' });
	});

	test('with Return All, which says what it costs', async () => {
		const panel = await fixture.openNode({ resource: 'lead', operation: 'buyLeads' });
		await expectLimit(panel);
		await panel.toggle('Return All');
		await expectNoLimit(panel, 'Return All costs 1 credit for each lead');

		await panel.choose('Operation', 'Preview');
		await panel.field('Base URL').waitFor();
		await expectNoLimit(panel);
		await panel.toggle('Return All');
		await expectLimit(panel);

		await panel.choose('Resource', 'LinkedIn Profile');
		await panel.choose('Operation', 'Look Up (Paid)');
		await panel.field('LinkedIn URLs').waitFor();
		await expectNoLimit(panel, 'Each profile found costs 1 credit');
		await panel.toggle('Return All');
		await expectLimit(panel);
	});
});

async function expectLimit(panel: NodePanel): Promise<void> {
	await panel.field('Limit').waitFor();
	expect(await panel.value('Limit')).toBe('50');
	expect(await panel.notices()).toEqual([]);
}

async function expectNoLimit(panel: NodePanel, ...costs: readonly string[]): Promise<void> {
	await panel.field('Limit').waitFor({ state: 'hidden' });
	expect(await panel.notices()).toEqual(
		costs.map((text) => expect.stringContaining(text) as string),
	);
}
