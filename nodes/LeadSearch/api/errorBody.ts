/** What the service says in the body of an error, whose shape isn't shown (contract, "Errors"). */
import { isObject } from './contract';

/**
 * @param body may be cut
 * @returns its words; the body as it is where they stand deeper, or where it is no JSON; undefined for HTML,
 * or where nothing is said
 */
export function findMessage(body: string): string | undefined {
	const text = body.trim();
	if (text === '' || text.startsWith('<')) return undefined;
	try {
		return extractMessage(JSON.parse(text));
	} catch {
		return text;
	}
}

/** The same for a body that is parsed. */
export function extractMessage(json: unknown): string | undefined {
	const { message, detail, error } = isObject(json) ? json : { message: json };
	const { message: errorMessage } = isObject(error) ? error : {};
	const found = [message, detail, error, errorMessage].find(
		(text): text is string => typeof text === 'string' && text.trim() !== '',
	);
	if (found !== undefined) return found.trim();
	const serialized = stringify(json);
	return serialized.length > 2 ? serialized : undefined;
}

/** @returns nothing for what nests too deep for JSON.stringify, some thousand levels */
function stringify(json: unknown): string {
	try {
		return JSON.stringify(json);
	} catch {
		return '';
	}
}
