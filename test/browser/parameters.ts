/** Tests how users find the nodes, and which parameters the nodes show. test/node/description tests the defaults. */
import { openNewWorkflow } from '../../sandbox/browser/fixture';
import type { NodesPanel } from '../../sandbox/browser/panels';
import { fixture } from './fixture';
import { withForm } from './form';

const onSchedule = 'On a schedule: next leads of a search (1 credit each)';

async function findNode(): Promise<NodesPanel> {
	await openNewWorkflow(fixture);
	const nodes = await fixture.editor.openNodesPanel();
	await nodes.search('Lead Search');
	await nodes.choose('Lead Search');
	return nodes;
}

test('the list of nodes has an action for each operation, and the trigger', async () => {
	const nodes = await findNode();
	const actions =
		'Count leads, Preview leads, Search leads (1 credit each), Check LinkedIn URLs, ' +
		'Look up profiles (1 credit each)';
	expect((await nodes.entries()).join(', ')).toBe(actions);
	await nodes.toggle('Triggers');
	await nodes.entry(onSchedule).waitFor();
	expect((await nodes.entries()).join(', ')).toBe(`${actions}, ${onSchedule}`);
	await nodes.panel.locator('img[src*="leadSearch"]').first().waitFor();
});

const filters =
	'Email Status, Job Title Seniority, Job Titles, Other Filters (JSON), Person Country';
const rest = 'Skip, Timeout (Seconds)';

/**
 * Each row has an action, its labels, the values of some parameters, the entries of its collections, and the start of
 * its notice.
 */
const PANELS: ReadonlyArray<
	[string, string, object, Readonly<Record<string, string>>, notice?: string]
> = [
	[
		'Search leads (1 credit each)',
		'Credential, Resource, Operation, Filters, Return All, Limit, Max Credits, Simplify, Options',
		{ Operation: 'Search (Paid)', 'Return All': false, Limit: '50', Simplify: true },
		{
			Filters: filters,
			Options: `Include Phones, Include Usage, Page Size, Parallel Pages, Reuse Paid Results (Minutes), ${rest}`,
		},
	],
	[
		onSchedule,
		'Credential, Poll Times, Mode, Filters, Leads per Poll, Max Credits per Day, Simplify, Options',
		{ 'Leads per Poll': '50', 'Max Credits per Day': '1000', Simplify: true },
		{
			Filters: filters,
			Options: `Include Phones, Include Usage, Max Credits in Total, Max Credits per Month, Page Size, ${rest}`,
		},
		"Set 'Poll Times' first. Publishing the workflow immediately buys the first leads",
	],
];

test.each(PANELS)(
	'the node of the action "%s" shows its parameters and options',
	async (...row) => {
		const [action, labels, values, offersByCollection, notice] = row;
		const nodes = await findNode();
		if (action === onSchedule) await nodes.toggle('Triggers');
		const panel = withForm(await nodes.add(action));
		await panel.credential.waitFor();
		expect((await panel.labels()).join(', ')).toBe(labels);
		for (const [label, value] of Object.entries(values))
			expect(await panel.value(label)).toBe(value);
		for (const [collection, offers] of Object.entries(offersByCollection))
			expect((await panel.offers(collection)).join(', ')).toBe(offers);
		const notices = notice === undefined ? [] : [expect.stringContaining(notice)];
		expect(await panel.notices()).toEqual(notices);
		expect(offersByCollection.Options?.split(', ').length).toBeLessThanOrEqual(9);
	},
);
