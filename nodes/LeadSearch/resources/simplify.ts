import type { Json } from '../api/contract';

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

/** How rows are kept until they are put out, and how they look in the output. */
export interface RowShapes {
	/** Tells forms in which rows are kept from each other. */
	name: 'whole' | 'simplified';
	keep: (row: Json) => Json;
	output: (row: Json, isSimplified: boolean) => Json;
}

/**
 * Rows that are wanted in one form alone are kept in it, which takes less memory; where some input
 * items want them simplified and others not, they are kept whole.
 *
 * @param wanted whether each of the input items wants them simplified
 */
export function rowShapes(wanted: readonly boolean[], fields: readonly string[]): RowShapes {
	const whole = (row: Json) => row;
	const simplified = (row: Json) => pick(row, fields);
	if (new Set(wanted).size > 1) {
		return {
			name: 'whole',
			keep: whole,
			output: (row, isSimplified) => (isSimplified ? simplified(row) : row),
		};
	}
	return wanted[0]
		? { name: 'simplified', keep: simplified, output: whole }
		: { name: 'whole', keep: whole, output: whole };
}

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
