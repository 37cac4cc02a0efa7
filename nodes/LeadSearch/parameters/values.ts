import type { Json } from '../api/contract';

/** Resolved values of an input item's parameters, or of a collection among them. */
export interface ParameterValues {
	/** @returns undefined also for an expression that comes to nothing */
	get(name: string): unknown;
	/** Whether the parameter is there, whatever its value; an option that was not added is not. */
	has(name: string): boolean;
}

/**
 * @param parameters those of the node, as written
 * @param resolve resolves one of them for the input item
 */
export function itemValues(
	parameters: object,
	resolve: (name: string) => unknown,
): ParameterValues {
	return { get: resolve, has: (name) => Object.hasOwn(parameters, name) };
}

/** The values of a collection, such as Options. */
export function collectionValues(values: ParameterValues, name: string): ParameterValues {
	const collection = asObject(values.get(name));
	return {
		get: (option) => collection[option],
		has: (option) => Object.hasOwn(collection, option),
	};
}

function asObject(value: unknown): Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Json)
		: {};
}
