import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { leadSearchApiTest } from './operations/credentialTest';
import { executeOperation } from './operations/execute';
import { operationFor, operationProperties } from './operations';

export class LeadSearch implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Lead Search',
		name: 'leadSearch',
		icon: { light: 'file:leadSearch.svg', dark: 'file:leadSearch.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Search business leads and look up LinkedIn profiles',
		defaults: { name: 'Lead Search' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'leadSearchApi',
				required: true,
				testedBy: 'leadSearchApiTest',
				displayOptions: { show: { operation: ['search', 'lookUp'] } },
			},
		],
		properties: operationProperties,
	};

	methods = { credentialTest: { leadSearchApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeOperation(this, operationFor(this.getNodeParameter('operation', 0)));
	}
}
