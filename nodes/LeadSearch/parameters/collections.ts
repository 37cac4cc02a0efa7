/**
 * Reads collections such as Filters and Options. Unknown names are rejected: if a filter were ignored, a search would
 * buy leads that the user doesn't want.
 */
import { isObject, type Json } from '../api/contract';
import { InvalidParameterError, formatValue } from './invalidParameter';
import {
	isEmpty,
	itemValues,
	toProperties,
	readParameters,
	type Parameter,
	type Parameters,
	type ParameterValues,
	type ValuesOf,
} from './parameter';

/**
 * The names of the options of all operations. If a user changes the operation, the node keeps options that the new
 * operation lacks, so each operation ignores the options of the others.
 */
export const OPTION_NAMES = [
	'includeEmails',
	'includePersonalEmails',
	'includePhones',
	'includeRaw',
	'includeUsage',
	'includeWorkEmails',
	'maxRetries',
	'onlyWithEmails',
	'pageSize',
	'parallelPages',
	'reusePaidResults',
	'skip',
	'timeout',
	'unmatched',
];

interface Collection {
	label: string;
	fields: Parameters;
	/** Names of fields that this collection has in other operations. */
	ignoredNames?: readonly string[];
}

/**
 * Reads the values in a collection.
 *
 * @param value an object whose expressions are evaluated, or an empty value
 * @throws InvalidParameterError if the value is neither, or if it contains an unknown name
 */
export function collectionValues(value: unknown, collection: Collection): ParameterValues {
	const { label, fields } = collection;
	const isUnset = isEmpty(value) || (Array.isArray(value) && value.flat().length === 0);
	const written = isUnset ? {} : value;
	if (!isObject(written)) {
		const advice = `Write an object with the names and values that you want to set. It can contain ${listNames(fields)}.`;
		throw new InvalidParameterError(label, `is ${formatValue(value)}, not an object`, advice);
	}
	rejectUnknownNames(written, collection);
	return itemValues(written, (name) => written[name]);
}

/**
 * Declares the Options collection. Its options are sorted by label, as n8n requires.
 *
 * @param hidden options that can be set in the workflow's JSON only
 */
export function optionsOf<Offered extends Parameters, NotOffered extends Parameters = Offered>(
	shown: Offered,
	hidden?: NotOffered,
): Parameter<ValuesOf<Offered & NotOffered>> {
	const label = 'Options';
	const fields = { ...shown, ...hidden } as Offered & NotOffered;
	return {
		property: {
			displayName: label,
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: toProperties(shown).sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
		},
		read: (value) =>
			readParameters(
				fields,
				collectionValues(value, { label, fields, ignoredNames: OPTION_NAMES }),
			),
	};
}

function rejectUnknownNames(written: Json, { label, fields, ignoredNames = [] }: Collection): void {
	const isUnknown = (name: string) => !Object.hasOwn(fields, name) && !ignoredNames.includes(name);
	const unknown = Object.keys(written).filter(isUnknown);
	if (unknown.length === 0) return;
	const isOne = unknown.length === 1;
	const names = unknown.map((name) => `'${name}'`).join(' and ');
	// Unknown names are mostly further filters, or limits on rows and credits.
	const advice =
		'otherFilters' in fields
			? "Write any other field of the service into 'otherFilters'."
			: 'The limits on rows and credits are parameters of the node itself.';
	throw new InvalidParameterError(
		label,
		isOne ? `contains an unknown name, ${names}` : `contains unknown names, ${names}`,
		`Remove ${isOne ? 'it' : 'them'} from the workflow's JSON, or replace the node with a new one. '${label}' accepts ${listNames(fields)}. ${advice}`,
	);
}

/** Splits a name in any style into words in lower case and in the singular: `jobTitles` becomes `job` and `title`. */
export function splitIntoWords(name: string): string[] {
	const words = name
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.match(/[a-z]+/g);
	return (words ?? []).map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''));
}

function listNames(fields: Parameters): string {
	const names = Object.keys(fields).sort();
	return names.map((name) => `'${name}'`).join(', ');
}
