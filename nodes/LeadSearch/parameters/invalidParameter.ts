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

/** @param what is said of the parameter: which expression of it gives nothing @throws InvalidParameterError */
export function refuseUndefined(label: string, what = 'is an expression that'): never {
	throw new InvalidParameterError(
		label,
		`${what} gives nothing: the field it names is not there`,
		"Check the name, or drag the field in. Where it may be missing, let a filter end in ?? '': {{ $json.country ?? '' }}.",
	);
}

/** Texts that JavaScript makes of what is not there, or is no text. */
const NOBODYS = /^(?:undefined|null|NaN)$|\[object \w+\]/;

/**
 * What an expression made of a field that is not there or holds an object is nobody's value.
 *
 * @param what is said of the parameter before the text, such as 'holds' @throws InvalidParameterError
 */
export function refuseNobodys(label: string, text: string, what: string): void {
	if (!NOBODYS.test(text.trim())) return;
	throw new InvalidParameterError(
		label,
		`${what} ${show(text)}, which is what an expression makes of a field that is not there, or that holds an object`,
		"Check the name. Where it may be missing, let a filter end in {{ $json.country ?? '' }}.",
	);
}

/** A value as a short text, for messages. */
export function show(value: unknown): string {
	let text = typeof value === 'string' ? `'${value}'` : String(value);
	if (typeof value === 'object' && value !== null)
		text = jsonStringify(value, { replaceCircularRefs: true });
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
