import { compile } from '../contract/check';
import { DEFAULT_PER_PAGE, PREVIEW_PATH } from '../contract/paths';
import {
	previewAnswer,
	previewRequest,
	type LeadRecord,
	type PreviewAnswer,
} from '../contract/schemas';
import type { LeadStore } from '../data/leadStore';
import { badRequest, type Endpoint } from './endpoint';
import { pageFor, pagePlace, rowsOf } from './page';

const isRequest = compile(previewRequest);

/** `j***@company.example` instead of the address: a preview is no way around paying. */
function masked(email: string | null): string | null {
	return email === null ? null : email.replace(/^(.)[^@]*/, '$1***');
}

function record(store: LeadStore, lead: number): LeadRecord {
	const row = store.leadAt(lead);
	return { ...row, work_email: masked(row.work_email), personal_emails: [], mobile_phone: null };
}

/** POST /api/preview: the free search, for anybody. */
export const preview: Endpoint = {
	path: PREVIEW_PATH,
	admits: null,
	isAnswer: compile(previewAnswer),
	serve(request, store, { balance, behaviour }) {
		if (!isRequest(request)) return badRequest(isRequest);
		const { job_titles, job_title_seniority, person_location_country } = request;
		const matches = store
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
		const body: PreviewAnswer = {
			success: true,
			preview_data: leads.map((lead) => record(store, lead)),
			count: leads.length,
			...pagePlace(page, page.reachable),
		};
		return { body, leads, from: page.from };
	},
};
