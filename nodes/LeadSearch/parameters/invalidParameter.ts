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

/** A value as a short text, for messages. */
export function show(value: unknown): string {
	let text = typeof value === 'string' ? `'${value}'` : String(value);
	if (typeof value === 'object' && value !== null)
		text = jsonStringify(value, { replaceCircularRefs: true });
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
