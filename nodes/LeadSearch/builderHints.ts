/** Hints for n8n's workflow builder: advice, and related nodes. */
import type { IBuilderHint } from 'n8n-workflow';

const DATA_TABLE = 'n8n-nodes-base.dataTable';

export const nodeBuilderHint: IBuilderHint = {
	searchHint:
		'Count, Preview and Check URLs are free and need no credential. Search (Paid) costs 1 credit for each lead, Look Up (Paid) 1 credit for each profile found. Set Limit or Max Credits; by default, Max Credits is empty and sets no limit. Write expressions into the fields of Filters and Options, never in place of the whole object: n8n would silently drop it. To continue a run that stopped, run it again within 30 minutes: results that were paid for are reused. With Unmatched URLs set to secondOutput, Look Up has two outputs: 0 (Found) and 1 (Not Found).',
	outputs: { main: {} },
	relatedNodes: [
		{
			nodeType: DATA_TABLE,
			relationHint:
				'Store leads with upsert, by linkedin_url, so that each lead is stored once. Map the columns',
		},
		{
			nodeType: 'n8n-nodes-lead-search.leadSearchTrigger',
			relationHint: 'Returns new leads on a schedule. Each lead is paid for once',
		},
		{
			nodeType: 'n8n-nodes-base.merge',
			relationHint:
				'Not needed after Look Up: Include Input Fields joins each profile with the row that requested it',
		},
	],
};

export const triggerBuilderHint: IBuilderHint = {
	searchHint:
		'Each poll buys the next leads of a search, for 1 credit each, and each lead once. Set a filter, Leads per Poll and Max Credits per Day. Connect a node that stores the leads, because a lead is not delivered again.',
	outputs: { main: {} },
	relatedNodes: [
		{ nodeType: DATA_TABLE, relationHint: 'Store the leads of each poll, by linkedin_url' },
		{
			nodeType: 'n8n-nodes-lead-search.leadSearch',
			relationHint: 'Count the leads that match, for free, before you publish the trigger',
		},
	],
};
