/** Which fields of a row come out. */
import type { Json } from '../api/contract';
import { InvalidParameterError } from '../parameters/invalidParameter';
import { readList } from '../parameters/lists';
import { choice, toggle, type Parameter } from '../parameters/parameter';

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

/** The other fields of a lead record, but for `raw` (contract, "Lead record"). */
const FURTHER_LEAD_FIELDS = [
	'first_name',
	'last_name',
	'phone_status',
	'state',
	'linkedin_status',
	'facebook_status',
	'twitter_status',
];

/** The other fields of a lookup row (contract, "LinkedIn lookup row"). */
const FURTHER_PROFILE_FIELDS = ['first_name', 'last_name', 'personal_emails_count'];

/** What comes out of a row: these of its fields, or all. */
export type RowForm = readonly string[] | 'raw';

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
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'The fields that you choose, and linkedin_url',
		},
	],
	default: 'simplified',
	description: 'What the tool returns. Fewer fields take fewer tokens of the model.',
});

/** Simplify of the node, and what a tool has instead, by n8n's guidelines. All three are read as one. */
function rowForm(simplified: readonly string[], further: readonly string[]) {
	const simplify: Parameter<RowForm> = {
		property: isSimplified.property,
		read(values, name) {
			if (!values.has('output')) return isSimplified.read(values, name) ? simplified : 'raw';
			const chosen = output.read(values, 'output');
			if (chosen !== 'selectedFields') return chosen === 'raw' ? chosen : simplified;
			const selected = readList(values.get('fields')) ?? [];
			if (selected.length > 0) return [...new Set(['linkedin_url', ...selected])];
			throw new InvalidParameterError(
				'Fields',
				'is empty',
				"Choose the fields to return, or set 'Output' to Simplified.",
			);
		},
	};
	const fields: Parameter<undefined> = {
		property: {
			displayName: 'Fields',
			type: 'multiOptions',
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			options: [...simplified, ...further].sort().map((field) => ({ name: field, value: field })),
			default: [],
			description: 'The fields to return, beside linkedin_url',
		},
		read: () => undefined,
	};
	return { simplify, output: { ...output, read: () => undefined }, fields };
}

/** The parameters that say which fields of a lead come out; `simplify` is read as what they come to. */
export const leadForm = rowForm(LEAD_FIELDS, FURTHER_LEAD_FIELDS);

/** The same for profiles. */
export const profileForm = rowForm(PROFILE_FIELDS, FURTHER_PROFILE_FIELDS);

/**
 * Shapes a row for the output; the row itself stays as it is. Fields that it doesn't have stay away; of
 * one that has none of them all comes out: it was paid for.
 *
 * @param includeRaw whether the field `raw` stays in a whole row
 */
export function shapeRow(row: Json, form: RowForm, includeRaw = true): Json {
	const shaped: Json = {};
	let isEmpty = true;
	for (const field of form === 'raw' ? [] : form) {
		if (row[field] === undefined) continue;
		shaped[field] = row[field];
		isEmpty = false;
	}
	if (!isEmpty) return shaped;
	if (form !== 'raw' || includeRaw) return { ...row };
	return Object.fromEntries(Object.entries(row).filter(([field]) => field !== 'raw'));
}
