import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow, readingBack } from './fixture';

const germans = Array.from(
	matching({ job_titles: ['Marketing Manager'], person_location_country: ['Germany'] }),
	leadAt,
);

export function testWorkflow(n8n: TestN8n): void {
	async function prepare(countries: string, leads: number, apiCredits = 1_000) {
		const assignments = Object.entries({
			...{ baseUrl: n8n.service.baseUrl, jobTitles: 'Marketing Manager', countries, leads },
		}).map(([name, value]) => ({ id: name, name, value, type: typeof value }));
		return await importWorkflow(n8n, 'preview-then-search', {
			account: n8n.service.admin.createAccount({ apiCredits }),
			parameters: { Audience: { assignments: { assignments } } },
			appended: [readingBack('Excel file')],
		});
	}

	test('saves as many leads as asked for, for a credit each, and the same again for none', async () => {
		const { account, run } = await prepare('Germany', 120);
		const wanted = germans
			.slice(0, 120)
			.map((lead) => [lead.linkedin_url, lead.work_email ?? '', lead.personal_emails.join(', ')]);
		const fields = ['linkedin_url', 'work_email', 'personal_emails'];
		for (let times = 0; times < 2; times++) {
			const execution = await run();
			expect(execution.status).toBe('success');
			const rows = execution.items('Rows of Excel file');
			expect(rows.map(({ json }) => fields.map((field) => json[field] ?? ''))).toEqual(wanted);
			expect(account.spent.apiCredits).toBe(120);
		}
	});

	test('buys no more than match, and nothing when nobody does', async () => {
		const some = await prepare('Germany', 100_000);
		await some.run();
		expect(some.account.spent.apiCredits).toBe(germans.length);
		const none = await prepare('Nowhere', 25);
		expect((await none.run()).status).toBe('success');
		expect(none.requests()).toEqual([]);
	});

	test('saves the leads that were paid for when credits run out, and then stops', async () => {
		const execution = await (await prepare('Germany', 25, 10)).run();
		expect(execution.items('Rows of Excel file')).toHaveLength(10);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain('Not enough API credits (402)');
	});
}
