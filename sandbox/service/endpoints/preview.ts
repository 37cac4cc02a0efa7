import { answerChecks, requestChecks } from '../contract/check';
import { DEFAULT_PER_PAGE, PREVIEW_PATH } from '../contract/paths';
import type { LeadRecord, PreviewAnswer } from '../contract/types';
import type { LeadBook } from '../data/leadBook';
import { endpoint } from './endpoint';
import { pageFor, pageInfo, rowsOf } from './page';

/** `j***@company.example` instead of the address: a preview is no way around paying. */
function masked(email: string | null): string | null {
	return email === null ? null : email.replace(/^(.)[^@]*/, '$1***');
}

function record(book: LeadBook, lead: number): LeadRecord {
	const row = book.leadAt(lead);
	return { ...row, work_email: masked(row.work_email), personal_emails: [], mobile_phone: null };
}

/** POST /api/preview: the free search, for anybody. */
export const preview = endpoint({
	path: PREVIEW_PATH,
	admits: null,
	checkRequest: requestChecks.preview,
	checkAnswer: answerChecks.preview,
	serve(request, book, { balance, behaviour }) {
		const { job_titles, job_title_seniority, person_location_country } = request;
		const matches = book
			.matching({ job_titles, job_title_seniority, person_location_country })
			.subarray(0, behaviour.leads);
		const question = {
			page: request._page ?? 1,
			perPage: request._per_page ?? DEFAULT_PER_PAGE[PREVIEW_PATH],
			maxResults: Infinity,
		};
		const page = pageFor(question, rowsOf(matches), balance, behaviour);
		if ('message' in page) return page;
		const leads = page.rows;
		const info = pageInfo(question, page, page.reachable);
		const body: PreviewAnswer = {
			success: true,
			preview_data: leads.map((lead) => record(book, lead)),
			count: leads.length,
			page: info.page,
			per_page: info.per_page,
			has_more: info.has_more,
			next_page: info.next_page,
			total_count: info.total_count,
		};
		return { status: 200, body, leads, from: page.from };
	},
});
