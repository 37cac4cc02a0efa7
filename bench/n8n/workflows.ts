/** The workflows that do the work in n8n. What to do comes with the webhook that starts them. */
import { randomUUID } from 'node:crypto';

import { chain, type SavedCredential, type Workflow, type WorkflowNode } from '../../sandbox/n8n';
import { LOOKUP_PATH, SEARCH_PATH } from '../../sandbox/service';
import { pageSize, type Case, type Subject } from '../cases';

/** What a workflow is built for. */
export interface Setup {
	readonly baseUrl: string;
	readonly leadSearchApi: SavedCredential;
	readonly httpHeaderAuth: SavedCredential;
}

/** Who does the work in n8n. */
export type Worker = Exclude<Subject, 'undici' | 'least'>;

/** Runs of the bench are not kept: saving 100,000 items would be most of the work. */
const settings = {
	executionOrder: 'v1',
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
	saveManualExecutions: false,
	saveExecutionProgress: false,
};

/**
 * Builds the workflow in which a subject does a kind of work.
 * @returns also the path of the webhook that starts it, and the names of the nodes whose time counts,
 * of which the last gives the items
 */
export function entryOf(subject: Worker, kind: Case['kind'], setup: Setup) {
	const path = `${subject}-${kind}`;
	const nodes = workersOf(subject, kind, setup);
	const webhook: WorkflowNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: randomUUID(),
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
	const input = kind === 'lookUp' ? [splitOut('Input Items', 'body.urls', 'url')] : [];
	const workflow: Workflow = { ...chain(path, [webhook, ...input, ...nodes]), settings };
	return { path, nodes: nodes.map(({ name }) => name), workflow };
}

function workersOf(subject: Worker, kind: Case['kind'], setup: Setup): WorkflowNode[] {
	switch (subject) {
		case 'defaults':
			return [leadSearch('n8n-nodes-lead-search.leadSearch', kind, setup)];
		case 'baseline':
			return [leadSearch('CUSTOM.leadSearch', kind, setup)];
		case 'loop':
			return [plainLoop(setup)];
		case 'httpDefaults':
		case 'httpBest':
			return httpRequest(kind, setup, subject === 'httpBest');
	}
}

/** Nothing is set but what to do, so that it is what people get. */
function leadSearch(type: string, kind: Case['kind'], { leadSearchApi }: Setup): WorkflowNode {
	const search = { resource: 'lead', operation: 'search', limit: '={{ $json.body.leads }}' };
	const lookUp = {
		resource: 'linkedInProfile',
		operation: 'lookUp',
		linkedinUrls: '={{ $json.url }}',
		// Everybody is to return the same profiles.
		options: { onlyWithEmails: false },
	};
	const parameters = kind === 'search' ? search : lookUp;
	const name = 'Lead Search';
	return { name, type, typeVersion: 1, parameters, credentials: { leadSearchApi } };
}

function plainLoop({ baseUrl, leadSearchApi }: Setup): WorkflowNode {
	return {
		name: 'Plain Loop',
		type: 'CUSTOM.plainLoop',
		typeVersion: 1,
		parameters: { url: baseUrl + SEARCH_PATH, leads: '={{ $json.body.leads }}', pageSize },
		credentials: { leadSearchApi },
	};
}

/**
 * HTTP Request as n8n's documentation sets it up. Its best is what was measured to be its fastest:
 * leads without `raw`, the response format named, URLs in batches of 1,000.
 */
function httpRequest(
	kind: Case['kind'],
	{ baseUrl, httpHeaderAuth }: Setup,
	isBest: boolean,
): WorkflowNode[] {
	const isSearch = kind === 'search';
	const raw = isBest ? '_include_raw: false, ' : '';
	const searchBody = `{ ${raw}_per_page: ${pageSize}, max_results: $json.body.leads }`;
	const lookUpBody = '{ linkedinUrls: [$json.url], onlyWithEmails: false }';
	const batching = { batching: { batch: { batchSize: 1_000, batchInterval: 1 } } };
	const node: WorkflowNode = {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method: 'POST',
			url: baseUrl + (isSearch ? SEARCH_PATH : LOOKUP_PATH),
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ ${isSearch ? searchBody : lookUpBody} }}`,
			options: {
				...(isBest && { response: { response: { responseFormat: 'json' } } }),
				...(isSearch && { pagination: { pagination } }),
				...(isBest && !isSearch && batching),
			},
		},
		credentials: { httpHeaderAuth },
	};
	return [node, splitOut('Split Out', isSearch ? 'preview_data' : 'data')];
}

const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'body', name: '_page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !$response.body.has_more }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

function splitOut(name: string, field: string, into?: string): WorkflowNode {
	const options = into === undefined ? {} : { destinationFieldName: into };
	const parameters = { fieldToSplitOut: field, options };
	return { name, type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters };
}
