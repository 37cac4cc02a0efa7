/** What the editor shows of the node: the actions, and the parameters of each. */
import type { NodePanel, NodesPanel } from '../../sandbox/browser/index';
import { useEditor } from './harness';

const bench = useEditor();

const listFilters = ['Job Title Seniority', 'Job Titles', 'Other Filters (JSON)', 'Person Country'];
const fetching = ['Max Retries', 'Page Size', 'Skip', 'Timeout'];

/** Adds a node by way of the list of nodes, as a user does. */
async function addNode(action: string): Promise<NodePanel> {
	const nodes = await findNode();
	return await nodes.add(action);
}

async function findNode(): Promise<NodesPanel> {
	await bench.openWorkflow();
	const nodes = await bench.editor.openNodesPanel();
	await nodes.search('Lead Search');
	await nodes.choose('Lead Search');
	return nodes;
}

/** The labels but those that begin like this. */
async function labelsBut(panel: NodePanel, start: string): Promise<string[]> {
	return (await panel.labels()).filter((label) => !label.startsWith(start));
}

/** Adds everything that Filters or Options has to offer. */
async function addAll(panel: NodePanel, collection: string): Promise<void> {
	for (const name of await panel.offers(collection)) await panel.add(collection, name);
}

test('the node is found by its name, with an action for each operation', async () => {
	const nodes = await findNode();
	const actions = ['Preview leads', 'Search leads', 'Look up profiles'];
	expect(await nodes.entries()).toEqual(actions);
	await nodes.toggle('Triggers');
	await nodes.entry('On new Lead Search event').waitFor();
	expect(await nodes.entries()).toEqual([...actions, 'On new Lead Search event']);
	await nodes.panel.locator('img[src*="leadSearch"]').first().waitFor();
});

test('the node is found by what it is for', async () => {
	await bench.openWorkflow();
	const nodes = await bench.editor.openNodesPanel();
	for (const words of ['leads', 'B2B', 'prospecting', 'email finder']) {
		await nodes.search(words);
		await nodes.entry('Lead Search').waitFor();
		await nodes.search('');
		await nodes.entry('Lead Search').waitFor({ state: 'hidden' });
	}
});

describe('Preview', () => {
	test('has a Base URL and no credential', async () => {
		const panel = await addNode('Preview leads');
		await panel.credential.waitFor({ state: 'hidden' });
		expect(await panel.labels()).toEqual([
			'Resource',
			'Operation',
			'Base URL',
			'Filters',
			'Return All',
			'Limit',
			'Options',
		]);
		expect(await panel.value('Resource')).toBe('Lead');
		expect(await panel.value('Operation')).toBe('Preview');
		expect(await panel.value('Limit')).toBe('50');
	});

	test('offers filters without Email Status, and options without money', async () => {
		const panel = await bench.openNode({ resource: 'lead', operation: 'preview' });
		expect(await panel.offers('Filters')).toEqual(listFilters);
		expect(await panel.offers('Options')).toEqual(fetching);
		await panel.add('Options', 'Page Size');
		expect(await panel.value('Page Size')).toBe('100');
	});
});

describe('Search', () => {
	test('asks for a credential, and has no Base URL', async () => {
		const panel = await addNode('Search leads');
		expect(await labelsBut(panel, 'Credential')).toEqual([
			'Resource',
			'Operation',
			'Filters',
			'Return All',
			'Limit',
			'Simplify',
			'Options',
		]);
		await panel.credential.waitFor();
		expect(await panel.value('Operation')).toBe('Search');
		expect(await panel.value('Return All')).toBe(false);
		expect(await panel.value('Simplify')).toBe(true);
	});

	test('offers Email Status, and Include Raw only with Simplify off', async () => {
		const panel = await bench.openNode({ resource: 'lead', operation: 'search' });
		const options = ['Credit Budget', 'Include Emails', 'Include Phones'];
		expect(await panel.offers('Filters')).toEqual(['Email Status', ...listFilters]);
		expect(await panel.offers('Options')).toEqual([...options, ...fetching]);

		await panel.toggle('Simplify');
		expect(await panel.offers('Options')).toEqual([...options, 'Include Raw', ...fetching]);
		await panel.add('Options', 'Include Raw');
		expect(await panel.value('Include Raw')).toBe(true);
		await panel.toggle('Simplify');
		await panel.field('Include Raw').waitFor({ state: 'hidden' });
	});

	test('shows every filter and option once added, with its default', async () => {
		const panel = await bench.openNode({ resource: 'lead', operation: 'search' });
		await addAll(panel, 'Filters');
		await addAll(panel, 'Options');
		expect(await panel.value('Email Status')).toBe('All');
		expect(await panel.choices('Email Status')).toEqual(['All', 'Likely', 'Verified']);
		expect(await panel.value('Include Emails')).toBe(true);
		expect(await panel.value('Include Phones')).toBe(false);
		expect(await panel.value('Max Retries')).toBe('3');
		expect(await panel.value('Page Size')).toBe('1000');
		expect(await panel.value('Skip')).toBe('0');
		expect(await panel.value('Timeout')).toBe('300');
	});
});

