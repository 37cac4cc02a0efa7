/** Kinds of parameters, each with n8n's property and its checked reader in one declaration. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { InvalidParameterError, show } from './invalidParameter';
import type { ParameterValues } from './values';

/** A parameter: how n8n shows it, and how its value is read. */
export interface Parameter<Value> {
	property: INodeProperties;
	/**
	 * @returns the value, or the default where the parameter is not there
	 * @throws InvalidParameterError
	 */
	read(values: ParameterValues): Value;
}

interface Range {
	min: number;
	/** Unbounded unless given. */
	max?: number | undefined;
}

/**
 * A whole number. An expression that comes to nothing is refused, since taking the default instead
 * could cost money.
 *
 * @param absent what it is where it was not added; its default in n8n unless given
 */
export function wholeNumber(
	declared: Omit<INodeProperties, 'type' | 'typeOptions' | 'default'> & { default: number },
	{ min, max }: Range,
	absent = declared.default,
): Parameter<number> {
	const { displayName: label, name } = declared;
	const range =
		max === undefined
			? `a whole number from ${min}`
			: `a whole number from ${min} to ${max.toLocaleString('en')}`;
	return {
		property: {
			...declared,
			type: 'number',
			typeOptions: { minValue: min, ...(max !== undefined && { maxValue: max }) },
		},
		read(values) {
			if (!values.has(name)) return absent;
			const value = values.get(name);
			const number = asWholeNumber(value, { min, max });
			if (number !== undefined) return number;
			const problem = isEmpty(value) ? 'is empty' : `is ${show(value)}, not ${range}`;
			throw new InvalidParameterError(label, problem, `Set '${label}' to ${range}.`);
		},
	};
}

/** A switch; any value that is neither on nor off counts as its default. */
export function toggle(
	declared: Omit<INodeProperties, 'type' | 'default'> & { default: boolean },
): Parameter<boolean> {
	return {
		property: { ...declared, type: 'boolean' },
		read(values) {
			const value = values.has(declared.name) ? values.get(declared.name) : undefined;
			return typeof value === 'boolean' ? value : declared.default;
		},
	};
}

/** A choice. Nothing counts as its default; any other value that is none of them is refused. */
export function choice<Value extends string>(
	declared: Omit<INodeProperties, 'type' | 'default' | 'options'> & {
		default: Value;
		options: Array<INodePropertyOptions & { value: Value }>;
	},
): Parameter<Value> {
	return {
		property: { ...declared, type: 'options' },
		read(values) {
			const value = values.has(declared.name) ? values.get(declared.name) : undefined;
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

/** Whether an expression came to nothing, or a field was cleared. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** @returns undefined for what is none within the range; expressions may give a number as text */
export function asWholeNumber(
	value: unknown,
	{ min, max = Number.MAX_SAFE_INTEGER }: Range,
): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number)) return undefined;
	return number >= min && number <= max ? number : undefined;
}
