import { leadAt, leadsChargedTwice, matching, type Behaviour } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { dropTable, importWorkflow, readTable } from './fixture';

const table = 'Profiles';
const people = Array.from(
	matching({ job_titles: ['Marketing Manager'], person_location_country: ['Iceland'] }),
	leadAt,
);

export function testWorkflow(n8n: TestN8n): void {
	async function prepare(preview: Behaviour, apiCredits?: number) {
		const { admin, baseUrl } = n8n.service;
		admin.setPreviewBehaviour(preview);
		const audience = (leads: number) => ({
			assignments: {
				assignments: [
					{ id: '1', name: 'baseUrl', value: baseUrl, type: 'string' },
					{ id: '2', name: 'jobTitles', value: 'Marketing Manager', type: 'string' },
					{ id: '3', name: 'countries', value: 'Iceland', type: 'string' },
					{ id: '4', name: 'leads', value: leads, type: 'number' },
				],
			},
		});
		const account = admin.createAccount(apiCredits === undefined ? {} : { apiCredits });
		const imported = await importWorkflow(n8n, 'only-new-leads', {
			account,
			parameters: {
				Audience: audience(5),
				// As on schedule: what n8n's memory still holds by hand is no help.
				'Look up the new ones': { options: { unmatched: 'returnAsNotFound', reusePaidResults: 0 } },
			},
			how: { trigger: 'Run by hand' },
		});
		const { file, workflow } = imported;
		const wantMore = (leads: number) =>
			n8n.client.updateWorkflow(workflow.id, {
				...file,
				nodes: file.nodes.map((node) =>
					node.name === 'Audience' ? { ...node, parameters: audience(leads) } : node,
				),
			});
		const saved = async () => (await readTable(n8n, table)).map(({ linkedin_url: url }) => url);
		return { ...imported, wantMore, saved };
	}

	afterEach(async () => {
		n8n.service.admin.setPreviewBehaviour({});
		await dropTable(n8n, table);
	});

	test.each(['contacts', 'allButUrl'] as const)(
		'a preview that masks %s: only who is not in the table yet is bought',
		async (masks) => {
			const { account, requests, run, saved, wantMore } = await prepare({
				readings: { preview: { masks } },
			});
			const found = people.filter((lead) => lead.work_email ?? lead.personal_emails[0]);
			const urls = people.map(({ linkedin_url: url }) => url);
			expect((await run()).error).toBeUndefined();
			expect(await saved()).toEqual(urls.slice(0, 5));
			const { length } = requests();
			expect((await run()).status).toBe('success');
			expect(requests()).toHaveLength(length);

			await wantMore(8);
			expect((await run()).status).toBe('success');
			expect(await saved()).toEqual(urls.slice(0, 8));
			const paid = people.slice(0, 8).filter((lead) => found.includes(lead)).length;
			expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([paid, []]);
		},
	);

	test('a preview without LinkedIn URLs is told before anything is paid', async () => {
		const { requests, run } = await prepare({ readings: { preview: { masks: 'all' } } });
		expect((await run()).error?.message).toContain('leads in the preview show a LinkedIn URL');
		expect(requests()).toEqual([]);
	});

	test('when credits run out, what was bought is in the table, and the next run buys the rest', async () => {
		const { account, run, saved, setCredits } = await prepare({}, 1);
		expect((await run()).error?.message).toContain('Not enough API credits (402): 1 ');
		setCredits(100);
		expect((await run()).status).toBe('success');
		expect(await saved()).toHaveLength(5);
		expect(leadsChargedTwice(account)).toEqual([]);
	});
}
