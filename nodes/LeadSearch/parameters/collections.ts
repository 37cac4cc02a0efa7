/**
 * Collections, such as Filters and Options, as they are written into a workflow. Names that they don't know are
 * refused with the right ones: without a filter, or a maximum, a search would buy what nobody wants.
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

/** Options of any operation: those of another operation stay when people change to an operation that lacks them. */
export const OPTION_NAMES = [
	...['includeEmails', 'includePersonalEmails', 'includePhones', 'includeRaw', 'includeUsage'],
	...['includeWorkEmails', 'maxRetries', 'onlyWithEmails', 'pageSize', 'parallelPages'],
	...['reusePaidResults', 'skip', 'timeout', 'unmatched'],
];

/** A collection. */
interface Collection {
	/** As people see it. */
	label: string;
	fields: Parameters;
	/** Names of the same collection elsewhere. */
	ignoredNames?: readonly string[];
}

/**
 * The values of a collection.
 *
 * @throws InvalidParameterError for what is no object, and for names that neither it nor the same collection of
 * another operation knows: those stay when people choose another operation
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
 * The Options collection, its options in the order of their labels as n8n wants them.
 *
 * @param hidden options that hardly anybody changes: a workflow's JSON may set them, the editor shows none
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
	// What an agent or a person writes here is likely one of these.
	const advice =
		'otherFilters' in fields
			? "Write any other field of the service into 'otherFilters'."
			: 'The limits on rows and credits are parameters of the node itself.';
	throw new InvalidParameterError(
		label,
		isOne ? `contains an unknown name, ${names}` : `contains unknown names, ${names}`,
		`Remove ${isOne ? 'it' : 'them'} from the workflow's JSON, or replace the node with a new one: '${label}' accepts ${listNames(fields)}. ${advice}`,
	);
}

/** The words of a name however it is joined, written large or small, in the singular or plural. */
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
