import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type NodeHint,
} from 'n8n-workflow';

import { nodeBuilderHint } from './builderHints';
import { executeOperation } from './execution/execute';
import { asInvalid } from './messages/nodeErrors';
import { leadSearchApiTest } from './methods/credentialTest';
import { findOperation, FREE_OPERATIONS, operationProperties } from './resources';

/** The output of every operation, and the one that Look Up has for what is not found. */
const OUTPUTS =
	`={{ $parameter["operation"] === "buyProfiles" && $parameter["options"]?.["unmatched"] === "secondOutput"
	? [{ type: "main", displayName: "Found" }, { type: "main", displayName: "Not Found" }]
	: [{ type: "main" }] }}` as const;

const HAS_NO_FILTER =
	'$parameter["operation"] === "buyLeads" && !Object.entries($rawParameter["filters"] ?? {}).some(([name, value]) => name !== "emailStatus" && !["", "{}"].includes(String(value ?? "").trim()))';

/** Shown before the node runs. n8n takes a fixed text only, hence two of them. */
const noFilterHint = (buys: string, isShown: string): NodeHint => ({
	message: `No filter: ${buys}, 1 credit each`,
	displayCondition: `={{ ${HAS_NO_FILTER} && ${isShown} }}`,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
});
const NO_FILTER_HINTS = [
	noFilterHint('this buys the first leads of the whole database', '!$parameter["returnAll"]'),
	noFilterHint(
		"'Return All' buys the whole database, up to 100,000 leads",
		'$parameter["returnAll"]',
	),
];

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
		builderHint: nodeBuilderHint,
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
		hints: NO_FILTER_HINTS,
		properties: operationProperties,
	};

	methods = { credentialTest: { leadSearchApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const name: unknown = this.getNodeParameter('operation', 0);
		const operation = findOperation(this.getNodeParameter('resource', 0), name);
		if (operation) return await executeOperation(this, operation);
		let message = `There is no operation '${String(name)}'`;
		let advice = 'Choose one from the list.';
		if (name === '__CUSTOM_API_CALL__') {
			message = 'Custom API Call is made with the HTTP Request node';
			advice =
				"Use an HTTP Request node with 'Authentication' set to Predefined Credential Type, and Lead Search API.";
		}
		throw asInvalid(this.getNode(), {
			message,
			description: `${advice} Nothing was sent or charged.`,
		});
	}
}
