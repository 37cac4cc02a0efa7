import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow, readingBack } from './fixture';

const germans = Array.from(
	matching({ job_titles: ['Marketing Manager'], person_location_country: ['Germany'] }),
	(lead) => leadAt(lead),
);

export function testWorkflow(n8n: TestN8n): void {
	async function run(countries: string, leads: number, apiCredits = 1_000, found?: object[]) {
		const { admin, baseUrl } = n8n.service;
		const assignments = [
			{ id: '1', name: 'baseUrl', value: baseUrl, type: 'string' },
			{ id: '2', name: 'jobTitles', value: 'Marketing Manager', type: 'string' },
			{ id: '3', name: 'countries', value: countries, type: 'string' },
			{ id: '4', name: 'leads', value: leads, type: 'number' },
		];
		const account = admin.createAccount({ apiCredits });
		const merge = { preview_data: found };
		if (found) admin.addFault({ account: account.id, kind: 'merge', merge });
		const imported = await importWorkflow(n8n, 'preview-then-search', {
			account,
			parameters: { Audience: { assignments: { assignments } } },
			appended: [readingBack('Excel file')],
		});
		return { ...imported, execution: await imported.run() };
	}

	test('saves as many leads as asked for, for a credit each', async () => {
		const { account, execution } = await run('Germany', 120);
		expect(execution.status).toBe('success');
		const wanted = germans
			.slice(0, 120)
			.map((lead) => [lead.linkedin_url, lead.work_email ?? '', lead.personal_emails.join(', ')]);
		const fields = ['linkedin_url', 'work_email', 'personal_emails'];
		const rows = execution.items('Rows of Excel file');
		expect(rows.map(({ json }) => fields.map((field) => json[field] ?? ''))).toEqual(wanted);
		expect(account.spent.apiCredits).toBe(120);
	});

	test('saves the same leads again for no credit', async () => {
		const { account, execution, run: runAgain } = await run('Germany', 20);
		const rows = execution.items('Rows of Excel file').map(({ json }) => json);
		for (let tries = 0; tries < 2; tries++) {
			const again = await runAgain();
			expect(again.items('Rows of Excel file').map(({ json }) => json)).toEqual(rows);
		}
		expect([rows.length, account.spent.apiCredits]).toEqual([20, 20]);
	});

	test('what a spreadsheet would run is text in the file', async () => {
		const names = ['=1+2', '+1', '-1', '@SUM(1)', 'Ann'];
		const found = names.map((name) => ({
			...leadAt(0),
			job_title: name,
			company: name,
			personal_emails: [name],
		}));
		const { execution } = await run('Germany', 5, 100, found);
		const rows = execution.items('Rows of Excel file');
		for (const field of ['job_title', 'company', 'personal_emails'])
			expect(rows.map(({ json }) => json[field])).toEqual(
				names.map((name) => (name === 'Ann' ? name : `'${name}`)),
			);
	});

	test('buys no more than match, and nothing when nobody does', async () => {
		const some = await run('Germany', 100_000);
		expect(some.account.spent.apiCredits).toBe(germans.length);
		const none = await run('Nowhere', 25);
		expect(none.execution.status).toBe('success');
		expect(none.requests()).toEqual([]);
	});

	test('saves the leads that were paid for when credits run out, and then stops', async () => {
		const { execution } = await run('Germany', 25, 10);
		expect(execution.items('Rows of Excel file')).toHaveLength(10);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain('Not enough API credits (402)');
	});
}
