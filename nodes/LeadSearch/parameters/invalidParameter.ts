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
		`${beginning} gives nothing: the field it names is not there`,
		"Check the name, or drag the field in. Where it may be missing, let a filter end in ?? '': {{ $json.country ?? '' }}.",
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
		`${verb} ${formatValue(text)}, which is what an expression makes of a field that is not there, or that holds an object`,
		"Check the name. Where it may be missing, let a filter end in {{ $json.country ?? '' }}.",
	);
}

/** A value as a short text, for messages. */
export function formatValue(value: unknown): string {
	let text = typeof value === 'string' ? `'${value}'` : String(value);
	if (typeof value === 'object' && value !== null)
		text = jsonStringify(value, { replaceCircularRefs: true });
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
