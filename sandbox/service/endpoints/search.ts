import { DEFAULT_MAX_RESULTS, SEARCH_PATH } from '../contract/paths';
import {
	searchAnswer,
	searchRequest,
	type LeadRecord,
	type SearchAnswer,
	type SearchRequest,
} from '../contract/schemas';
import { leadAt, matching, rawAt } from '../data/leads';
import { endpoint } from './endpoint';
import { estimatedTotal, pageInfo, rowsOf } from './page';

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
	question: searchRequest,
	answer: searchAnswer,
	maxResults: (request) => request.max_results ?? DEFAULT_MAX_RESULTS,
	results: (request, { leads }) => rowsOf(matching(request).subarray(0, leads)),
	reply: (page, request): SearchAnswer => ({
		success: true,
		message: `Leads found: ${page.rows.length}`,
		count: page.rows.length,
		preview_count: page.rows.length,
		preview_data: page.rows.map((lead) => record(lead, request)),
		...pageInfo(page, estimatedTotal(page)),
		search_id: null,
		counting: false,
	}),
});
