/** The simplified version of a row: at most 10 fields, the most used first. */
import type { Json } from '../service/contract';

/** Fields of a lead record that people use most (contract, "Lead record"). */
export const LEAD_FIELDS = [
	'full_name',
	'job_title',
	'company',
	'work_email',
	'email_status',
	'linkedin_url',
	'city',
	'country',
	'mobile_phone',
	'personal_emails',
] as const;

/** Fields of a lookup row that people use most (contract, "LinkedIn lookup row"). */
export const PROFILE_FIELDS = [
	'linkedin_url',
	'full_name',
	'work_email',
	'personal_emails',
	'mobile_phone',
	'job_title',
	'company',
	'has_email',
	'has_phone',
] as const;

/**
 * Picks fields of a row; those that the row doesn't have stay away. A row that has none of them is
 * handed on whole: it was paid for.
 */
export function pick(row: Json, fields: readonly string[]): Json {
	const picked: Json = {};
	let isEmpty = true;
	for (const field of fields) {
		if (row[field] === undefined) continue;
		picked[field] = row[field];
		isEmpty = false;
	}
	return isEmpty ? row : picked;
}
