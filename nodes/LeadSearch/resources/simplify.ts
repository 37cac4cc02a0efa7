/** Selects the fields of a row that are returned. */
import { deepCopy } from 'n8n-workflow';

import type { Json } from '../api/contract';
import { InvalidParameterError } from '../parameters/invalidParameter';
import { readList } from '../parameters/lists';
import { choice, toggle, type Parameter } from '../parameters/parameter';

/**
 * The fields of an item, in order. An item starts as a copy of this row. Adding fields to an empty object one by one
 * takes ten times as long in n8n's process.
 */
type EmptyRow = Readonly<Record<string, null>>;

/**
 * The selected fields, whose arrays become strings such as 'a@example.com, b@example.com'. 'raw' selects all fields,
 * unchanged.
 */
export type OutputFields = EmptyRow | 'raw';

function emptyRow(fields: readonly string[]): EmptyRow {
	const row: Record<string, null> = {};
	for (const field of fields) row[field] = null;
	return row;
}

/**
 * The fields of a lead that Simplify returns, out of those in section "Lead record" of the contract. A table shows only
 * its first columns without scrolling, so the fields that users pay for come first.
 */
export const LEAD_FIELDS = emptyRow([
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
]);

/** The fields of a profile that Simplify returns, out of those in section "LinkedIn lookup row" of the contract. */
export const PROFILE_FIELDS = emptyRow([
	'full_name',
	'work_email',
	'job_title',
	'company',
	'linkedin_url',
	'personal_emails',
	'mobile_phone',
	'first_name',
	'last_name',
]);

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

/**
 * Declares the parameters by which users select fields. n8n's guidelines require 'Simplify' for a node, and 'Output'
 * with 'Fields' for a tool. `simplify.read` reads all three.
 */
function outputFieldParameters(simplified: EmptyRow, otherFields: string[]) {
	const fields: Parameter<string[]> = {
		property: {
			displayName: 'Fields',
			type: 'multiOptions',
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			options: [...Object.keys(simplified), ...otherFields]
				.sort()
				.map((field) => ({ name: field, value: field })),
			default: [],
			description: 'The fields to return, in addition to linkedin_url',
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
			if (selected.length > 0) return emptyRow(['linkedin_url', ...selected]);
			throw new InvalidParameterError(
				'Fields',
				'is empty',
				"Choose the fields to return, or set 'Output' to Simplified.",
			);
		},
	};
	return { simplify, output, fields };
}

export const leadOutput = outputFieldParameters(LEAD_FIELDS, [
	'email_status',
	'phone_status',
	'city',
	'state',
	'linkedin_status',
	'facebook_status',
	'twitter_status',
]);

export const profileOutput = outputFieldParameters(PROFILE_FIELDS, [
	'personal_emails_count',
	'has_email',
	'has_phone',
]);

/**
 * Returns a copy of a row with the selected fields, which later nodes can change. If the row has none of them, it is
 * returned whole, because it was paid for. If all fields are selected, `includeRaw` is whether the original fields
 * under `row.raw` are included.
 */
export function shapeRow(row: Json, fields: OutputFields, includeRaw = true): Json {
	if (fields !== 'raw') {
		const selected = selectFields(row, fields);
		if (Object.keys(selected).length > 0) return selected;
	}
	const copy: Json = {};
	for (const field in row)
		if (includeRaw || fields !== 'raw' || field !== 'raw') copy[field] = copyOf(row[field]);
	return copy;
}

function selectFields(row: Json, fields: EmptyRow): Json {
	const copy: Json = { ...fields };
	for (const field in fields) {
		const value = row[field];
		if (value === undefined) Reflect.deleteProperty(copy, field);
		else copy[field] = toPlainValue(value);
	}
	return copy;
}

/** n8n's deepCopy takes several times as long, and most values are strings or null. */
function copyOf(value: unknown): unknown {
	return typeof value === 'object' && value !== null ? deepCopy(value) : value;
}

/** n8n's Data Table and Google Sheets reject arrays, so an array becomes a string, or null if it is empty. */
function toPlainValue(value: unknown): unknown {
	if (!Array.isArray(value)) return copyOf(value);
	return value.length > 0 ? value.join(', ') : null;
}

const WITHOUT_PHONE = new Map<OutputFields, OutputFields>(
	[LEAD_FIELDS, PROFILE_FIELDS].map((fields) => {
		const names = Object.keys(fields).filter((field) => field !== 'mobile_phone');
		return [fields, emptyRow(names)];
	}),
);

/** Removes the phone from the fields of Simplify if no phones are requested, because the service returns none then. */
export function fieldsWithoutPhone(fields: OutputFields, includesPhones: boolean): OutputFields {
	return includesPhones ? fields : (WITHOUT_PHONE.get(fields) ?? fields);
}

/** Adds a profile to an input item. If both have a field, the profile's value is used unless it is empty. */
export function addFields(input: Json, profile: Json): Json {
	const isAdded = ([field, value]: [string, unknown]) =>
		!Object.hasOwn(input, field) || !isBlank(value);
	return { ...input, ...Object.fromEntries(Object.entries(profile).filter(isAdded)) };
}

function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	return value === undefined || value === null || (Array.isArray(value) && value.every(isBlank));
}
