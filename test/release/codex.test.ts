/** Checks that users find the nodes in n8n's list of nodes. */
import { sublimeSearch } from '@n8n/utils/search/sublime-search';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { read } from './project';

interface Codex {
	readonly categories: readonly string[];
	readonly alias: readonly string[];
}

const codexOf = (node: string) => JSON.parse(read(`nodes/LeadSearch/${node}.node.json`)) as Codex;

const nodes = [new LeadSearch(), new LeadSearchTrigger()].map(({ description }) => ({
	properties: {
		displayName: description.displayName,
		codex: codexOf(description.displayName.replaceAll(' ', '')),
	},
}));

test.each([
	'leads',
	'people',
	'company',
	'sales',
	'lead generation',
	'find email',
	'email finder',
	'mobile',
	'crm',
	'data enrichment',
	'people search',
	'sales intelligence',
	'linkedin',
	'prospecting',
])("n8n's own search for '%s' finds both nodes", (words) => {
	const found = sublimeSearch(words, nodes).map(({ item }) => item.properties.displayName);
	expect(found.sort()).toEqual(['Lead Search', 'Lead Search Trigger']);
});

test("n8n's own search for 'invoice' finds neither node", () => {
	expect(sublimeSearch('invoice', nodes)).toEqual([]);
});

test("the nodes have only categories of n8n's documentation", () => {
	const documented = ['Sales', 'Marketing & Content'];
	for (const { properties } of nodes) expect(properties.codex.categories).toEqual(documented);
});
