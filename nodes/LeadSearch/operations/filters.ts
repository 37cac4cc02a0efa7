/** The audience: filters as people set them, and as the service takes them. */
import type { INodeProperties } from 'n8n-workflow';

import type { Json } from '../service/contract';
import { BadParameter, show } from './itemParameters';
import { readList } from './lists';

/** What the node itself says to the service, by its options; filters can't override it. */
const OURS = [
	'_page',
	'_per_page',
	'max_results',
	'_include_raw',
	'include_emails',
	'include_phones',
];

/** Lists among the filters, and the contract's names for them ("Search filters"). */
const LISTS = [
	{ name: 'jobTitles', label: 'Job Titles', field: 'job_titles' },
	{ name: 'jobTitleSeniority', label: 'Job Title Seniority', field: 'job_title_seniority' },
	{ name: 'personLocationCountry', label: 'Person Country', field: 'person_location_country' },
] as const;

/**
 * Turns the Filters parameter into fields of a request.
 *
 * @throws BadParameter for a list or Other Filters (JSON) that can't be read, or that sets a field
 * which the node sets itself
 */
export function readFilters(filters: Json): Json {
	const fields: Json = {};
	for (const { name, label, field } of LISTS) {
		const values = readFilterList(label, filters[name]);
		if (values.length > 0) fields[field] = values;
	}
	if (typeof filters.emailStatus === 'string' && filters.emailStatus !== '') {
		fields.email_status = filters.emailStatus;
	}
	const others = readOtherFilters(filters.otherFilters);
	const twice = Object.keys(others).find((name) => Object.hasOwn(fields, name));
	if (twice !== undefined) {
		throw new BadParameter(
			OTHER_FILTERS,
			`sets '${twice}', which another filter sets already`,
			`Take '${twice}' out of one of the two.`,
		);
	}
	return { ...fields, ...others };
}

const OTHER_FILTERS = 'Other Filters (JSON)';

function readFilterList(label: string, value: unknown): string[] {
	const values = readList(value);
	if (values) return values;
	throw new BadParameter(
		label,
		'holds a value that is neither text nor a number',
		'Write the values comma-separated or one per line, or give an array of texts.',
	);
}

function readOtherFilters(value: unknown): Json {
	if (value === undefined || value === null || value === '') return {};
	const parsed = typeof value === 'string' ? parse(value) : value;
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new BadParameter(
			OTHER_FILTERS,
			`is ${show(value)}, not a JSON object`,
			'Write an object with double quotes around names and texts, e.g. {"company_size": ["11-50"]}.',
		);
	}
	const taken = OURS.find((name) => Object.hasOwn(parsed, name));
	if (taken !== undefined) {
		throw new BadParameter(
			OTHER_FILTERS,
			`can't set '${taken}'`,
			`Take '${taken}' out: 'Return All', 'Limit' and the options say what is fetched.`,
		);
	}
	return parsed as Json;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const listHint = 'Comma-separated or one per line, or an array from an expression';

const listFilters: INodeProperties[] = [
	{
		displayName: 'Job Title Seniority',
		name: 'jobTitleSeniority',
		type: 'string',
		default: '',
		placeholder: 'e.g. owner, cxo',
		description: `Levels of seniority. ${listHint}.`,
	},
	{
		displayName: 'Job Titles',
		name: 'jobTitles',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Head of Marketing, Marketing Manager',
		description: `Terms to find in job titles. ${listHint}.`,
	},
];

const otherFilters: INodeProperties = {
	displayName: 'Other Filters (JSON)',
	name: 'otherFilters',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. {"company_size": ["11-50"]}',
	description:
		"Further filter fields of the service as a JSON object, sent as is. It can't override paging or limits.",
};

const personCountry: INodeProperties = {
	displayName: 'Person Country',
	name: 'personLocationCountry',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. United States, Germany',
	description: `Names of the countries where the people are. ${listHint}.`,
};

const emailStatus: INodeProperties = {
	displayName: 'Email Status',
	name: 'emailStatus',
	type: 'options',
	options: [
		{ name: 'All', value: 'all' },
		{ name: 'Likely', value: 'likely' },
		{ name: 'Verified', value: 'verified' },
	],
	default: 'all',
	description: 'How sure the email address of a lead has to be',
};

/** The Filters parameter. Only paid search knows Email Status. */
export function filtersProperty(withEmailStatus: boolean): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Who to look for. Without a filter, the whole database matches.',
		options: [
			...(withEmailStatus ? [emailStatus] : []),
			...listFilters,
			otherFilters,
			personCountry,
		],
	};
}
