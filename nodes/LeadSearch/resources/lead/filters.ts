/** The audience: filters as people set them, and as the service takes them. */
import { jsonParse } from 'n8n-workflow';

import { isObject, type Json } from '../../api/contract';
import type { LabelledFilters } from '../../messages/hints';
import {
	InvalidParameterError,
	rejectMissingValue,
	rejectUndefined,
	formatValue,
} from '../../parameters/invalidParameter';
import { collectionValues, splitIntoWords } from '../../parameters/collections';
import { readList } from '../../parameters/lists';
import {
	choice,
	notice,
	toProperties,
	type Parameter,
	type ParameterValues,
} from '../../parameters/parameter';

type Filter = Parameter<Json>;

/** The contract's filters ("Search filters"), which have parameters of their own, with their labels. */
const FILTER_LABELS = {
	job_titles: 'Job Titles',
	job_title_seniority: 'Job Title Seniority',
	person_location_country: 'Person Country',
} as const;

const FILTER_FIELDS = Object.keys(FILTER_LABELS);

function listFilter(field: keyof typeof FILTER_LABELS, example: string, what: string): Filter {
	const displayName = FILTER_LABELS[field];
	return {
		property: {
			displayName,
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: `e.g. ${example}`,
			description: `${what}. Comma-separated or one per line, or an array from an expression. A value that holds a comma stands in quotes.`,
		},
		read(value) {
			const texts = readList(displayName, value);
			return texts.length > 0 ? { [field]: texts } : {};
		},
	};
}

const status = choice({
	displayName: 'Email Status',
	options: [
		{ name: 'All', value: 'all' },
		{ name: 'Likely', value: 'likely' },
		{ name: 'Verified', value: 'verified' },
	],
	default: 'all',
	description:
		"How sure the email address of a lead has to be. Count and Preview can't tell, and show leads of any.",
});
const emailStatus: Filter = {
	property: status.property,
	read: (value, others) => ({ email_status: status.read(value, others) }),
};

/** Fields of a request that the node's other parameters set; filters can't override them. */
const RESERVED_FIELDS = [
	'_page',
	'_per_page',
	'max_results',
	'_include_raw',
	'include_emails',
	'include_phones',
];

const OTHER_FILTERS = 'Other Filters (JSON)';

const otherFilters: Filter = {
	property: {
		displayName: OTHER_FILTERS,
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"company_size": ["11-50"]}',
		description:
			"Further filter fields of the service as a JSON object, sent as is. It can't override paging or limits.",
	},
	read(value) {
		const text = value === null ? '' : value;
		const parsed: unknown =
			typeof text === 'string' ? jsonParse(text.trim() || '{}', { fallbackValue: null }) : text;
		if (!isObject(parsed)) {
			throw new InvalidParameterError(
				OTHER_FILTERS,
				`is ${formatValue(value)}, not a JSON object`,
				'Write an object with double quotes around names and texts, e.g. {"company_size": ["11-50"]}.',
			);
		}
		// A prototype is no filter, whatever its fields.
		const fields = Object.entries(parsed).filter(([field]) => field !== '__proto__');
		for (const [field, set] of fields) {
			rejectField(field);
			refuseNothing(field, set);
		}
		return Object.fromEntries(fields.filter(([, set]) => !isEmpty(set)));
	},
};

/** @throws InvalidParameterError for a field that other parameters set, and a misspelt field of the contract */
function rejectField(field: string): void {
	if (RESERVED_FIELDS.includes(field)) {
		throw new InvalidParameterError(
			OTHER_FILTERS,
			`can't set '${field}'`,
			`Take '${field}' out: 'Return All', 'Limit' and the options say what is fetched.`,
		);
	}
	const lettersOf = (name: string) => splitIntoWords(name).join('');
	const meant = FILTER_FIELDS.find((name) => lettersOf(name) === lettersOf(field));
	if (meant === undefined || meant === field) return;
	throw new InvalidParameterError(
		OTHER_FILTERS,
		`sets '${field}', a name that the service does not know`,
		`Write '${meant}', or use the filter that the node has for it.`,
	);
}

/** @param set the value of a field, or what is in it, at any depth @throws InvalidParameterError */
function refuseNothing(field: string, set: unknown): void {
	const sets = `sets '${field}' to`;
	if (set === undefined) rejectUndefined(OTHER_FILTERS, `${sets} an expression that`);
	if (typeof set === 'string') rejectMissingValue(OTHER_FILTERS, set, sets);
	if (typeof set === 'object' && set !== null)
		for (const inner of Object.values(set)) refuseNothing(field, inner);
}

