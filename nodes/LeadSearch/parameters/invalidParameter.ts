/** Thrown for a parameter that can't be used, before anything is sent. */
export class InvalidParameterError extends Error {
	/**
	 * @param label the parameter as people see it
	 * @param problem what is wrong with it, to be put behind the label
	 * @param description what to write instead
	 */
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
	const text = typeof value === 'string' ? `'${value}'` : showOther(value);
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function showOther(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	try {
		return JSON.stringify(value);
	} catch {
		return 'an object';
	}
}
