/** The error for an invalid parameter, and messages that several parameters share. */
import { jsonStringify } from 'n8n-workflow';

/** Thrown if the value of a parameter can't be used. It is thrown before the run sends anything to the service. */
export class InvalidParameterError extends Error {
	/**
	 * Creates the error of one parameter.
	 *
	 * @param label label of the parameter in the editor
	 * @param problem the rest of the message after the label, such as 'is empty'
	 * @param description says what to do
	 */
	constructor(
		readonly label: string,
		readonly problem: string,
		readonly description: string,
	) {
		super();
		this.name = 'InvalidParameterError';
		this.message = this.messageAt('');
	}

	/** @param location the place of the value, such as ' in input item 3' */
	messageAt(location: string): string {
		return `'${this.label}'${location} ${this.problem}`;
	}
}

/**
 * Rejects an expression that returns nothing.
 *
 * @param beginning the part of the message between the label and 'returns nothing', such as 'contains an expression
 * that'
 * @throws InvalidParameterError always
 */
export function rejectUndefined(label: string, beginning = 'is an expression that'): never {
	throw new InvalidParameterError(
		label,
		`${beginning} returns nothing: the field that it names doesn't exist`,
		"Check the field's name, or drag the field in. A filter may be empty: if its field can be missing, write {{ $json.country ?? '' }}.",
	);
}

/** Strings that JavaScript makes of missing values and of objects, such as 'undefined' and '[object Object]'. */
const MISSING_VALUE = /^(?:undefined|null|NaN)$|\[object \w+\]/;

/**
 * Rejects a string such as 'undefined' or '[object Object]'. An expression made it from a missing field or from an
 * object, and no user wants it as a value.
 *
 * @param verb the part of the message between the label and the string, such as 'contains'
 * @throws InvalidParameterError if the text is such a string
 */
export function rejectMissingValue(label: string, text: string, verb: string): void {
	if (!MISSING_VALUE.test(text.trim())) return;
	throw new InvalidParameterError(
		label,
		`${verb} ${formatValue(text)}, which an expression returns for a field that doesn't exist or that is an object`,
		"Check the field's name. A filter may be empty: if its field can be missing, write {{ $json.country ?? '' }}.",
	);
}

/** Formats a value for a message. A text of more than 80 characters is truncated and gets an ellipsis. Never throws. */
export function formatValue(value: unknown): string {
	const text = toText(value);
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function toText(value: unknown): string {
	if (typeof value === 'string') return `'${value}'`;
	// String() throws for an object without a toString.
	if (typeof value !== 'object' || value === null) return String(value);
	const fallback = Array.isArray(value) ? 'an array' : 'an object';
	try {
		const json = jsonStringify(value, { replaceCircularRefs: true }) as string | undefined;
		return json ?? fallback;
	} catch {
		// A toJSON or a getter can throw.
		return fallback;
	}
}
