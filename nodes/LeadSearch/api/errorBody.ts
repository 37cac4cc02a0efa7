/** Finds the message in the body of an error response. The contract ("Errors") doesn't show the body's shape. */
import { isObject } from './contract';

/**
 * Finds the message in a body, which may be truncated. It returns the whole body if that isn't JSON, and undefined if
 * the body is HTML or contains no message.
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

/** Finds the message for users in a parsed body. If there is none, it returns the whole body as JSON. */
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

/** Returns an empty string for a value with too many levels for JSON.stringify (some thousands). */
function stringify(json: unknown): string {
	try {
		return JSON.stringify(json);
	} catch {
		return '';
	}
}