describe('Look Up', () => {
	test('asks for a credential and LinkedIn URLs, and returns all of them', async () => {
		const panel = await addNode('Look up profiles');
		expect(await labelsBut(panel, 'Credential')).toEqual([
			'Resource',
			'Operation',
			'LinkedIn URLs',
			'Return All',
			'Simplify',
			'Options',
		]);
		await panel.credential.waitFor();
		expect(await panel.value('Resource')).toBe('LinkedIn Profile');
		expect(await panel.value('Return All')).toBe(true);
	});

	test('shows every option once added, with its default', async () => {
		const panel = await bench.openNode({
			resource: 'linkedInProfile',
			operation: 'lookUp',
		});
		expect(await panel.offers('Options')).toEqual([
			'Credit Budget',
			'Include Personal Emails',
			'Include Phones',
			'Include Work Emails',
			'Max Retries',
			'Only With Emails',
			'Page Size',
			'Skip',
			'Timeout',
			'Unmatched URLs',
		]);
		await addAll(panel, 'Options');
		expect(await panel.value('Include Personal Emails')).toBe(true);
		expect(await panel.value('Include Phones')).toBe(false);
		expect(await panel.value('Include Work Emails')).toBe(true);
		expect(await panel.value('Only With Emails')).toBe(true);
		expect(await panel.value('Unmatched URLs')).toBe('Leave Out');
		expect(await panel.choices('Unmatched URLs')).toEqual(['Leave Out', 'Return as Not Found']);
		expect(await panel.value('Page Size')).toBe('1000');
	});
});

test('the trigger asks for a credential, filters and how many leads', async () => {
	const nodes = await findNode();
	await nodes.toggle('Triggers');
	const panel = await nodes.add('On new Lead Search event');
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
	expect(await panel.offers('Filters')).toEqual(['Email Status', ...listFilters]);
	expect(await panel.offers('Options')).toEqual([
		'Credit Budget',
		'Include Emails',
		'Include Phones',
		...fetching,
	]);
});

test.each([
	['lead', 'preview'],
	['lead', 'search'],
	['linkedInProfile', 'lookUp'],
])('%s: %s has a Limit unless Return All is on', async (resource, operation) => {
	const panel = await bench.openNode({ resource, operation, returnAll: false });
	await panel.field('Limit').waitFor();
	await panel.toggle('Return All');
	await panel.field('Limit').waitFor({ state: 'hidden' });
	await panel.toggle('Return All');
	expect(await panel.value('Limit')).toBe('50');
});

test('parameters come and go with Resource and Operation', async () => {
	const panel = await bench.openNode({ resource: 'lead', operation: 'search' });
	await panel.choose('Operation', 'Preview');
	await panel.field('Base URL').waitFor();
	await panel.credential.waitFor({ state: 'hidden' });
	await panel.choose('Resource', 'LinkedIn Profile');
	await panel.field('LinkedIn URLs').waitFor();
	await panel.credential.waitFor();
	expect(await panel.value('Operation')).toBe('Look Up');
	await panel.choose('Resource', 'Lead');
	await panel.field('Filters').waitFor();
	expect(await panel.value('Operation')).toBe('Search');
	await panel.credential.waitFor();
	await panel.toggle('Return All');
	await panel.parameters.getByText('Return All costs 1 credit for each lead').waitFor();
});
