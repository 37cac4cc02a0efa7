/** The workflows that do the work in n8n. What to do comes with the webhook that starts them. */
import { randomUUID } from 'node:crypto';

import { chain, type SavedCredential, type Workflow, type WorkflowNode } from '../../sandbox/n8n';
import { LOOKUP_PATH, SEARCH_PATH } from '../../sandbox/service';
import { atOnce, type Contestant, type Work } from '../work';

/** Those of the contestants that are nodes. */
export type NodeContestant = Exclude<Contestant, 'undici' | 'undiciParallel'>;

/** How HTTP Request sends the requests of several input items. */
export interface Batching {
	/** Requests sent before it pauses; -1 sends all of them without a pause. */
	readonly batchSize: number;
	/** Milliseconds. */
	readonly batchInterval: number;
}

/** What a workflow is built for. */
export interface Setup {
	readonly baseUrl: string;
	readonly leadSearch: SavedCredential;
	readonly headerAuth: SavedCredential;
	readonly batching: Batching;
}

/** A workflow, the webhook that starts it, and the nodes whose time counts; the last gives the items. */
export interface Entry {
	readonly path: string;
	readonly nodes: readonly [string, ...string[]];
	readonly workflow: Workflow;
}

/** Runs of the bench are not kept: saving 100,000 items would be most of the work. */
const settings = {
	executionOrder: 'v1',
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
	saveManualExecutions: false,
	saveExecutionProgress: false,
};

/**
 * Builds the workflow in which a contestant does a kind of work.
 *
 * @param path of its webhook.
 */
export function entryOf(
	contestant: NodeContestant,
	kind: Work['kind'],
	setup: Setup,
	path: string,
): Entry {
	const nodes = workersOf(contestant, kind, setup);
	const split = kind === 'lookUp' ? [splitOut('Input Items', 'body.urls', 'url')] : [];
	return {
		path,
		nodes: nodes.map(({ name }) => name) as [string, ...string[]],
		workflow: { ...chain(path, [webhook(path), ...split, ...nodes]), settings },
	};
}

/** The body for the webhook. */
export function orderFor(work: Work, urls: readonly string[]): object {
	return work.kind === 'search' ? work : { ...work, urls };
}

function webhook(path: string): WorkflowNode {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: randomUUID(),
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
}

function workersOf(contestant: NodeContestant, kind: Work['kind'], setup: Setup): WorkflowNode[] {
	if (contestant === 'httpRequest') return httpRequest(kind, setup);
	if (contestant === 'helper') return [plainLoop(setup)];
	return [leadSearch(kind, setup, contestant === 'oursParallel')];
}

function plainLoop({ baseUrl, leadSearch: { id, name } }: Setup): WorkflowNode {
	return {
		name: 'Plain Loop',
		type: 'CUSTOM.plainLoop',
		typeVersion: 1,
		parameters: {
			url: baseUrl + SEARCH_PATH,
			leads: '={{ $json.body.leads }}',
			pageSize: '={{ $json.body.pageSize }}',
		},
		credentials: { leadSearchApi: { id, name } },
	};
}

function leadSearch(kind: Work['kind'], setup: Setup, parallel: boolean): WorkflowNode {
	const { id, name } = setup.leadSearch;
	const options = {
		pageSize: '={{ $json.body.pageSize }}',
		includeRaw: '={{ $json.body.raw }}',
		...(parallel && { parallelPages: atOnce }),
	};
	const parameters =
		kind === 'search'
			? { resource: 'lead', operation: 'search', limit: '={{ $json.body.leads }}', options }
			: {
					resource: 'linkedInProfile',
					operation: 'lookUp',
					linkedinUrls: '={{ $json.url }}',
					returnAll: true,
					options: { onlyWithEmails: false },
				};
	return {
		name: 'Lead Search',
		type: 'n8n-nodes-lead-search.leadSearch',
		typeVersion: 1,
		// Every field, as HTTP Request has them.
		parameters: { ...parameters, simplify: false },
		credentials: { leadSearchApi: { id, name } },
	};
}

/**
 * HTTP Request as n8n's documentation sets it up, with the choices that were measured to be its
 * fastest: the response format named, and the body as one object.
 */
function httpRequest(kind: Work['kind'], setup: Setup): WorkflowNode[] {
	const { id, name } = setup.headerAuth;
	const response = { response: { responseFormat: 'json' } };
	const search = kind === 'search';
	const node: WorkflowNode = {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method: 'POST',
			url: setup.baseUrl + (search ? SEARCH_PATH : LOOKUP_PATH),
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			contentType: 'json',
			specifyBody: 'json',
			jsonBody: search
				? searchBody
				: '={{ { linkedinUrls: [$json.url], onlyWithEmails: false } }}',
			options: search
				? { response, pagination: { pagination } }
				: {
						response,
						...(setup.batching.batchSize > 0 && {
							batching: { batch: setup.batching },
						}),
					},
		},
		credentials: { httpHeaderAuth: { id, name } },
	};
	return [node, splitOut('Split Out', search ? 'preview_data' : 'data')];
}

const searchBody =
	'={{ { include_emails: true, include_phones: false, _include_raw: $json.body.raw, ' +
	'_per_page: $json.body.pageSize, max_results: $json.body.leads } }}';

const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'body', name: '_page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !$response.body.has_more }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

function splitOut(name: string, field: string, into?: string): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: {
			fieldToSplitOut: field,
			options: into === undefined ? {} : { destinationFieldName: into },
		},
	};
}
