/** What n8n's workflow builder reads of the nodes: advice, nodes that go with them, and examples. */
import type { IBuilderHint } from 'n8n-workflow';

const DATA_TABLE = 'n8n-nodes-base.dataTable';

/**
 * A table that is made where it is missing, and an upsert into it. The table goes by its id, since n8n
 * finds a name in any longer name, too. A lead without a LinkedIn URL has all that it says for a key.
 */
const STORE_LEADS = `const leadsTable = node({
  type: '${DATA_TABLE}', version: 1.1, config: { name: 'Leads Table', executeOnce: true, parameters: {
    resource: 'table', operation: 'create', tableName: 'Stored leads',
    columns: { column: ['lead', 'linkedin_url', 'full_name', 'job_title', 'company', 'work_email', 'personal_emails'].map((name) => ({ name, type: 'string' })) },
    options: { createIfNotExists: true }
  } }
});
const storeLead = node({
  type: '${DATA_TABLE}', version: 1.1, config: { name: 'Store Lead', parameters: {
    resource: 'row', operation: 'upsert', matchType: 'allConditions',
    dataTableId: { __rl: true, mode: 'id', value: expr("{{ $('Leads Table').first().json.id }}") },
    filters: { conditions: [
      { keyName: 'lead', condition: 'eq', keyValue: expr("{{ $json.linkedin_url || Object.values($json).join(', ') }}") }
    ] },
    columns: { mappingMode: 'defineBelow', value: {
      lead: expr("{{ $json.linkedin_url || Object.values($json).join(', ') }}"),
      linkedin_url: expr("{{ $json.linkedin_url ?? '' }}"), full_name: expr("{{ $json.full_name ?? '' }}"),
      job_title: expr("{{ $json.job_title ?? '' }}"), company: expr("{{ $json.company ?? '' }}"),
      work_email: expr("{{ $json.work_email ?? '' }}"),
      personal_emails: expr("{{ [$json.personal_emails ?? []].flat().join(', ') }}")
    } }
  } }
});`;

const SEARCH_TO_TABLE = pattern(
	'Search leads and store each once',
	`One item per lead comes out, all pages together: no loop is needed. The table comes before the purchase: leadsTable.to(search), search.to(storeLead).
const search = node({
  type: 'n8n-nodes-lead-search.leadSearch', version: 1, config: { name: 'Lead Search', parameters: {
    resource: 'lead', operation: 'buyLeads',
    filters: { jobTitles: 'CEO', personLocationCountry: 'Iceland' },
    returnAll: true, maxCredits: 500
  } }
});
${STORE_LEADS}`,
);

const NOT_FOUND_OUTPUT = pattern(
	'Enrich rows and treat those that are not found apart',
	`Output 0 has the profiles found, output 1 the URLs without one: lookUp.output(0).to(update) and lookUp.output(1).to(review).
const lookUp = node({
  type: 'n8n-nodes-lead-search.leadSearch', version: 1, config: { name: 'Lead Search', parameters: {
    resource: 'linkedInProfile', operation: 'buyProfiles',
    linkedinUrls: expr('{{ $json.linkedin_url }}'),
    includeInputFields: true, maxCredits: 500,
    options: { unmatched: 'secondOutput' }
  } }
});`,
);

const TRIGGER_TO_TABLE = pattern(
	'New leads every morning, each paid for and stored once',
	`Two branches, the table first: newLeads.to(leadsTable), newLeads.to(storeLead).
const newLeads = trigger({
  type: 'n8n-nodes-lead-search.leadSearchTrigger', version: 1, config: { name: 'Lead Search Trigger', parameters: {
    pollTimes: { item: [{ mode: 'everyDay', hour: 7, minute: 0 }] },
    filters: { jobTitles: 'CEO', personLocationCountry: 'Iceland' },
    leadsPerPoll: 50, maxCreditsPerDay: 50
  } }
});
${STORE_LEADS}`,
);

function pattern(title: string, content: string): string {
	return `<patterns>\n<pattern title="${title}">\n${content}\n</pattern>\n</patterns>`;
}

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
	extraTypeDefContent: [
		{ displayOptions: { show: { operation: ['buyLeads'] } }, content: SEARCH_TO_TABLE },
		{ displayOptions: { show: { operation: ['buyProfiles'] } }, content: NOT_FOUND_OUTPUT },
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
	extraTypeDefContent: [{ content: TRIGGER_TO_TABLE }],
};
