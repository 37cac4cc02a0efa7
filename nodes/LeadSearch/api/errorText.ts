/** What the lead service says by itself: untrusted text on its way to people. */
import type { Json } from './contract';

const LONGEST_TEXT = 300;

/** How deep in an error body the message may stand, in levels. */
const DEEPEST_MESSAGE = 4;

/**
 * Finds the message in the body of a response.
 *
 * The shape of an error body isn't shown (contract, "Errors"): `message`, `error`, `detail`, `errors`
 * are tried, then plain text. HTML is no message.
 */
export function findMessage(body: string): string | undefined {
	const text = body.trim();
	if (text === '' || text.startsWith('<')) return undefined;
	let found: unknown = text;
	try {
		if (/^[{["]/.test(text)) found = JSON.parse(text);
	} catch {
		return undefined;
	}
	for (let depth = 0; depth < DEEPEST_MESSAGE && isObject(found); depth++) {
		const { message, error, detail, errors, 0: first } = found;
		found = [message, error, detail, errors, first].find(
			(one) => isObject(one) || (typeof one === 'string' && one.trim() !== ''),
		);
	}
	return typeof found === 'string' ? found : undefined;
}

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null;
}

/** Makes one line of at most 300 characters of a message; undefined where nothing is left. */
export function asOneLine(message: string): string | undefined {
	// Control characters and line breaks have no place in one line.
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line.length <= LONGEST_TEXT) return line === '' ? undefined : line;
	// A character is not cut in half.
	return `${line.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '')}…`;
}
