import { jsonStringify } from 'n8n-workflow';

/** Thrown for a parameter that can't be used, before anything is sent. */
export class InvalidParameterError extends Error {
	/** @param label as people see it @param problem to be put behind it @param description what to write instead */
	constructor(
		readonly label: string,
		readonly problem: string,
		readonly description: string,
	) {
		super(`'${label}' ${problem}`);
		this.name = 'InvalidParameterError';
	}
}

/** @param beginning is said of the parameter: which expression of it gives nothing @throws InvalidParameterError */
export function rejectUndefined(label: string, beginning = 'is an expression that'): never {
	throw new InvalidParameterError(
		label,
		`${beginning} returns nothing: the field that it names doesn't exist`,
		"Check the field's name, or drag the field in. If it may be missing, end a filter in ?? '': {{ $json.country ?? '' }}.",
	);
}

/** Texts that JavaScript makes of what is not there, or is no text. */
const MISSING_VALUE = /^(?:undefined|null|NaN)$|\[object \w+\]/;

/**
 * What an expression made of a field that is not there or holds an object is nobody's value.
 *
 * @param verb is said of the parameter before the text, such as 'holds' @throws InvalidParameterError
 */
export function rejectMissingValue(label: string, text: string, verb: string): void {
	if (!MISSING_VALUE.test(text.trim())) return;
	throw new InvalidParameterError(
		label,
		`${verb} ${formatValue(text)}, which an expression returns for a field that doesn't exist or that is an object`,
		"Check the field's name. If it may be missing, end a filter in ?? '': {{ $json.country ?? '' }}.",
	);
}

/** Formats a value for a message, in at most 80 characters and an ellipsis. Never throws, whatever the value is. */
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
