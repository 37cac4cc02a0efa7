/** Parameters: each declares n8n's property together with a function that reads and checks the value. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Json } from '../api/contract';
import { hasExpression } from './expression';
import { InvalidParameterError, rejectUndefined, formatValue } from './invalidParameter';

/** The parameter values of one input item, or the values in one collection (such as Options). */
export interface ParameterValues {
	names: string[];
	/** Returns the evaluated value; undefined if the parameter isn't set, or if its expression returns nothing. */
	get(name: string): unknown;
	/** Whether the parameter is set. An option that the user didn't add isn't. */
	has(name: string): boolean;
	/** Whether the value is written as an expression. It isn't known in a collection, which is already evaluated. */
	isExpression(name: string): boolean;
}

/** n8n's property, and a function that reads its value. The name is the key in {@link Parameters}. */
export interface Parameter<Value> {
	property: Omit<INodeProperties, 'name'>;
	/** The value if the parameter isn't set. Without `valueIfAbsent`, the property's default is used. */
	valueIfAbsent?: Value;
	/** Whether `read` handles an expression that returns nothing. Otherwise such an expression is rejected. */
	acceptsUndefined?: true;
	/** @throws InvalidParameterError if the value can't be used */
	read: (value: unknown, others: ParameterValues) => Value;
}

/** Parameters by name, in the order of the editor. */
export type Parameters = Record<string, Parameter<unknown>>;

export type ValuesOf<Declared extends Parameters> = {
	[Name in keyof Declared]: ReturnType<Declared[Name]['read']>;
};

/**
 * Converts parameters into n8n's properties. A collection also becomes a hidden property with the same name. n8n
 * drops misspelled options from a visible collection, but passes on a hidden property unchanged, so the node can
 * reject them.
 */
export function toProperties(parameters: Parameters): INodeProperties[] {
	return Object.entries(parameters).flatMap(([name, { property }]) => {
		const { displayName, displayOptions, type } = property;
		const rawProperty = { displayName, name, type: 'hidden', default: {}, displayOptions } as const;
		return [{ ...property, name }, ...(type === 'collection' ? [rawProperty] : [])];
	});
}

export function readParameters<Declared extends Parameters>(
	parameters: Declared,
	values: ParameterValues,
): ValuesOf<Declared> {
	const result: Json = {};
	for (const [name, parameter] of Object.entries(parameters))
		result[name] = readParameter(name, parameter, values);
	return result as ValuesOf<Declared>;
}

/** Reads a value or its default. If an expression returns nothing, it is rejected: the default could cost money. */
export function readParameter<Value>(
	name: string,
	{ property, valueIfAbsent, acceptsUndefined, read }: Parameter<Value>,
	values: ParameterValues,
): Value {
	if (!values.has(name)) return valueIfAbsent ?? read(property.default, values);
	const value = values.get(name);
	if (value === undefined && !acceptsUndefined) rejectUndefined(property.displayName);
	return read(value, values);
}

/** `parameters` has the values as they are written, and `get` evaluates one of them. */
export function itemValues(parameters: object, get: (name: string) => unknown): ParameterValues {
	const written = new Map<string, unknown>(Object.entries(parameters));
	const resolved = new Map<string, unknown>();
	return {
		names: [...written.keys()],
		has: (name) => written.has(name),
		isExpression: (name) => hasExpression(written.get(name)),
		get(name) {
			if (!resolved.has(name)) resolved.set(name, written.has(name) ? get(name) : undefined);
			return resolved.get(name);
		},
	};
}

/** Declares a text that the editor shows between the parameters. */
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

/**
 * Declares a whole number within a range. `default` is the number that the editor shows first. `valueIfAbsent` is the
 * value of an option that the user hasn't added; without it, `default` is used.
 */
export function wholeNumber(
	displayName: string,
	{
		valueIfAbsent,
		default: defaultValue,
		...range
	}: Range & { default: number; valueIfAbsent?: number },
	description: string,
	extra?: Pick<INodeProperties, 'displayOptions' | 'builderHint'>,
): Parameter<number> {
	return {
		property: {
			displayName,
			type: 'number',
			typeOptions: { minValue: range.min, maxValue: range.max },
			default: defaultValue,
			description,
			...extra,
		},
		valueIfAbsent,
		read: (value) => readWholeNumber(displayName, value, range),
	};
}

/** '1.000' doesn't match: the user may mean a thousand, but JavaScript reads it as 1. */
const DIGITS = /^\s*-?\d+\s*$/;

/**
 * Reads a whole number. A string of digits is accepted, because expressions can return one.
 *
 * @throws InvalidParameterError if the value isn't a whole number within the range
 */
export function readWholeNumber(
	label: string,
	value: unknown,
	{ min, max = Infinity }: Range,
): number {
	const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
	const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
	if (isWhole && number >= min && number <= max) return number;
	const range =
		max === Infinity ? `of at least ${min}` : `from ${min} to ${max.toLocaleString('en')}`;
	const expected = `a whole number ${range}`;
	const problem = isEmpty(value) ? 'is empty' : `is ${formatValue(value)}, not ${expected}`;
	const advice = `Set '${label}' to ${expected}, written in digits only.`;
	throw new InvalidParameterError(label, problem, advice);
}

/** Declares a switch. Expressions can also return 'true' and 'false' in any case, or 1 and 0. */
export function toggle(
	displayName: string,
	defaultValue: boolean,
	description: string,
	displayOptions?: INodeProperties['displayOptions'],
): Parameter<boolean> {
	return {
		property: { displayName, type: 'boolean', default: defaultValue, description, displayOptions },
		read(value) {
			// String() throws for an object without a toString.
			const isScalar = ['boolean', 'string', 'number', 'bigint'].includes(typeof value);
			const parsed = isScalar ? BOOLEANS[String(value).trim().toLowerCase()] : undefined;
			if (parsed !== undefined) return parsed;
			throw new InvalidParameterError(
				displayName,
				isEmpty(value) ? 'is empty' : `is ${formatValue(value)}, neither true nor false`,
				`Set '${displayName}' to true or false.`,
			);
		},
	};
}

const BOOLEANS: Readonly<Record<string, boolean | undefined>> = Object.assign(
	Object.create(null) as object,
	{ true: true, false: false, 1: true, 0: false },
);

/**
 * Declares a choice between options. An empty value is rejected and not replaced by the default, which could cost
 * money.
 */
export function choice<Value extends string>(
	declared: Omit<INodeProperties, 'name' | 'type' | 'default' | 'options'> & {
		default: Value;
		options: Array<INodePropertyOptions & { value: Value }>;
	},
): Parameter<Value> {
	return {
		property: { ...declared, type: 'options' },
		read(value) {
			const text = typeof value === 'string' ? value.trim() : value;
			const chosen = declared.options.find((option) => option.value === text);
			if (chosen) return chosen.value;
			const listed = declared.options.map((option) => `'${option.value}'`).join(', ');
			throw new InvalidParameterError(
				declared.displayName,
				isEmpty(text) ? 'is empty' : `is ${formatValue(value)}, which isn't one of its options`,
				`Choose an option from the list, or use one of these values: ${listed}.`,
			);
		},
	};
}

/** Whether an expression returned nothing, or the user cleared the field. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}
