/** The workflows of the bench. The body of the webhook that starts them says what to fetch. */
import { chain, node, type Fields, type Workflow, type WorkflowNode } from '../sandbox/n8n';
import { DEFAULT_PAGE_SIZE } from '../nodes/LeadSearch/paging/pages';
import type { Case, Subject } from './report';

/** Creates the workflow of a subject. */
export function createWorkflow(
	subject: Subject,
	{ kind, pageSize }: Case,
	credentials: NonNullable<WorkflowNode['credentials']>,
): Workflow {
	const own = (name: string, type: string, typeVersion: number, parameters: Fields) => ({
		...node(name, `n8n-nodes-${type}`, typeVersion, parameters),
		credentials,
	});
	// The name is also the path of the webhook.
	const name = `${subject}-${kind}-${pageSize}`;
	const start = { httpMethod: 'POST', path: name, responseMode: 'onReceived' };
	const inputs = { fieldToSplitOut: 'body.inputs', options: { destinationFieldName: 'value' } };
	const rows = { fieldToSplitOut: kind === 'lookUp' ? 'data' : 'preview_data' };
	const workers = {
		leadSearch: [own('Leads', 'lead-search.leadSearch', 1, createParameters(kind, pageSize))],
		http: [
			own('Request', 'base.httpRequest', 4.5, createHttpParameters(kind)),
			own('Rows', 'base.splitOut', 1, rows),
		],
		least: [{ ...own('Least', 'base.noOp', 1, { kind }), type: 'CUSTOM.least' }],
		undici: [],
	};
	return chain(name, [
		{ ...own('start', 'base.webhook', 2.1, start), webhookId: name },
		...(kind === 'search' ? [] : [own('input', 'base.splitOut', 1, inputs)]),
		...workers[subject],
	]);
}

/**
 * Returns the parameters of Lead Search: the defaults of users, except that each run pays for all results again, and
 * except for a Page Size that isn't the default.
 */
function createParameters(kind: Case['kind'], pageSize: number): Fields {
	const { options, ...others } = parametersOf[kind];
	return {
		...others,
		options: { ...options, ...(pageSize !== DEFAULT_PAGE_SIZE && { pageSize }) },
	};
}

const parametersOf = {
	search: {
		resource: 'lead',
		operation: 'buyLeads',
		limit: '={{ $json.body.leads }}',
		// A paid search needs a filter. The mock service ignores this one, so its whole database matches.
		filters: { otherFilters: '{"company_size": ["any"]}' },
		options: { reusePaidResults: 0 },
	},
	searchPerItem: {
		resource: 'lead',
		operation: 'buyLeads',
		limit: 1,
		filters: { otherFilters: '={{ $json.value }}' },
		options: { reusePaidResults: 0 },
	},
	lookUp: {
		resource: 'linkedInProfile',
		operation: 'buyProfiles',
		linkedinUrls: '={{ $json.value }}',
		// All subjects must return the same profiles.
		options: { onlyWithEmails: false, reusePaidResults: 0 },
	},
};

/**
 * Returns parameters of HTTP Request as in n8n's documentation, with the options that were fastest: leads without `raw`,
 * the response format set, URLs in batches of 1,000.
 */
function createHttpParameters(kind: Case['kind']): Fields {
	const body = "$('start').first().json.body";
	const bodies = {
		search: `{ _include_raw: false, _per_page: ${body}.pageSize, max_results: ${body}.leads }`,
		searchPerItem: '{ _include_raw: false, ...JSON.parse($json.value), max_results: 1 }',
		lookUp: '{ linkedinUrls: [$json.value], onlyWithEmails: false }',
	};
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'body', name: '_page', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.has_more }}',
		limitPagesFetched: false,
		requestInterval: 0,
	};
	return {
		method: 'POST',
		url: `={{ ${body}.url }}`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ ${bodies[kind]} }}`,
		options: {
			response: { response: { responseFormat: 'json' } },
			...(kind === 'search'
				? { pagination: { pagination } }
				: { batching: { batch: { batchSize: 1_000, batchInterval: 1 } } }),
		},
	};
}
