/** The rows of the service, and how responses show them. */
import type { LeadRecord, LookupRequest, LookupRow, SearchRequest } from '../contract';
import type { State } from './model';
import type { Readings } from './readings';

/** A row of the service. */
export interface Row {
	/** Key for counting charges, from 0. The second row of a profile is charged separately, with the key `~id`. */
	readonly id: number;
	readonly record: LeadRecord;
	readonly raw?: Record<string, unknown>;
}

const RENAMED = '-renamed';

function isNth(id: number, every?: number): boolean {
	return every !== undefined && (id < 0 ? ~id : id) % every === 0;
}

/**
 * Returns the profiles that a lookup finds, deduplicated and in the order of the URLs. For pages that count URLs, each
 * entry is the array of a URL's rows. `onlyWithEmails` considers all emails of a profile, even kinds that aren't requested.
 */
export function findProfiles(
	{ profiles }: State,
	{ linkedinUrls, onlyWithEmails }: LookupRequest,
	{ lookUpPages, pageSize, profiles: { renamedEvery, twiceEvery } }: Readings,
): Array<Row | Row[]> {
	const seen = new Set<number>();
	const served = lookUpPages === 'firstUrls' && pageSize > 0 ? pageSize : linkedinUrls.length;
	const byUrl = linkedinUrls.slice(0, served).map((url): Row[] => {
		const renamed = url.endsWith(RENAMED) && profiles.get(url.slice(0, -RENAMED.length));
		const row =
			profiles.get(url) ?? (renamed && isNth(renamed.id, renamedEvery) ? renamed : undefined);
		if (row === undefined || seen.has(row.id)) return [];
		const { work_email, personal_emails } = row.record;
		const hasEmail = work_email !== null || personal_emails.length > 0;
		if (onlyWithEmails !== false && !hasEmail) return [];
		seen.add(row.id);
		const second = { id: ~row.id, record: { ...row.record, job_title: 'Former' } };
		return isNth(row.id, twiceEvery) ? [row, second] : [row];
	});
	return lookUpPages === 'urls' ? byUrl : byUrl.flat();
}

/** Returns a row of a lookup. `has_email` and `has_phone` describe this row, not the whole profile. */
export function lookUpRow(
	{ id, record }: Row,
	request: LookupRequest,
	{ profiles }: Readings,
): Partial<LookupRow> {
	const { full_name, first_name, last_name, job_title, company } = record;
	const work_email = request.includeWorkEmails === false ? null : record.work_email;
	const personal_emails = request.includePersonalEmails === false ? [] : record.personal_emails;
	const mobile_phone = request.includePhones === true ? record.mobile_phone : null;
	const suffix = isNth(id, profiles.renamedEvery) ? RENAMED : '';
	return {
		...(!isNth(id, profiles.withoutUrlEvery) && {
			linkedin_url: record.linkedin_url + suffix,
		}),
		full_name,
		first_name,
		last_name,
		job_title,
		company,
		work_email,
		personal_emails,
		personal_emails_count: personal_emails.length,
		has_email: work_email !== null || personal_emails.length > 0,
		mobile_phone,
		has_phone: mobile_phone !== null,
	};
}

/** Returns a row of a search. */
export function leadRow(row: Row, request: SearchRequest): LeadRecord {
	return {
		...row.record,
		...(request.include_emails === false && { work_email: null, personal_emails: [] }),
		...(request.include_phones !== true && { mobile_phone: null }),
		...(request._include_raw !== false && { raw: row.raw ?? {} }),
	};
}

/** Returns a row of a preview. Emails are masked (`j***@company.example`), so that a preview doesn't replace a search. */
export function previewRow({ record }: Row, { preview }: Readings): Partial<LeadRecord> {
	const { linkedin_url, work_email } = record;
	const maskedRow = { first_name: '***', last_name: '***', full_name: '***', work_email: null };
	if (preview.masks === 'all') return maskedRow;
	if (preview.masks === 'allButUrl') return { ...maskedRow, linkedin_url };
	const masked = work_email?.replace(/^(.)[^@]*/, '$1***') ?? null;
	return { ...record, work_email: masked, personal_emails: [], mobile_phone: null };
}
