import { answerChecks, requestChecks } from '../contract/check';
import { DEFAULT_MAX_RESULTS, DEFAULT_PER_PAGE, LOOKUP_PATH } from '../contract/paths';
import type { LookupAnswer, LookupRequest, LookupRow } from '../contract/types';
import type { LeadBook } from '../data/leadBook';
import { endpoint } from './endpoint';
import { pageFor, pageInfo, type PageAsked } from './page';

function asked(request: LookupRequest): PageAsked {
	return {
		page: request._page ?? 1,
		perPage: request._per_page ?? DEFAULT_PER_PAGE[LOOKUP_PATH],
		maxResults: request.max_results ?? (request.linkedinUrls.length || DEFAULT_MAX_RESULTS),
	};
}

/**
 * The leads behind the URLs, in the order of the list, each once. `onlyWithEmails` looks at what
 * the service knows, whichever kinds of email the request wants to see.
 */
function found(book: LeadBook, request: LookupRequest): number[] {
	const leads = new Set<number>();
	for (const url of request.linkedinUrls) {
		const lead = book.leadOfUrl(url);
		if (lead !== undefined && (request.onlyWithEmails === false || book.hasEmail(lead)))
			leads.add(lead);
	}
	return [...leads];
}

/** `has_email` and `has_phone` speak of the row, not of what was left out of it. */
function row(book: LeadBook, lead: number, request: LookupRequest): LookupRow {
	const record = book.leadAt(lead);
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
export const lookup = endpoint<LookupRequest>({
	path: LOOKUP_PATH,
	admits: ['bearer:apiKey', 'bearer:sessionToken', 'xApiKey:apiKey'],
	checkRequest: requestChecks.lookup,
	checkAnswer: answerChecks.lookup,
	serve(request, book, { balance, behaviour }) {
		const question = asked(request);
		const results = found(book, request);
		const page = pageFor(question, results.length, balance, behaviour);
		if ('message' in page) return page;
		const leads = results.slice(page.from, page.to);
		// The list is known as a whole, so its count is exact, unless credits ended it early.
		const total = page.cutByBalance ? page.to : page.reachable;
		const body: LookupAnswer = {
			success: true,
			message: `Profiles found: ${leads.length}`,
			count: leads.length,
			data: leads.map((lead) => row(book, lead, request)),
			...pageInfo(question, page, total, behaviour.silentClamp !== undefined),
		};
		return { status: 200, body, leads, from: page.from };
	},
});