/** In the order of their labels, as n8n wants them. */
const FILTERS: Record<string, Filter> = {
	emailStatus,
	jobTitleSeniority: listFilter(
		'job_title_seniority',
		'owner, cxo',
		'Levels of seniority. The known values are owner and cxo; the service may accept more',
	),
	jobTitles: listFilter(
		'job_titles',
		'Head of Marketing, Marketing Manager',
		'Terms to find in job titles',
	),
	otherFilters,
	personLocationCountry: listFilter(
		'person_location_country',
		'United States, Germany',
		'Names of the countries where the people are',
	),
};

const LABELS: ReadonlyMap<string, string> = new Map([
	...Object.entries(FILTER_LABELS),
	['email_status', status.property.displayName],
]);

/** Filters that leave anybody out, by the names that people know. @param filters by the contract's names */
export function labelFilters(filters: Json): LabelledFilters {
	return Object.entries(filters)
		.filter(([field, value]) => isNarrowing({ [field]: value }))
		.map(([field, value]) => [LABELS.get(field) ?? field, value]);
}

const label = 'Filters';

/** An agent's tool has no parameters for filters that aren't added, and n8n says nothing about that. */
export const filterNotice = notice(
	"The agent can set only the filters that you add. Add a filter, then click 'Let the model define this parameter' next to it.",
	{ show: { '@tool': [true] } },
);

/** The Filters parameter, read as fields of a request; the same everywhere, since n8n drops what another operation lacks. */
export const leadFilters: Filter = {
	property: {
		displayName: label,
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Who to look for. Without a filter, the whole database matches.',
		options: toProperties(FILTERS),
	},
	read: (value) => readFilters(collectionValues(value, { label, fields: FILTERS })),
};

/**
 * One that is empty or null counts as none, as form fields that are left open do, unless then nothing narrows
 * the search: only Filters without any ask for the whole database. @throws InvalidParameterError
 */
function readFilters(values: ParameterValues): Json {
	const fields: Json = {};
	let empty: string | undefined;
	for (const [name, filter] of Object.entries(FILTERS)) {
		if (!values.has(name)) continue;
		const { displayName: label } = filter.property;
		const value = values.get(name);
		if (value === undefined) rejectUndefined(label);
		const added = filter.read(value, values);
		if (!isNarrowing(added) && filter !== emailStatus) empty ??= label;
		const twice = Object.keys(added).find((field) => Object.hasOwn(fields, field));
		if (twice !== undefined) {
			throw new InvalidParameterError(
				OTHER_FILTERS,
				`sets '${twice}', which another filter sets already`,
				`Take '${twice}' out of one of the two.`,
			);
		}
		Object.assign(fields, added);
	}
	if (empty === undefined || isNarrowing(previewFilters(fields))) return fields;
	throw new InvalidParameterError(
		empty,
		'is empty, and no other filter is left',
		`That would match the whole database. Give '${empty}' a value, or remove all filters if that is meant.`,
	);
}

/** @throws InvalidParameterError so that no agent buys from the whole database for want of a filter */
export function requireFilter(filters: Json): void {
	// What other fields mean to the service is not known here.
	if (FILTER_FIELDS.some((field) => !isEmpty(filters[field]))) return;
	throw new InvalidParameterError(
		'Filters',
		'holds no filter, so a search would buy from the whole database',
		"Set 'Job Titles', 'Job Title Seniority' or 'Person Country'. Count and Preview are free without any.",
	);
}

/** The same in an expression of n8n, of what is written: what an expression comes to isn't known before a run. */
export const HAS_NO_FILTER =
	'!Object.entries($rawParameter["filters"] ?? {}).some(([name, value]) => name !== "emailStatus" && !["", "{}"].includes(String(value ?? "").trim()))';

/** What a preview takes: it knows no Email Status. */
export function previewFilters(filters: Json): Json {
	const isSent = ([field, value]: [string, unknown]) =>
		field !== 'email_status' && value !== undefined;
	return Object.fromEntries(Object.entries(filters).filter(isSent));
}

/** Whether fields hold an Email Status that leaves anybody out. */
export const hasEmailStatus = ({ email_status: value }: Json): boolean =>
	!isEmpty(value) && value !== 'all';

/** Whether fields leave anybody out, as far as can be told from here. */
export function isNarrowing(fields: Json): boolean {
	return !isEmpty(previewFilters(fields)) || hasEmailStatus(fields);
}

function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (typeof value !== 'object') return value === undefined || value === false;
	return value === null || Object.values(value).every(isEmpty);
}
