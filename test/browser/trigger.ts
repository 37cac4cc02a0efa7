import { fetching, findNode, listFilters } from './adding';
import { fixture } from './fixture';

const details = [
	'Credit Budget',
	'Credits in Total',
	'Credits per Day',
	'Include Emails',
	'Include Phones',
];
/** A poll is small, so it asks for one page at a time, and it never asks for the same again. */
const fetchingForPolls = fetching.filter((name) => name !== 'Parallel Pages');

describe('The trigger', () => {
	test('asks for a credential, when to poll, filters and how many leads', async () => {
		const nodes = await findNode();
		await nodes.toggle('Triggers');
		const panel = await nodes.add('On a schedule: next leads of a search');
		await panel.credential.waitFor();
		expect(await panel.labels()).toEqual([
			'Credential',
			'Poll Times',
			'Mode',
			'Filters',
			'Leads per Poll',
			'When Exhausted',
			'Simplify',
			'Options',
		]);
		expect(await panel.value('Leads per Poll')).toBe('50');
		expect(await panel.value('When Exhausted')).toBe('Stop');
		expect(await panel.choices('When Exhausted')).toEqual(['Start Over', 'Stop']);
		expect(await panel.value('Simplify')).toBe(true);
		expect(await panel.notices()).toEqual([
			expect.stringContaining('Each lead costs 1 credit'),
		]);

		expect(await panel.offers('Filters')).toEqual(['Email Status', ...listFilters]);
		expect(await panel.offers('Options')).toEqual([...details, ...fetchingForPolls]);
		await panel.toggle('Simplify');
		expect(await panel.offers('Options')).toEqual([
			...details,
			'Include Raw',
			...fetchingForPolls,
		]);
	});

	test('fetches and pays one lead when it is tried in the editor', async () => {
		const account = fixture.openAccount();
		const panel = await fixture.openTrigger({}, { account });
		await panel.execute();
		await panel.output.showTable();
		await panel.output.panel.getByText('1 item', { exact: true }).waitFor();
		expect(fixture.service.admin.account(account.id).spent.apiCredits).toBe(1);
	});
});
