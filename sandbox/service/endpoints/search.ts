import {
	DEFAULT_MAX_RESULTS,
	SEARCH_PATH,
	searchAnswer,
	searchRequest,
	type LeadRecord,
	type SearchAnswer,
	type SearchRequest,
} from '../contract/schemas';
import { leadAt, matching, rawAt } from '../data/leads';
import { endpoint } from './endpoint';

function record(lead: number, request: SearchRequest): LeadRecord {
	const row = leadAt(lead);
	if (request.include_emails === false) {
		row.work_email = null;
		row.personal_emails = [];
	}
	if (request.include_phones !== true) row.mobile_phone = null;
	if (request._include_raw !== false) row.raw = rawAt(lead);
	return row;
}

/** POST /api/public/search: the paid search, for an API key as Bearer token. */
export const search = endpoint({
	path: SEARCH_PATH,
	admits: ['bearer:apiKey'],
	perPage: 25,
	question: searchRequest,
	answer: searchAnswer,
	maxResults: (request) => request.max_results ?? DEFAULT_MAX_RESULTS,
	estimatesTotal: true,
	results: (request, { leads }) => matching(request).subarray(0, leads),
	reply: ({ rows, info }, request): SearchAnswer => ({
		success: true,
		message: `Leads found: ${rows.length}`,
		count: rows.length,
		preview_count: rows.length,
		preview_data: rows.map((lead) => record(lead, request)),
		...info,
		search_id: null,
		counting: false,
	}),
});
