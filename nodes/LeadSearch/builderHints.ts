/** What n8n's workflow builder reads of the nodes: advice, and nodes that go with them. */
import type { IBuilderHint } from 'n8n-workflow';

const DATA_TABLE = 'n8n-nodes-base.dataTable';

export const nodeBuilderHint: IBuilderHint = {
	searchHint:
		'Count, Preview and Check URLs are free and need no credential. Search (Paid) costs 1 credit for each lead, Look Up (Paid) 1 for each profile found: set Limit, or Max Credits, which is empty unless it is set. Filters and Options take expressions in their fields, never in place of the whole object, which n8n would drop without a word. To go on after a run that stopped, run the same again: what was paid for is reused. With Unmatched URLs set to secondOutput, Look Up has two outputs: 0 (Found) and 1 (Not Found).',
	outputs: { main: {} },
	relatedNodes: [
		{
			nodeType: DATA_TABLE,
			relationHint: 'Store leads (upsert), each once: map the columns, by linkedin_url',
		},
		{
			nodeType: 'n8n-nodes-lead-search.leadSearchTrigger',
			relationHint: 'New leads on a schedule, each paid for once',
		},
		{
			nodeType: 'n8n-nodes-base.merge',
			relationHint:
				'Not needed after Look Up: Include Input Fields joins profiles with the rows that asked for them',
		},
	],
};

export const triggerBuilderHint: IBuilderHint = {
	searchHint:
		'Each poll buys the next leads of a search, 1 credit each, every lead once. Set a filter, Leads per Poll and Max Credits per Day. Follow it with a node that stores what comes: a lead is not delivered again.',
	outputs: { main: {} },
	relatedNodes: [
		{ nodeType: DATA_TABLE, relationHint: 'Store the leads of each poll, by linkedin_url' },
		{
			nodeType: 'n8n-nodes-lead-search.leadSearch',
			relationHint: 'Count what matches, for free, before the trigger is published',
		},
	],
};
