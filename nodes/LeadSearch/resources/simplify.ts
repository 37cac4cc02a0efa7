import type { INodeProperties } from 'n8n-workflow';

import type { Json } from '../api/contract';
import { InvalidParameterError } from '../parameters/invalidParameter';
import { readList } from '../parameters/lists';
import { choice, toggle } from '../parameters/parameter';
import type { ParameterValues } from '../parameters/values';

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

/** Fields of a lead record, but for `raw` (contract, "Lead record"). */
export const ALL_LEAD_FIELDS = [
	...LEAD_FIELDS,
	'first_name',
	'last_name',
	'phone_status',
	'state',
	'linkedin_status',
	'facebook_status',
	'twitter_status',
] as const;

/** Fields of a lookup row (contract, "LinkedIn lookup row"). */
export const ALL_PROFILE_FIELDS = [
	...PROFILE_FIELDS,
	'first_name',
	'last_name',
	'personal_emails_count',
] as const;

/** What is emitted of a row: its most used fields, all of it, or these fields. */
export type RowForm = 'simplified' | 'raw' | readonly string[];

export const simplify = toggle({
	displayName: 'Simplify',
	name: 'simplify',
	displayOptions: { hide: { '@tool': [true] } },
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const output = choice({
	displayName: 'Output',
	name: 'output',
	displayOptions: { show: { '@tool': [true] } },
	options: [
		{ name: 'Simplified', value: 'simplified', description: 'The most used fields' },
		{ name: 'Raw', value: 'raw', description: 'All fields' },
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'The fields that you choose, and linkedin_url',
		},
	],
	default: 'simplified',
	description: 'What the tool returns. Fewer fields take fewer tokens of the model.',
});

/** The parameters that say which of the fields are emitted. */
export function rowFormProperties(fields: readonly string[]): INodeProperties[] {
	return [
		simplify.property,
		output.property,
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			options: [...fields].sort().map((field) => ({ name: field, value: field })),
			default: [],
			description: 'The fields to return, beside linkedin_url',
		},
	];
}

/**
 * Reads which fields of a row are emitted.
 *
 * @param simplified the most used fields
 * @throws InvalidParameterError
 */
export function readRowForm(values: ParameterValues, simplified: readonly string[]): RowForm {
	// A tool has the one, the node the other.
	if (!values.has(output.property.name)) return simplify.read(values) ? 'simplified' : 'raw';
	switch (output.read(values)) {
		case 'raw':
			return 'raw';
		case 'simplified':
			return simplified;
		case 'selectedFields': {
			const fields = readList(values.get('fields'));
			if (!fields?.length) {
				throw new InvalidParameterError(
					'Fields',
					'is empty',
					"Choose the fields to return, or set 'Output' to Simplified.",
				);
			}
			return [...new Set(['linkedin_url', ...fields])];
		}
	}
}

/**
 * Shapes a row for the output. Fields that the row doesn't have stay away; a row that has none of them is
 * put out whole: it was paid for.
 *
 * @param simplified the most used fields
 * @param includeRaw whether the field `raw` stays in a whole row
 */
export function shapeRow(
	row: Json,
	form: RowForm,
	simplified: readonly string[],
	includeRaw = true,
): Json {
	if (form === 'raw') return includeRaw ? row : withoutRaw(row);
	const picked: Json = {};
	let isEmpty = true;
	for (const field of form === 'simplified' ? simplified : form) {
		if (row[field] === undefined) continue;
		picked[field] = row[field];
		isEmpty = false;
	}
	return isEmpty ? row : picked;
}

function withoutRaw(row: Json): Json {
	return Object.fromEntries(Object.entries(row).filter(([field]) => field !== 'raw'));
}
