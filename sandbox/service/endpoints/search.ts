import { compile } from '../contract/check';
import { DEFAULT_MAX_RESULTS, DEFAULT_PER_PAGE, SEARCH_PATH } from '../contract/paths';
import {
	searchAnswer,
	searchRequest,
	type LeadRecord,
	type SearchAnswer,
	type SearchRequest,
} from '../contract/schemas';
import type { LeadStore } from '../data/leadStore';
import { badRequest, type Endpoint } from './endpoint';
import { estimatedTotal, pageFor, pageInfo, rowsOf, type PageAsked } from './page';

const isRequest = compile(searchRequest);

function asked(request: SearchRequest): PageAsked {
	return {
		page: request._page ?? 1,
		perPage: request._per_page ?? DEFAULT_PER_PAGE[SEARCH_PATH],
		maxResults: request.max_results ?? DEFAULT_MAX_RESULTS,
	};
}

function record(store: LeadStore, lead: number, request: SearchRequest): LeadRecord {
	const row = store.leadAt(lead);
	if (request.include_emails === false) {
		row.work_email = null;
		row.personal_emails = [];
	}
	if (request.include_phones !== true) row.mobile_phone = null;
	if (request._include_raw !== false) row.raw = store.rawAt(lead);
	return row;
}

/** POST /api/public/search: the paid search, for an API key as Bearer token. */
export const search: Endpoint = {
	path: SEARCH_PATH,
	admits: ['bearer:apiKey'],
	isAnswer: compile(searchAnswer),
	serve(request, store, { balance, behaviour }) {
		if (!isRequest(request)) return badRequest(isRequest);
		const question = asked(request);
		const matches = store.matching(request).subarray(0, behaviour.leads);
		const page = pageFor(question, rowsOf(matches), balance, behaviour);
		if ('message' in page) return page;
		const leads = page.rows;
		const body: SearchAnswer = {
			success: true,
			message: `Leads found: ${leads.length}`,
			count: leads.length,
			preview_count: leads.length,
			preview_data: leads.map((lead) => record(store, lead, request)),
			...pageInfo(question, page, estimatedTotal(question, page)),
			search_id: null,
			counting: false,
		};
		return { body, leads, from: page.from };
	},
};
