/** Which fields of a row come out. */
import { deepCopy } from 'n8n-workflow';

import type { Json } from '../api/contract';
import { InvalidParameterError } from '../parameters/invalidParameter';
import { readList } from '../parameters/lists';
import { choice, toggle, type Parameter } from '../parameters/parameter';

/**
 * The most used fields of a lead record (contract, "Lead record"). The first columns are all that a table shows without
 * scrolling, so the fields that users pay for come first.
 */
export const LEAD_FIELDS = [
	'full_name',
	'work_email',
	'job_title',
	'company',
	'linkedin_url',
	'country',
	'personal_emails',
	'mobile_phone',
	'first_name',
	'last_name',
] as const;

/** The most used fields of a lookup row (contract, "LinkedIn lookup row"), in the same order as for leads. */
export const PROFILE_FIELDS = [
	'full_name',
	'work_email',
	'job_title',
	'company',
	'linkedin_url',
	'personal_emails',
	'mobile_phone',
	'first_name',
	'last_name',
] as const;

/** What comes out of a row: these of its fields, as plain values, or all as they are. */
export type OutputFields = readonly string[] | 'raw';

const isSimplified = toggle(
	'Simplify',
	true,
	'Whether to return a simplified version of the response instead of the raw data',
	{ hide: { '@tool': [true] } },
);

const output = choice({
	displayName: 'Output',
	displayOptions: { show: { '@tool': [true] } },
	options: [
		{ name: 'Simplified', value: 'simplified', description: 'The most used fields' },
		{ name: 'Raw', value: 'raw', description: 'All fields' },
		{ name: 'Selected Fields', value: 'selectedFields', description: 'The fields you choose' },
	],
	default: 'simplified',
	description: 'What the tool returns. Fewer fields take fewer tokens of the model.',
});

/** Simplify of the node, and what a tool has instead, by n8n's guidelines: `simplify` reads all three. */
function outputFieldParameters(simplified: readonly string[], further: string[]) {
	const fields: Parameter<string[]> = {
		property: {
			displayName: 'Fields',
			type: 'multiOptions',
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			options: [...simplified, ...further].sort().map((field) => ({ name: field, value: field })),
			default: [],
			description: 'The fields to return, beside linkedin_url',
		},
		read: (value) => readList('Fields', value),
	};
	const simplify: Parameter<OutputFields> = {
		property: isSimplified.property,
		read(value, others) {
			if (!others.has('output')) return isSimplified.read(value, others) ? simplified : 'raw';
			const chosen = output.read(others.get('output'), others);
			if (chosen !== 'selectedFields') return chosen === 'raw' ? chosen : simplified;
			const selected = fields.read(others.get('fields'), others);
			if (selected.length > 0) return [...new Set(['linkedin_url', ...selected])];
			throw new InvalidParameterError(
				'Fields',
				'is empty',
				"Choose the fields to return, or set 'Output' to Simplified.",
			);
		},
	};
	return { simplify, output, fields };
}

/** The parameters that say which fields of a lead come out. */
export const leadOutput = outputFieldParameters(LEAD_FIELDS, [
	'email_status',
	'phone_status',
	'city',
	'state',
	'linkedin_status',
	'facebook_status',
	'twitter_status',
]);

/** The same for profiles. */
export const profileOutput = outputFieldParameters(PROFILE_FIELDS, [
	'personal_emails_count',
	'has_email',
	'has_phone',
]);

/**
 * @param includeRaw whether the field `raw` stays in a whole row
 * @returns what comes out of a row, for later nodes to change: all of it where it has none of the fields, since it was paid for
 */
export function shapeRow(row: Json, form: OutputFields, includeRaw = true): Json {
	const copy: Json = {};
	if (form !== 'raw')
		for (const field of form) {
			const value = row[field];
			if (value !== undefined) copy[field] = toPlainValue(value);
		}
	if (form === 'raw' || Object.keys(copy).length === 0)
		for (const field in row)
			if (includeRaw || form !== 'raw' || field !== 'raw') copy[field] = copyOf(row[field]);
	return copy;
}

/** Most values are text, and n8n's own copy takes several times as long. */
function copyOf(value: unknown): unknown {
	return typeof value === 'object' ? deepCopy(value) : value;
}

/** Tables of all kinds take a text where they refuse a list. */
function toPlainValue(value: unknown): unknown {
	if (!Array.isArray(value)) return copyOf(value);
	return value.length > 0 ? value.join(', ') : null;
}

/** @returns the same without the phone, unless phones were requested: none came, whoever has a phone */
export function fieldsWithoutPhone(form: OutputFields, includesPhones: boolean): OutputFields {
	const isPreset = form === LEAD_FIELDS || form === PROFILE_FIELDS;
	if (form === 'raw' || includesPhones || !isPreset) return form;
	return form.filter((field) => field !== 'mobile_phone');
}

/** @returns an input item with the fields of a profile, which win where they hold something: else they would erase */
export function addFields(input: Json, profile: Json): Json {
	const holds = ([field, value]: [string, unknown]) =>
		!Object.hasOwn(input, field) || !isBlank(value);
	return { ...input, ...Object.fromEntries(Object.entries(profile).filter(holds)) };
}

function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	return value === undefined || value === null || (Array.isArray(value) && value.every(isBlank));
}
