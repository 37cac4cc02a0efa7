import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeBuilderHint } from './builderHints';
import { executeOperation } from './execution/execute';
import { createWarning } from './messages/hints';
import { configurationError } from './messages/nodeErrors';
import { leadSearchApiTest } from './methods/credentialTest';
import {
	findOperation,
	LOCAL_OPERATIONS,
	OPERATION_SUMMARIES,
	operationProperties,
} from './resources';
import { HAS_NO_FILTER, NO_FILTER } from './resources/lead/filters';

/**
 * The outputs of the node, as an n8n expression. If the option Unmatched URLs of Look Up is set to Send to Second
 * Output, a second output gets the URLs without a profile. Otherwise the node has one output.
 */
const OUTPUTS =
	`={{ $parameter["operation"] === "buyProfiles" && $parameter["options"]?.["unmatched"] === "secondOutput"
	? [{ type: "main", displayName: "Found" }, { type: "main", displayName: "Not Found" }]
	: [{ type: "main" }] }}` as const;

const IS_SEARCH = '$parameter["operation"] === "buyLeads"';

/**
 * An n8n expression that is true if Return All is on and Max Credits is empty, so nothing limits what a run buys. It
 * reads `$rawParameter`, the parameters as they are written, because values of expressions aren't known before a run.
 */
const IS_UNLIMITED =
	'$rawParameter["returnAll"] === true && ($rawParameter["maxCredits"] ?? "") === ""';

/**
 * Warnings in the output pane about runs that can cost more than the user expects. The text of such a warning is
 * fixed, so each case has a warning of its own, with the condition under which n8n shows it.
 */
const HINTS = [
	createWarning(NO_FILTER, `${IS_SEARCH} && ${HAS_NO_FILTER}`),
	createWarning(
		"'Return All' buys every lead that matches, for 1 credit each. To limit the cost, set 'Max Credits'. To count the leads for free, add a Lead Search node with the operation Count.",
		`${IS_SEARCH} && !${HAS_NO_FILTER} && ${IS_UNLIMITED}`,
	),
	createWarning(
		"'Return All' looks up every URL, for 1 credit per profile found. To limit the cost, set 'Max Credits'. To count the URLs for free, add a Lead Search node with the operation Check URLs.",
		`$parameter["operation"] === "buyProfiles" && ${IS_UNLIMITED}`,
	),
];

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
				// Count and Preview need no credential: they only use its address if there is one. n8n allows one entry per name,
				// so the paid operations check themselves whether a credential is chosen.
				required: false,
				testedBy: 'leadSearchApiTest',
				// Because of these display options, n8n shows the credential above Resource, where users look for it.
				displayOptions: { hide: { operation: LOCAL_OPERATIONS } },
			},
		],
		hints: HINTS,
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
