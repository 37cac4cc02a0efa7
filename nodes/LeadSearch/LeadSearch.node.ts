import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeBuilderHint } from './builderHints';
import { executeOperation } from './execution/execute';
import { configurationError } from './messages/nodeErrors';
import { leadSearchApiTest } from './methods/credentialTest';
import {
	findOperation,
	LOCAL_OPERATIONS,
	OPERATION_SUMMARIES,
	operationProperties,
} from './resources';
import { filterWarnings, IS_SEARCH, phoneWarning, returnAllWarnings } from './resources/warnings';

/** The second output gets the URLs without a profile. */
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
		subtitle: `={{ ${JSON.stringify(OPERATION_SUMMARIES)}[$parameter["operation"]] }}`,
		// n8n lists the node and the trigger together, with one of their descriptions.
		description: 'Search business leads, once or on a schedule, and look up LinkedIn profiles',
		defaults: { name: 'Lead Search' },
		usableAsTool: true,
		builderHint: nodeBuilderHint,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [
			{
				name: 'leadSearchApi',
				// Free operations use only the credential's address. n8n allows one entry per name, so the paid operations
				// check themselves whether a credential is chosen.
				required: false,
				testedBy: 'leadSearchApiTest',
				// Because of these display options, n8n shows the credential above Resource, where users look for it.
				displayOptions: { hide: { operation: LOCAL_OPERATIONS } },
			},
		],
		hints: [...filterWarnings(IS_SEARCH), phoneWarning, ...returnAllWarnings],
		properties: operationProperties,
	};

	methods = { credentialTest: { leadSearchApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const name: unknown = this.getNodeParameter('operation', 0);
		const operation = findOperation(this.getNodeParameter('resource', 0), name);
		if (operation) return await executeOperation(this, operation);
		throw configurationError(this.getNode(), {
			message: `There is no operation '${String(name)}'`,
			description:
				'Choose an operation from the list. For a custom API call, use an HTTP Request node. Nothing was sent or charged.',
		});
	}
}
