import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow, readingBack } from './fixture';

const wanted = { job_titles: ['Marketing Manager'], person_location_country: ['Germany'] };
const germans = Array.from(matching(wanted), leadAt);

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
		const asked = germans
			.slice(0, 120)
			.map((lead) => [lead.linkedin_url, lead.work_email ?? '', lead.personal_emails.join(', ')]);
		const fields = ['linkedin_url', 'work_email', 'personal_emails'];
		for (let times = 0; times < 2; times++) {
			const execution = await run();
			expect(execution.status).toBe('success');
			const rows = execution.items('Rows of Excel file');
			expect(rows.map(({ json }) => fields.map((field) => json[field] ?? ''))).toEqual(asked);
			expect(account.spent.apiCredits).toBe(120);
		}
	});

	test.each([
		['no more than match', 'Germany', 100_000, 1_000, germans.length, undefined],
		['nothing where nobody matches', 'Nowhere', 25, 1_000, 0, undefined],
		['what there are credits for, and stops then', 'Germany', 25, 10, 10, /Not enough.*\(402\)/],
	])('saves and buys %s', async (_what, countries, leads, apiCredits, bought, message) => {
		const { account, requests, run } = await prepare(countries, leads, apiCredits);
		const { error, runs } = await run();
		const rows = runs['Rows of Excel file']?.at(-1)?.outputs[0] ?? [];
		expect([rows.length, account.spent.apiCredits]).toEqual([bought, bought]);
		expect(error?.message).toEqual(message && expect.stringMatching(message));
		if (bought === 0) expect(requests()).toEqual([]);
	});
}
