import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { triggerBuilderHint } from './builderHints';
import { leadSearchApiTest } from './methods/credentialTest';
import { filterWarnings, phoneWarning } from './resources/warnings';
import { triggerProperties } from './trigger/parameters';
import { REUSE_MINUTES } from './parameters/fetching';
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
			"A new search buys its first leads now, and then polls on its schedule. Publishing again, or restarting n8n, buys nothing. To see what each poll costs, turn on 'Include Usage' under Options.",
		triggerPanel: {
			header: '',
			executionsHelp: {
				inactive: `A test buys the next lead for 1 credit. It is a real lead, although n8n calls it a mock event. Further tests and the first poll reuse this lead for free within ${REUSE_MINUTES} minutes. <b>Publish</b> the workflow to poll on its schedule.`,
				active: `A test buys the next lead for 1 credit. It is a real lead, although n8n calls it a mock event. Further tests and the next scheduled poll reuse this lead for free within ${REUSE_MINUTES} minutes.`,
			},
			activationHint: "All polls of a day together spend at most 'Max Credits per Day'.",
		},
		builderHint: triggerBuilderHint,
		hints: [...filterWarnings('true'), phoneWarning],
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
