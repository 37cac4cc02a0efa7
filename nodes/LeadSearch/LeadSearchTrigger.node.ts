import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { leadSearchApiTest } from './methods/credentialTest';
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
