/** Hints for n8n's workflow builder. */
import type { IBuilderHint } from 'n8n-workflow';

const DATA_TABLE = 'n8n-nodes-base.dataTable';

export const nodeBuilderHint: IBuilderHint = {
	searchHint:
		'Count, Preview and Check URLs are free and need no credential. Search (Paid) costs 1 credit for each lead, and needs a filter other than Email Status. Look Up (Paid) costs 1 credit for each profile found. Set Limit or Max Credits. Max Credits is empty by default, which means no limit. Write expressions into the fields of Filters and Options. Never replace the whole object by an expression, because n8n silently drops it. If a run stopped, run it again within the minutes of Reuse Paid Results: results that you paid for are reused. If Unmatched URLs is secondOutput, Look Up has two outputs: 0 (Found) and 1 (Not Found).',
	outputs: { main: {} },
	relatedNodes: [
		{
			nodeType: DATA_TABLE,
			relationHint:
				'Stores leads. Use upsert by linkedin_url, so that each lead is stored once, and map the columns',
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
		'Each poll buys the next leads of a search, for 1 credit each. It continues after the leads of the last poll. Set a filter other than Email Status, Leads per Poll and Max Credits per Day. Connect a node that stores the leads, because a lead is not delivered again.',
	outputs: { main: {} },
	relatedNodes: [
		{
			nodeType: DATA_TABLE,
			relationHint: 'Stores the leads of each poll. Use upsert by linkedin_url',
		},
		{
			nodeType: 'n8n-nodes-lead-search.leadSearch',
			relationHint: 'Counts the leads that match, for free. Use it before you publish the trigger',
		},
	],
};
