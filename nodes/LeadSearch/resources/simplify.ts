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
			// Not picked before they are kept, so that no other choice of fields is paid for again.
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

/** How rows are kept until they are emitted, and how they look in the output. */
export interface RowShapes {
	/** Tells forms in which rows are kept from each other. */
	name: 'whole' | 'simplified';
	keep: (row: Json) => Json;
	output: (row: Json, form: RowForm) => Json;
}

/**
 * Rows that all input items want simplified are kept so, which takes less memory; otherwise they are
 * kept whole.
 *
 * @param wanted the form that each of the input items wants
 * @param simplified the most used fields
 */
export function rowShapes(wanted: readonly RowForm[], simplified: readonly string[]): RowShapes {
	const whole = (row: Json) => row;
	if (wanted.every((form) => form === 'simplified')) {
		return { name: 'simplified', keep: (row) => pick(row, simplified), output: whole };
	}
	return {
		name: 'whole',
		keep: whole,
		output: (row, form) => {
			if (form === 'raw') return row;
			return pick(row, form === 'simplified' ? simplified : form);
		},
	};
}

/**
 * Picks fields of a row; those that the row doesn't have stay away. A row that has none of them is
 * emitted whole: it was paid for.
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
