/** The filters, as parameters for users and as fields of a request. */
import { jsonParse } from 'n8n-workflow';

import { isObject, type Json } from '../../api/contract';
import type { LabelledFilters } from '../../messages/hint';
import {
	InvalidParameterError,
	rejectMissingValue,
	rejectUndefined,
	formatValue,
} from '../../parameters/invalidParameter';
import { collectionValues, splitIntoWords } from '../../parameters/collections';
import { isSplitAtComma, readList } from '../../parameters/lists';
import {
	choice,
	notice,
	toProperties,
	type Parameter,
	type ParameterValues,
} from '../../parameters/parameter';

type Filter = Parameter<Json>;

/** The keys are fields of the contract ("Search filters"). */
const FILTER_LABELS = {
	job_titles: 'Job Titles',
	job_title_seniority: 'Job Title Seniority',
	person_location_country: 'Person Country',
} as const;

const KNOWN_FIELDS = [...Object.keys(FILTER_LABELS), 'email_status'];

function listFilter(field: keyof typeof FILTER_LABELS, example: string, meaning: string): Filter {
	const displayName = FILTER_LABELS[field];
	return {
		property: {
			displayName,
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: `e.g. ${example}`,
			description: `${meaning}. Separate values by commas, write one per line, or use an array from an expression. Put a value that contains a comma in quotes.`,
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
		'How certain the email address of a lead must be. Count and Preview ignore this filter.',
});
const emailStatus: Filter = {
	property: status.property,
	read: (value, others) => ({ email_status: status.read(value, others) }),
};

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
			"Further filter fields of the service, as a JSON object that is sent as it is. These fields can't override paging or limits.",
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
		// An object's prototype is not a filter.
		const fields = Object.entries(parsed).filter(([field]) => field !== '__proto__');
		for (const [field, set] of fields) {
			rejectField(field);
			rejectMissingValues(field, set);
		}
		return Object.fromEntries(fields.filter(([, set]) => !isEmpty(set)));
	},
};

function rejectField(field: string): void {
	const lettersOf = (name: string) => splitIntoWords(name).join('');
	const isSameName = (name: string) => lettersOf(name) === lettersOf(field);
	if (RESERVED_FIELDS.some(isSameName)) {
		throw new InvalidParameterError(
			OTHER_FILTERS,
			`can't set '${field}'`,
			`Remove '${field}' from the filter: 'Return All', 'Limit' and 'Options' set it.`,
		);
	}
	const correctName = KNOWN_FIELDS.find(isSameName);
	if (correctName === undefined || correctName === field) return;
	throw new InvalidParameterError(
		OTHER_FILTERS,
		`sets '${field}', a name that the service does not know`,
		`Write '${correctName}', or use the node's own filter for it.`,
	);
}

/** An expression returns such a value if the input item lacks a field. */
function rejectMissingValues(field: string, set: unknown): void {
	const sets = `sets '${field}' to`;
	if (set === undefined) rejectUndefined(OTHER_FILTERS, `${sets} an expression that`);
	if (typeof set === 'string') rejectMissingValue(OTHER_FILTERS, set, sets);
	if (typeof set === 'object' && set !== null)
		for (const inner of Object.values(set)) rejectMissingValues(field, inner);
}

/** n8n requires that they are sorted by label. */
const FILTERS: Record<string, Filter> = {
	emailStatus,
	jobTitleSeniority: listFilter(
		'job_title_seniority',
		'owner, cxo',
		'Levels of seniority. The known values are owner and cxo; the service may accept more. To find one title only, such as CEO, use Job Titles',
	),
	jobTitles: listFilter(
		'job_titles',
		'Head of Marketing, Marketing Manager',
		'Words that job titles contain',
	),
	otherFilters,
	personLocationCountry: listFilter(
		'person_location_country',
		'United States, Germany',
		'Countries in which the people are located',
	),
};

/** The names and labels of the filters whose values can be separated by commas. */
export const LIST_FILTERS = Object.entries(FILTERS)
	.filter(([, { property }]) => property.type === 'string')
	.map(([name, { property }]) => [name, property.displayName] as const);

