/** Kinds of parameters, each with n8n's property and its checked reader in one declaration. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isObject, type Json } from '../api/contract';
import { InvalidParameterError, show } from './invalidParameter';

/** Resolved values of an input item's parameters, or of a collection among them. */
export interface ParameterValues {
	/** @returns undefined where it is not there, and for an expression that comes to nothing */
	get(name: string): unknown;
	/** Whether the parameter is there, whatever its value; an option that was not added is not. */
	has(name: string): boolean;
}

/** A parameter: how n8n shows it, and how its value is read. Its name is its key in {@link Parameters}. */
export interface Parameter<Value> {
	property: Omit<INodeProperties, 'name'>;
	/** What it comes to where it is not there; without, its default is read. */
	absent?: Value;
	/** @param others those beside it @throws InvalidParameterError */
	read: (value: unknown, others: ParameterValues) => Value;
}

/** Parameters by their names, in the order in which they show. */
export type Parameters = Record<string, Parameter<unknown>>;

export type ValuesOf<Declared extends Parameters> = {
	[Name in keyof Declared]: ReturnType<Declared[Name]['read']>;
};

export function propertiesOf(parameters: Parameters): INodeProperties[] {
	return Object.entries(parameters).map(([name, { property }]) => ({ ...property, name }));
}

/** @throws InvalidParameterError for the first that can't be used */
export function readAll<Declared extends Parameters>(
	parameters: Declared,
	values: ParameterValues,
): ValuesOf<Declared> {
	const all: Json = {};
	for (const [name, { property, absent, read }] of Object.entries(parameters)) {
		if (values.has(name)) all[name] = read(values.get(name), values);
		else all[name] = absent ?? read(property.default, values);
	}
	return all as ValuesOf<Declared>;
}

/** @param get resolves one of the parameters, which are as written, for the input item */
export function itemValues(parameters: object, get: (name: string) => unknown): ParameterValues {
	const has = (name: string) => Object.hasOwn(parameters, name);
	return { has, get: (name) => (has(name) ? get(name) : undefined) };
}

/** The values of a collection, such as Options. */
export function collectionValues(value: unknown): ParameterValues {
	const collection = isObject(value) ? value : {};
	return itemValues(collection, (name) => collection[name]);
}

/** For people to read. */
export function notice(
	displayName: string,
	displayOptions?: INodeProperties['displayOptions'],
): Parameter<undefined> {
	return {
		property: { displayName, type: 'notice', default: '', displayOptions },
		read: () => undefined,
	};
}

interface Range {
	min: number;
	max?: number;
}

/** An expression that comes to nothing is refused: the default could cost money. @param range `absent`: if not added */
export function wholeNumber(
	displayName: string,
	{ absent, default: preset, ...range }: Range & { default: number; absent?: number },
	description: string,
	more?: Pick<INodeProperties, 'displayOptions' | 'builderHint'>,
): Parameter<number> {
	return {
		property: {
			displayName,
			type: 'number',
			typeOptions: { minValue: range.min, maxValue: range.max },
			default: preset,
			description,
			...more,
		},
		absent,
		read: (value) => readWholeNumber(displayName, value, range),
	};
}

/** @throws InvalidParameterError for what is none within the range; expressions may give it as text */
export function readWholeNumber(
	label: string,
	value: unknown,
	{ min, max = Infinity }: Range,
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
	if (isWhole && number >= min && number <= max) return number;
	const upTo = max === Infinity ? '' : ` to ${max.toLocaleString('en')}`;
	const wanted = `a whole number from ${min}${upTo}`;
	const problem = isEmpty(value) ? 'is empty' : `is ${show(value)}, not ${wanted}`;
	throw new InvalidParameterError(label, problem, `Set '${label}' to ${wanted}.`);
}

/** A switch; any value that is neither on nor off counts as its default. */
export function toggle(
	displayName: string,
	preset: boolean,
	description: string,
	displayOptions?: INodeProperties['displayOptions'],
): Parameter<boolean> {
	return {
		property: { displayName, type: 'boolean', default: preset, description, displayOptions },
		read: (value) => (typeof value === 'boolean' ? value : preset),
	};
}

/** A choice. Nothing counts as its default; any other value that is none of them is refused. */
export function choice<Value extends string>(
	declared: Omit<INodeProperties, 'name' | 'type' | 'default' | 'options'> & {
		default: Value;
		options: Array<INodePropertyOptions & { value: Value }>;
	},
): Parameter<Value> {
	return {
		property: { ...declared, type: 'options' },
		read(value) {
			const chosen = declared.options.find((option) => option.value === value);
			if (chosen) return chosen.value;
			if (isEmpty(value)) return declared.default;
			const known = declared.options.map((option) => `'${option.value}'`).join(', ');
			throw new InvalidParameterError(
				declared.displayName,
				`is ${show(value)}, which is none of its options`,
				`Choose an option from the list, or write one of: ${known}.`,
			);
		},
	};
}

/** The Options collection, its options in the order of their labels as n8n wants them. */
export function optionsOf<Declared extends Parameters>(
	parameters: Declared,
): Parameter<ValuesOf<Declared>> {
	return {
		property: {
			displayName: 'Options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: propertiesOf(parameters).sort((one, other) =>
				one.displayName.localeCompare(other.displayName, 'en'),
			),
		},
		read: (value) => readAll(parameters, collectionValues(value)),
	};
}

/** Whether an expression came to nothing, or a field was cleared. */
function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}
