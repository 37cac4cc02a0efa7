import type { Behaviour } from '../accounts/behaviour';
import {
	DEFAULT_MAX_RESULTS,
	LOOKUP_PATH,
	lookupAnswer,
	lookupRequest,
	type LeadRecord,
	type LookupAnswer,
	type LookupRequest,
	type LookupRow,
} from '../contract/schemas';
import { hasEmail, leadAt, leadOfRow, leadOfUrl } from '../data/leads';
import { endpoint } from './endpoint';
import type { Results } from './page';

/** Whether a lead is one of every `n`; none is without `n`. */
function isNth(lead: number, n: number | undefined): boolean {
	return n !== undefined && lead % n === 0;
}

/** The lead that is answered under a URL other than its own. */
function renamedLead(url: string, { renamesEvery }: Behaviour): number | undefined {
	const lead = leadOfUrl(url.replace(/-renamed$/, ''));
	return lead !== undefined && isNth(lead, renamesEvery) ? lead : undefined;
}

/**
 * The leads behind the URLs, in the order of the list, each once. `onlyWithEmails` looks at what
 * the service knows, whichever kinds of email the request wants to see.
 */
function found(request: LookupRequest, behaviour: Behaviour): Results {
	const leads = new Set<number>();
	const byUrl = request.linkedinUrls.map((url) => {
		const lead = leadOfUrl(url) ?? renamedLead(url, behaviour);
		if (lead === undefined || leads.has(lead) || leads.size === behaviour.leads) return [];
		if (request.onlyWithEmails !== false && !hasEmail(lead)) return [];
		leads.add(lead);
		return isNth(lead, behaviour.twoRowsEvery) ? [lead, ~lead] : [lead];
	});
	return behaviour.lookupPagesBy === 'urls' ? byUrl : byUrl.flat();
}

/** A lead's record, as the account is shown it. */
function recordOf(row: number, { renamesEvery }: Behaviour): LeadRecord {
	const lead = leadOfRow(row);
	const record = leadAt(lead);
	if (isNth(lead, renamesEvery)) record.linkedin_url += '-renamed';
	if (row === lead) return record;
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
export const lookup = endpoint({
	path: LOOKUP_PATH,
	admits: ['bearer:apiKey', 'bearer:sessionToken', 'xApiKey:apiKey'],
	perPage: 100,
	question: lookupRequest,
	answer: lookupAnswer,
	maxResults: ({ max_results, linkedinUrls }) =>
		max_results ?? (linkedinUrls.length || DEFAULT_MAX_RESULTS),
	estimatesTotal: false,
	results: found,
	reply: ({ rows, info }, request, behaviour): LookupAnswer => ({
		success: true,
		message: `Profiles found: ${rows.length}`,
		count: rows.length,
		data: rows.map((row) => lookupRow(recordOf(row, behaviour), request)),
		...info,
	}),
});
