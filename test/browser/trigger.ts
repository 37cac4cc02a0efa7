import { fetchingPaid, findNode, listFilters } from './adding';
import { fixture } from './fixture';

const details = ['Include Emails', 'Include Phones'];
/** A poll is small, so it asks for one page at a time. */
const fetchingForPolls = [
	'Max Credits in Total',
	...fetchingPaid.filter((name) => name !== 'Parallel Pages'),
];

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
			'Max Credits per Day',
			'Simplify',
			'Options',
		]);
		expect(await panel.value('Leads per Poll')).toBe('50');
		expect(await panel.value('Max Credits per Day')).toBe('1000');
		expect(await panel.value('Simplify')).toBe(true);
		expect(await panel.notices()).toEqual([expect.stringContaining('Each lead costs 1 credit')]);

		expect(await panel.offers('Filters')).toEqual(['Email Status', ...listFilters]);
		expect(await panel.offers('Options')).toEqual([...details, ...fetchingForPolls]);
		await panel.toggle('Simplify');
		expect(await panel.offers('Options')).toEqual([...details, 'Include Raw', ...fetchingForPolls]);
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
