import { leadAt, matching } from '../../sandbox/service';
import { changed, readingBack, readWorkflow, saveLeadSearch, type Fixture } from './fixture';

const audience = (service: Fixture['service'], countries: string, leads: number) => ({
	assignments: {
		assignments: [
			{ id: '1', name: 'baseUrl', value: service.baseUrl, type: 'string' },
			{ id: '2', name: 'jobTitles', value: 'Marketing Manager', type: 'string' },
			{ id: '3', name: 'countries', value: countries, type: 'string' },
			{ id: '4', name: 'leads', value: leads, type: 'number' },
		],
	},
});

async function run(
	fixture: Fixture,
	countries: string,
	options: { leads: number; credits?: number },
) {
	const { leads, credits = 1_000 } = options;
	const account = fixture.service.admin.createAccount({ apiCredits: credits });
	const workflow = changed(readWorkflow('preview-then-search'), {
		credentials: [await saveLeadSearch(fixture, account)],
		parameters: { Audience: audience(fixture.service, countries, leads) },
		appended: [readingBack('Excel file'), readingBack('CSV file')],
	});
	return { account, execution: await fixture.n8n.client.execute(workflow) };
}

export function previewThenSearch(fixture: Fixture): void {
	const germans = [
		...matching({ job_titles: ['Marketing Manager'], person_location_country: ['Germany'] }),
	];
	const urls = (leads: number[]) => leads.map((lead) => leadAt(lead).linkedin_url);

	test('saves as many leads as asked for, in both files, for a credit each', async () => {
		const { account, execution } = await run(fixture, 'Germany', { leads: 120 });
		expect(execution.status).toBe('success');
		expect(execution.items('Leads to buy').map(({ json }) => json)).toEqual([
			{ matching: germans.length, leads: 120 },
		]);
		for (const file of ['Excel file', 'CSV file']) {
			const rows = execution.items(`Rows of ${file}`).map(({ json }) => json);
			expect(rows.map((row) => row.linkedin_url)).toEqual(urls(germans.slice(0, 120)));
			expect(rows.map((row) => row.work_email ?? '')).toEqual(
				germans.slice(0, 120).map((lead) => leadAt(lead).work_email ?? ''),
			);
			expect(rows.map((row) => row.personal_emails ?? '')).toEqual(
				germans.slice(0, 120).map((lead) => leadAt(lead).personal_emails.join(', ')),
			);
		}
		expect(account.spent.apiCredits).toBe(120);
	});

	test('says how many match, and buys no more', async () => {
		const { account, execution } = await run(fixture, 'Germany', { leads: 100_000 });
		expect(execution.items('Leads to buy').map(({ json }) => json)).toEqual([
			{ matching: germans.length, leads: germans.length },
		]);
		expect(account.spent.apiCredits).toBe(germans.length);
	});

	test('buys nothing when nobody matches', async () => {
		const { account, execution } = await run(fixture, 'Nowhere', { leads: 25 });
		expect(execution.status).toBe('success');
		expect(Object.keys(execution.runs)).not.toContain('Search for leads');
		expect(fixture.service.admin.requests({ account: account.id })).toEqual([]);
	});

	test('saves the leads that were paid for when credits run out, and then stops', async () => {
		const { account, execution } = await run(fixture, 'Germany', { leads: 25, credits: 10 });
		expect(execution.items('Rows of CSV file').map(({ json }) => json.linkedin_url)).toEqual(
			urls(germans.slice(0, 10)),
		);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain('Not enough API credits (402)');
		expect(execution.error?.message).toContain('set Skip (under Options) to 10');
		expect(account.apiCredits).toBe(0);
	});
}
