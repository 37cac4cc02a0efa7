import { leadsChargedTwice } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { open } from './stores';

export function testWorkflow(n8n: TestN8n): void {
	const name = 'only-new-leads';
	afterEach(() => {
		n8n.service.admin.setPreviewBehaviour({});
	});

	test.each(['contacts', 'allButUrl'] as const)(
		'a preview that masks %s: those who are in reach and not in the table yet are bought',
		async (masks) => {
			n8n.service.admin.setPreviewBehaviour({ readings: { preview: { masks } } });
			const { account, night, store } = await open(n8n, name);
			for (const later of [1, 2])
				expect([later, (await night()).error?.message]).toEqual([later, undefined]);
			expect([account.spent.apiCredits, await store.done()]).toEqual([3, store.people.slice(0, 3)]);
			await store.add?.(3);
			const further = await open(n8n, name, { store });
			expect((await further.night()).error?.message).toBeUndefined();
			expect(await store.done()).toEqual(store.people.slice(0, 6));
			expect([further.account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([3, []]);
		},
	);

	test('a preview without LinkedIn URLs is told, and costs nothing', async () => {
		n8n.service.admin.setPreviewBehaviour({ readings: { preview: { masks: 'all' } } });
		const { night, requests } = await open(n8n, name);
		expect((await night()).error?.message).toContain('were not looked up: ');
		expect(requests()).toEqual([]);
	});
}
