import { leadAt, matching } from '../../sandbox/service/index';
import { fixture } from './fixture';
import { search } from './search';

describe('A run that goes well', () => {
	test('Search shows a table of leads, the fields used most first', async () => {
		const panel = await fixture.openNode(search({ limit: 7 }), {
			account: fixture.openAccount(),
		});
		await panel.execute();
		await panel.output.showTable();
		const columns = await panel.output.columns();
		expect(columns.slice(0, 5)).toEqual([
			'full_name',
			'job_title',
			'company',
			'work_email',
			'email_status',
		]);
		expect(columns.length).toBeLessThanOrEqual(10);
		const [first = 0] = matching({ person_location_country: ['Iceland'] });
		await panel.output.table.getByText(leadAt(first).full_name).first().waitFor();
		await panel.output.panel.getByText('7 items', { exact: true }).waitFor();
	});

	test('Look Up shows a table of profiles', async () => {
		const { linkedin_url } = leadAt(0);
		const panel = await fixture.openNode(
			{
				resource: 'linkedInProfile',
				operation: 'buyProfiles',
				linkedinUrls: '={{ $json.linkedin_url }}',
				options: { onlyWithEmails: false },
			},
			{ account: fixture.openAccount(), input: [{ linkedin_url }] },
		);
		await panel.execute();
		await panel.output.showTable();
		expect((await panel.output.columns()).slice(0, 2)).toEqual(['linkedin_url', 'full_name']);
		await panel.output.panel.getByText('1 item', { exact: true }).waitFor();
	});

	test('Preview runs without a credential, from what is typed', async () => {
		const panel = await fixture.openNode({ resource: 'lead', operation: 'preview' });
		await panel.fill('Base URL', fixture.service.baseUrl);
		await panel.add('Filters', 'Person Country');
		await panel.fill('Person Country', 'Iceland');
		await panel.fill('Limit', '5');
		await panel.execute();
		await panel.output.panel.getByText('5 items', { exact: true }).waitFor();
		expect(fixture.service.admin.requests({ path: '/api/preview' }).at(-1)).toMatchObject({
			headerStyle: null,
			body: { person_location_country: ['Iceland'] },
		});
	});
});
