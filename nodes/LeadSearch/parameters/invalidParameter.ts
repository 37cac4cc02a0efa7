/** The error for an invalid parameter, and messages that several parameters share. */
import { jsonStringify } from 'n8n-workflow';

/** Thrown before the run sends anything to the service. */
export class InvalidParameterError extends Error {
	/** The message is the label and `problem`, such as 'is empty'. `description` says what to do. */
	constructor(
		readonly label: string,
		readonly problem: string,
		readonly description: string,
	) {
		super();
		this.name = 'InvalidParameterError';
		this.message = this.messageAt('');
	}

	/** Returns the message with a location after the label, such as ' in input item 3'. */
	messageAt(location: string): string {
		return `'${this.label}'${location} ${this.problem}`;
	}
}

/**
 * Rejects an expression that returns nothing.
 *
 * @param beginning the part of the message between the label and 'returns nothing'
 */
export function rejectUndefined(label: string, beginning = 'is an expression that'): never {
	throw new InvalidParameterError(
		label,
		`${beginning} returns nothing: the field that it names doesn't exist`,
		"Check the field's name, or drag the field in. A filter may be empty: if its field can be missing, write {{ $json.country ?? '' }}.",
	);
}

const MISSING_VALUE = /^(?:undefined|null|NaN)$|\[object \w+\]/;

/**
 * Rejects a string such as 'undefined' or '[object Object]', which an expression makes from a missing field or an
 * object.
 *
 * @param verb the part of the message between the label and the string, such as 'contains'
 */
export function rejectMissingValue(label: string, text: string, verb: string): void {
	if (!MISSING_VALUE.test(text.trim())) return;
	throw new InvalidParameterError(
		label,
		`${verb} ${formatValue(text)}, which an expression returns for a field that doesn't exist or that is an object`,
		"Check the field's name. A filter may be empty: if its field can be missing, write {{ $json.country ?? '' }}.",
	);
}

/** Formats a value for a message, in at most 80 characters and an ellipsis. Never throws. */
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
