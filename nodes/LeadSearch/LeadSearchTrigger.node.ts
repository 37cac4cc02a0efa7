import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { triggerBuilderHint } from './builderHints';
import { createWarning } from './messages/hints';
import { leadSearchApiTest } from './methods/credentialTest';
import { HAS_NO_FILTER } from './resources/lead/filters';
import { triggerProperties } from './trigger/parameters';
import { pollLeads } from './trigger/poll';

export class LeadSearchTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Lead Search Trigger',
		name: 'leadSearchTrigger',
		icon: { light: 'file:leadSearch.svg', dark: 'file:leadSearch.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["leadsPerPoll"] + " leads per poll" }}',
		// n8n lists the node and the trigger as one, under the description of either.
		description: 'Search business leads, once or on a schedule, and look up LinkedIn profiles',
		defaults: { name: 'Lead Search Trigger' },
		polling: true,
		activationMessage:
			"A search that has not run before is polled now, and from then on as the schedule says; starts of n8n and publishing again cost nothing. Each lead costs 1 credit, up to 'Leads per Poll' at each poll and 'Max Credits per Day' in a day.",
		triggerPanel: {
			header: '',
			executionsHelp: {
				inactive:
					'A test buys the next lead of the search, a real one, for 1 credit; n8n calls it a mock event. Further tests, and the first poll, within 60 minutes have it for nothing. <b>Publish</b> the workflow to poll on its schedule.',
				active:
					'A test buys the next lead of the search, a real one, for 1 credit; n8n calls it a mock event. Further tests, and the next poll on the schedule, within 60 minutes have it for nothing.',
			},
			activationHint:
				"Publishing polls at once for a search that has not run before. Each poll buys up to 'Leads per Poll', and all polls of a day no more than 'Max Credits per Day'.",
		},
		builderHint: triggerBuilderHint,
		hints: [
			createWarning(
				'No filter: polls go through the whole database, up to 100,000 leads, 1 credit each',
				HAS_NO_FILTER,
			),
		],
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'leadSearchApi', required: true, testedBy: 'leadSearchApiTest' }],
		properties: triggerProperties,
	};

	methods = { credentialTest: { leadSearchApiTest } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollLeads(this);
	}
}
