/** Kinds of parameters, each with n8n's property and its checked reader in one declaration. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Json } from '../api/contract';
import { hasExpression } from './expression';
import { InvalidParameterError, rejectUndefined, formatValue } from './invalidParameter';

/** Resolved values of an input item's parameters, or of a collection among them. */
export interface ParameterValues {
	/** Of what is there. */
	names: string[];
	/** @returns undefined where it is not there, and for an expression that comes to nothing */
	get(name: string): unknown;
	/** Whether the parameter is there, whatever its value; an option that was not added is not. */
	has(name: string): boolean;
	/** Whether an expression gives its value; not known of a value in a collection. */
	isExpression(name: string): boolean;
}

/** A parameter: how n8n shows it, and how its value is read. Its name is its key in {@link Parameters}. */
export interface Parameter<Value> {
	property: Omit<INodeProperties, 'name'>;
	/** What it comes to where it is not there; without, its default is read. */
	valueIfAbsent?: Value;
	/** Whether it says itself what an expression that gives nothing means. */
	acceptsUndefined?: true;
	/** @param others those beside it @throws InvalidParameterError */
	read: (value: unknown, others: ParameterValues) => Value;
}

/** Parameters by their names, in the order in which they show. */
export type Parameters = Record<string, Parameter<unknown>>;

export type ValuesOf<Declared extends Parameters> = {
	[Name in keyof Declared]: ReturnType<Declared[Name]['read']>;
};

/** Properties as n8n takes them. */
export function toProperties(parameters: Parameters): INodeProperties[] {
	return Object.entries(parameters).flatMap(([name, { property }]) => {
		const { displayName, displayOptions, type } = property;
		// Of a collection, n8n drops the names that it doesn't know, and tells nobody. What is hidden under the same name
		// it hands over as it is written.
		const rawProperty = { displayName, name, type: 'hidden', default: {}, displayOptions } as const;
		return [{ ...property, name }, ...(type === 'collection' ? [rawProperty] : [])];
	});
}

/** @throws InvalidParameterError for the first that can't be used */
export function readParameters<Declared extends Parameters>(
	parameters: Declared,
	values: ParameterValues,
): ValuesOf<Declared> {
	const result: Json = {};
	for (const [name, parameter] of Object.entries(parameters))
		result[name] = readParameter(name, parameter, values);
	return result as ValuesOf<Declared>;
}

/** An expression that gives nothing is refused: a default could cost money. @throws InvalidParameterError */
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

/** @param get resolves any of the parameters, which are as written, for the input item */
export function itemValues(parameters: object, get: (name: string) => unknown): ParameterValues {
	const written = new Map<string, unknown>(Object.entries(parameters));
	return {
		names: [...written.keys()],
		has: (name) => written.has(name),
		isExpression: (name) => hasExpression(written.get(name)),
		get: (name) => (written.has(name) ? get(name) : undefined),
	};
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

/** @param range `absent`: if not added */
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

/** Any mark may be a decimal point or separate thousands, which JavaScript takes for the former: '1.000' is no 1. */
const DIGITS = /^\s*-?\d+\s*$/;

/** @throws InvalidParameterError for what is none within the range; as text, as expressions may give it, for all but digits */
export function readWholeNumber(
	label: string,
	value: unknown,
	{ min, max = Infinity }: Range,
): number {
	const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
	const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
	if (isWhole && number >= min && number <= max) return number;
	const upTo = max === Infinity ? '' : ` to ${max.toLocaleString('en')}`;
	const expected = `a whole number from ${min}${upTo}`;
	const problem = isEmpty(value) ? 'is empty' : `is ${formatValue(value)}, not ${expected}`;
	const advice = `Set '${label}' to ${expected}, written in digits only.`;
	throw new InvalidParameterError(label, problem, advice);
}

/** A switch. Expressions may give true and false as texts in any case, or as 1 and 0; the rest is refused. */
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

/** A choice. What is none of its options is refused, and so is nothing: its default could cost money. */
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

/** Whether an expression came to nothing, or a field was cleared. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}
