import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { executeOperation } from './execution/execute';
import { leadSearchApiTest } from './methods/credentialTest';
import { findOperation, FREE_OPERATIONS, operationProperties } from './resources';

/** The output of every operation, and the one that Look Up has for what is not found. */
const OUTPUTS =
	`={{ $parameter["operation"] === "buyProfiles" && $parameter["options"]?.["unmatched"] === "secondOutput"
	? [{ type: "main", displayName: "Found" }, { type: "main", displayName: "Not Found" }]
	: [{ type: "main" }] }}` as const;

export class LeadSearch implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Lead Search',
		name: 'leadSearch',
		icon: { light: 'file:leadSearch.svg', dark: 'file:leadSearch.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		// n8n lists the node and the trigger as one, under the description of either.
		description: 'Search business leads, once or on a schedule, and look up LinkedIn profiles',
		defaults: { name: 'Lead Search' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Count, Preview and Check URLs are free and need no credential. Search (Paid) costs 1 credit for each lead, Look Up (Paid) 1 for each profile found: set Limit, or Max Credits per Execution under Options, which has no value unless it is added. To go on after a run that stopped, run the same again: what was paid for is reused.',
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [
			{
				name: 'leadSearchApi',
				required: true,
				testedBy: 'leadSearchApiTest',
				// By what hides it, n8n shows it above Resource, where people look for it.
				displayOptions: { hide: { operation: FREE_OPERATIONS } },
			},
		],
		properties: operationProperties,
	};

	methods = { credentialTest: { leadSearchApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const name: unknown = this.getNodeParameter('operation', 0);
		const operation = findOperation(this.getNodeParameter('resource', 0), name);
		if (operation) return await executeOperation(this, operation);
		throw new NodeOperationError(this.getNode(), `There is no operation '${String(name)}'`, {
			description: 'Choose one from the list. Nothing was sent or charged.',
		});
	}
}
