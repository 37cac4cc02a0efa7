import {
	PREVIEW_PATH,
	previewAnswer,
	previewRequest,
	type LeadRecord,
	type PreviewAnswer,
} from '../contract/schemas';
import { leadAt, matching } from '../data/leads';
import { endpoint } from './endpoint';

/** `j***@company.example` instead of the address: a preview is no way around paying. */
function masked(email: string | null): string | null {
	return email === null ? null : email.replace(/^(.)[^@]*/, '$1***');
}

function record(lead: number): LeadRecord {
	const row = leadAt(lead);
	return { ...row, work_email: masked(row.work_email), personal_emails: [], mobile_phone: null };
}

/** POST /api/preview: the free search, for anybody. Its usual page size is assumed. */
export const preview = endpoint({
	path: PREVIEW_PATH,
	admits: null,
	perPage: 25,
	question: previewRequest,
	answer: previewAnswer,
	maxResults: () => Infinity,
	results: ({ job_titles, job_title_seniority, person_location_country }, { leads }) =>
		matching({ job_titles, job_title_seniority, person_location_country }).subarray(0, leads),
	estimatesTotal: false,
	reply: ({ rows, info }): PreviewAnswer => ({
		success: true,
		preview_data: rows.map(record),
		count: rows.length,
		page: info.page,
		per_page: info.per_page,
		total_count: info.total_count,
		has_more: info.has_more,
		next_page: info.next_page,
	}),
});
