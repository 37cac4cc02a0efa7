import { leadsChargedTwice } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { goesWell } from './fixture';
import { open } from './stores';

export function testWorkflow(n8n: TestN8n): void {
	const name = 'only-new-leads';
	const masking = (masks: 'allButUrl' | 'all') => {
		n8n.service.admin.setPreviewBehaviour({ readings: { preview: { masks } } });
	};
	afterEach(() => {
		n8n.service.admin.setPreviewBehaviour({});
	});

	test('a preview that shows URLs alone is enough: those who are in reach and not in the table yet are bought', async () => {
		masking('allButUrl');
		const { account, night, store } = await open(n8n, name);
		await goesWell(night, 2);
		expect([account.spent.apiCredits, await store.done()]).toEqual([3, store.people.slice(0, 3)]);
		await store.add?.(3);
		const further = await open(n8n, name, { store });
		await goesWell(further.night);
		expect(await store.done()).toEqual(store.people.slice(0, 6));
		expect([further.account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([3, []]);
	});

	test('a preview without LinkedIn URLs is told, and costs nothing', async () => {
		masking('all');
		const { night, requests } = await open(n8n, name);
		expect((await night()).error?.message).toContain('were not looked up: ');
		expect(requests()).toEqual([]);
	});
}
