import type { Behaviour } from '../accounts/behaviour';
import { compile } from '../contract/check';
import { DEFAULT_MAX_RESULTS, DEFAULT_PER_PAGE, LOOKUP_PATH } from '../contract/paths';
import {
	lookupAnswer,
	lookupRequest,
	type LeadRecord,
	type LookupAnswer,
	type LookupRequest,
	type LookupRow,
} from '../contract/schemas';
import type { LeadStore } from '../data/leadStore';
import { isSecondRow, leadOfRow, secondRow } from '../data/rowNumber';
import { badRequest, type Endpoint } from './endpoint';
import { exactTotal, pageFor, pageInfo, type PageAsked, type Results } from './page';

const isRequest = compile(lookupRequest);

function asked(request: LookupRequest): PageAsked {
	return {
		page: request._page ?? 1,
		perPage: request._per_page ?? DEFAULT_PER_PAGE[LOOKUP_PATH],
		maxResults: request.max_results ?? (request.linkedinUrls.length || DEFAULT_MAX_RESULTS),
	};
}

/** Whether a lead is one of every `n`; none is without `n`. */
function isNth(lead: number, n: number | undefined): boolean {
	return n !== undefined && lead % n === 0;
}

/**
 * The leads behind the URLs, in the order of the list, each once. `onlyWithEmails` looks at what
 * the service knows, whichever kinds of email the request wants to see.
 */
function found(store: LeadStore, request: LookupRequest, behaviour: Behaviour): Results {
	const leads = new Set<number>();
	const byUrl = request.linkedinUrls.map((url) => {
		const lead = store.leadOfUrl(url);
		if (lead === undefined || leads.has(lead) || leads.size === behaviour.leads) return [];
		if (request.onlyWithEmails !== false && !store.hasEmail(lead)) return [];
		leads.add(lead);
		return isNth(lead, behaviour.twoRowsEvery) ? [lead, secondRow(lead)] : [lead];
	});
	if (behaviour.lookupPagesBy === 'urls')
		return { length: byUrl.length, rows: (from, to) => byUrl.slice(from, to).flat() };
	const rows = byUrl.flat();
	return { length: rows.length, rows: (from, to) => rows.slice(from, to) };
}

/** A lead's record, as the account is shown it. */
function recordOf(store: LeadStore, row: number, { renamesEvery }: Behaviour): LeadRecord {
	const lead = leadOfRow(row);
	const record = store.leadAt(lead);
	if (isNth(lead, renamesEvery)) record.linkedin_url += '-renamed';
	if (!isSecondRow(row)) return record;
	const { job_title, work_email } = record;
	const other = work_email === null ? null : `second.${work_email}`;
	return { ...record, job_title: `Former ${job_title}`, work_email: other };
}

/** `has_email` and `has_phone` speak of the row, not of what was left out of it. */
function lookupRow(record: LeadRecord, request: LookupRequest): LookupRow {
	const workEmail = request.includeWorkEmails === false ? null : record.work_email;
	const personalEmails = request.includePersonalEmails === false ? [] : record.personal_emails;
	const phone = request.includePhones === true ? record.mobile_phone : null;
	return {
		linkedin_url: record.linkedin_url,
		full_name: record.full_name,
		first_name: record.first_name,
		last_name: record.last_name,
		job_title: record.job_title,
		company: record.company,
		work_email: workEmail,
		personal_emails: personalEmails,
		personal_emails_count: personalEmails.length,
		has_email: workEmail !== null || personalEmails.length > 0,
		mobile_phone: phone,
		has_phone: phone !== null,
	};
}

/** POST /api/linkedin/lookup: emails and phones for profile URLs. */
export const lookup: Endpoint = {
	path: LOOKUP_PATH,
	admits: ['bearer:apiKey', 'bearer:sessionToken', 'xApiKey:apiKey'],
	isAnswer: compile(lookupAnswer),
	serve(request, store, { balance, behaviour }) {
		if (!isRequest(request)) return badRequest(isRequest);
		const question = asked(request);
		const page = pageFor(question, found(store, request, behaviour), balance, behaviour);
		if ('message' in page) return page;
		const leads = page.rows;
		const body: LookupAnswer = {
			success: true,
			message: `Profiles found: ${leads.length}`,
			count: leads.length,
			data: leads.map((row) => lookupRow(recordOf(store, row, behaviour), request)),
			...pageInfo(question, page, exactTotal(page)),
		};
		return { body, leads, from: page.from };
	},
};
