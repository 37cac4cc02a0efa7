/** The rows that a service has, and what of them its answers show. */
import type { LeadRecord, LookupRequest, LookupRow, SearchRequest } from '../contract';
import type { State } from './model';
import type { Readings } from './readings';

export interface Row {
	/** What charges are counted by, from 0. The second row of a profile has `~id`: it is another thing. */
	readonly id: number;
	readonly record: LeadRecord;
	readonly raw?: Record<string, unknown>;
}

const RENAMED = '-renamed';

function isNth(id: number, every?: number): boolean {
	return every !== undefined && (id < 0 ? ~id : id) % every === 0;
}

/**
 * What a lookup finds, each profile once, in the order of the URLs: places of rows, or of URLs,
 * each with its rows. `onlyWithEmails` looks at what is known, whichever kinds of email are asked
 * for.
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

/** A row of a lookup. `has_email` and `has_phone` speak of the row, not of what was left out of it. */
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
		...{ full_name, first_name, last_name, job_title, company, work_email, personal_emails },
		personal_emails_count: personal_emails.length,
		has_email: work_email !== null || personal_emails.length > 0,
		mobile_phone,
		has_phone: mobile_phone !== null,
	};
}

export function leadRow(row: Row, request: SearchRequest): LeadRecord {
	return {
		...row.record,
		...(request.include_emails === false && { work_email: null, personal_emails: [] }),
		...(request.include_phones !== true && { mobile_phone: null }),
		...(request._include_raw !== false && { raw: row.raw ?? {} }),
	};
}

/** A row of a preview: `j***@company.example`, as it is no way around paying. */
export function previewRow({ record }: Row, { preview }: Readings): Partial<LeadRecord> {
	const { linkedin_url, work_email } = record;
	const maskedRow = { first_name: '***', last_name: '***', full_name: '***', work_email: null };
	if (preview.masks === 'all') return maskedRow;
	if (preview.masks === 'allButUrl') return { ...maskedRow, linkedin_url };
	const masked = work_email?.replace(/^(.)[^@]*/, '$1***') ?? null;
	return { ...record, work_email: masked, personal_emails: [], mobile_phone: null };
}
