/** Finds the message in the body of an error response. The contract ("Errors") doesn't show the body's shape. */
import { isObject } from './contract';

/**
 * Finds the message in the body of an error response.
 *
 * @param body text of the body, possibly truncated
 * @returns the message; the whole body if it isn't JSON or its message is nested too deep to find; undefined if the
 * body is HTML or contains no message
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

/**
 * Finds the message for users in a parsed body.
 *
 * @returns the string in `message`, `detail`, `error` or `error.message`, whichever comes first. If there is none,
 * the whole body as JSON; undefined if that JSON is empty, such as `{}`
 */
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

/**
 * Converts a value to JSON. It returns an empty string for a value with too many levels for JSON.stringify (some
 * thousands).
 */
function stringify(json: unknown): string {
	try {
		return JSON.stringify(json);
	} catch {
		return '';
	}
}
