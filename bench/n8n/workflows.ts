/** The workflows that do the work in n8n. What to do comes with the webhook that starts them. */
import { chain, type SavedCredential, type Workflow, type WorkflowNode } from '../../sandbox/n8n';
import { endpoints, pageSize, type Case, type Subject } from '../cases';

/** Who does the work in n8n. */
export type Worker = Exclude<Subject, 'undici' | 'least'>;

type Kind = Case['kind'];
type Credentials = Readonly<Record<'leadSearchApi' | 'httpHeaderAuth', SavedCredential>>;

/** Runs of the bench are not kept: saving 100,000 items would be most of the work. */
const settings = {
	executionOrder: 'v1',
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
	saveManualExecutions: false,
	saveExecutionProgress: false,
};

/** Builds the workflow in which a subject does a kind of work; its name is the webhook's path too. */
export function workflowOf(
	subject: Worker,
	kind: Kind,
	baseUrl: string,
	credentials: Credentials,
): Workflow {
	const name = `${subject}-${kind}`;
	const start = { httpMethod: 'POST', path: name, responseMode: 'onReceived' };
	const webhook = node('Webhook', 'n8n-nodes-base.webhook', 2.1, start);
	const input = splitOut('Input Items', 'body.urls', { destinationFieldName: 'url' });
	const workers = workersOf(subject, kind, baseUrl + endpoints[kind].path, credentials);
	const nodes = [
		{ ...webhook, webhookId: name },
		...(kind === 'lookUp' ? [input] : []),
		...workers,
	];
	return { ...chain(name, nodes), settings };
}

/** The nodes that do the work; what the last one returns is what came of it. */
function workersOf(subject: Worker, kind: Kind, url: string, credentials: Credentials) {
	const { leadSearchApi, httpHeaderAuth } = credentials;
	if (subject === 'defaults' || subject === 'baseline') {
		const origin = subject === 'defaults' ? 'n8n-nodes-lead-search' : 'CUSTOM';
		const leadSearch = node(
			'Lead Search',
			`${origin}.leadSearch`,
			1,
			leadSearchParameters[kind],
		);
		return [{ ...leadSearch, credentials: { leadSearchApi } }];
	}
	if (subject === 'loop') {
		const parameters = { url, leads: '={{ $json.body.leads }}', pageSize };
		const plainLoop = node('Plain Loop', 'CUSTOM.plainLoop', 1, parameters);
		return [{ ...plainLoop, credentials: { leadSearchApi } }];
	}
	const parameters = httpParameters(kind, url, subject === 'httpBest');
	const httpRequest = node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, parameters);
	const rows = splitOut('Split Out', endpoints[kind].rowsIn);
	return [{ ...httpRequest, credentials: { httpHeaderAuth } }, rows];
}

/** Nothing is set but what to do, so that it is what people get. */
const leadSearchParameters = {
	search: { resource: 'lead', operation: 'search', limit: '={{ $json.body.leads }}' },
	lookUp: {
		resource: 'linkedInProfile',
		operation: 'lookUp',
		linkedinUrls: '={{ $json.url }}',
		// Everybody is to return the same profiles.
		options: { onlyWithEmails: false },
	},
};

/**
 * HTTP Request as n8n's documentation sets it up. Its best is what was measured to be its fastest:
 * leads without `raw`, the response format named, URLs in batches of 1,000.
 */
function httpParameters(kind: Kind, url: string, isBest: boolean) {
	const isSearch = kind === 'search';
	const raw = isBest ? '_include_raw: false, ' : '';
	const body = isSearch
		? `${raw}_per_page: ${pageSize}, max_results: $json.body.leads`
		: 'linkedinUrls: [$json.url], onlyWithEmails: false';
	const batching = { batching: { batch: { batchSize: 1_000, batchInterval: 1 } } };
	return {
		method: 'POST',
		url,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ { ${body} } }}`,
		options: {
			...(isBest && { response: { response: { responseFormat: 'json' } } }),
			...(isSearch && { pagination: { pagination } }),
			...(isBest && !isSearch && batching),
		},
	};
}

const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'body', name: '_page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !$response.body.has_more }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

function splitOut(name: string, fieldToSplitOut: string, options = {}): WorkflowNode {
	return node(name, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut, options });
}

function node(name: string, type: string, typeVersion: number, parameters: object): WorkflowNode {
	return { name, type, typeVersion, parameters: { ...parameters } };
}