const LABELS: ReadonlyMap<string, string> = new Map([
	...Object.entries(FILTER_LABELS),
	['email_status', status.property.displayName],
]);

/**
 * Returns the filters that narrow the search, with their labels. A filter without a parameter of its own has the name
 * of its field as its label.
 */
export function labelFilters(filters: Json): LabelledFilters {
	return Object.entries(filters)
		.filter(([field, value]) => isNarrowing({ [field]: value }))
		.map(([field, value]) => [LABELS.get(field) ?? field, value]);
}

const label = 'Filters';

/** n8n itself doesn't say that an agent can set only these filters. */
export const filterNotice = notice(
	"The agent can set only the filters that you add. Add a filter, then click 'Let the model define this parameter' next to it.",
	{ show: { '@tool': [true] } },
);

/**
 * The parameter Filters, which is read into fields of a request. All operations on leads have the same filters, because
 * n8n deletes the filters that a newly chosen operation doesn't have.
 */
export const leadFilters: Filter = {
	property: {
		displayName: label,
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Which leads to find. A paid search needs at least one other than Email Status.',
		options: toProperties(FILTERS),
	},
	read: (value) => readFilters(collectionValues(value, { label, fields: FILTERS })),
};

/** Returns the fields of a request. An empty filter is left out: a field of a form can have been left empty. */
function readFilters(values: ParameterValues): Json {
	const fields: Json = {};
	for (const [name, filter] of Object.entries(FILTERS)) {
		if (!values.has(name)) continue;
		const { displayName: label } = filter.property;
		const value = values.get(name);
		if (value === undefined) rejectUndefined(label);
		const newFields = filter.read(value, values);
		const duplicate = Object.keys(newFields).find((field) => Object.hasOwn(fields, field));
		if (duplicate !== undefined) {
			throw new InvalidParameterError(
				OTHER_FILTERS,
				`sets '${duplicate}', which another filter already sets`,
				`Remove '${duplicate}' from one of the two filters.`,
			);
		}
		Object.assign(fields, newFields);
	}
	return fields;
}

/** Returns the lists that commas without quotes separate into several values, with the labels of their filters. */
export function findSplitLists(values: ParameterValues): LabelledFilters {
	const written = values.get('filters');
	return LIST_FILTERS.flatMap(([name, label]) => {
		const value = isObject(written) ? written[name] : undefined;
		const list = isSplitAtComma(value) ? readList(label, value) : [];
		return list.length > 1 ? [[label, list] as const] : [];
	});
}

/** Whether there is a filter that a paid search accepts: any except Email Status. */
export const hasFilter = (filters: Json): boolean => !isEmpty(previewFilters(filters));

/**
 * Thrown before a paid search without a filter, which would buy from the whole database. An expression that returns {},
 * or arguments that a model left out, can lose the filters.
 */
export class NoFilterError extends InvalidParameterError {
	constructor() {
		super(
			label,
			'contains no filter',
			"Set at least one (Email Status alone isn't enough). Count and Preview work without one, for free.",
		);
	}

	override messageAt(location: string): string {
		return `No filter is set${location}, so the whole database matches`;
	}
}

/** Returns the filters without Email Status, which a preview doesn't accept. */
export function previewFilters(filters: Json): Json {
	const isSent = ([field, value]: [string, unknown]) =>
		field !== 'email_status' && value !== undefined;
	return Object.fromEntries(Object.entries(filters).filter(isSent));
}

export const hasEmailStatus = ({ email_status: value }: Json): boolean =>
	!isEmpty(value) && value !== 'all';

/**
 * Whether fields narrow a search. Any value of Other Filters (JSON) that isn't empty counts, because the node can't
 * know whether the service uses its field.
 */
function isNarrowing(fields: Json): boolean {
	return !isEmpty(previewFilters(fields)) || hasEmailStatus(fields);
}

function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (typeof value !== 'object') return value === undefined;
	return value === null || Object.values(value).every(isEmpty);
}
