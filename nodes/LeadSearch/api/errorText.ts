/** Untrusted text of the service on its way to people: found, without secrets, in one line. */
import type { Json } from './contract';

const LONGEST_TEXT = 300;

/** How deep in an error body the message may stand, in levels. */
const DEEPEST_MESSAGE = 4;

/** No key is shorter; a shorter text would be found in places where it is no secret. */
const SHORTEST_SECRET = 8;

/**
 * Finds the message in the body of a response, whose shape isn't shown (contract, "Errors"): under
 * `message`, `error`, `detail` or `errors`, or as plain text. HTML is no message.
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
	for (let depth = 0; depth < DEEPEST_MESSAGE && isNested(found); depth++) {
		const { message, error, detail, errors, 0: first } = found;
		found = [message, error, detail, errors, first].find(
			(one) => isNested(one) || (typeof one === 'string' && one.trim() !== ''),
		);
	}
	return typeof found === 'string' ? found : undefined;
}

/** A list, too. */
function isNested(value: unknown): value is Json {
	return typeof value === 'object' && value !== null;
}

/** Makes one line of at most 300 characters of a message; undefined where nothing is left. */
export function asOneLine(message: string): string | undefined {
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line.length <= LONGEST_TEXT) return line === '' ? undefined : line;
	// A character is not cut in half.
	return `${line.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** @returns a function that takes secrets out of a text, in JSON or not; very short ones are left alone */
export function redactor(secrets: readonly string[]): (text: string) => string {
	const spellings = secrets
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.flatMap((secret) => {
			const inJson = JSON.stringify(secret).slice(1, -1);
			const inPhp = inJson.replaceAll('/', '\\/');
			return [...new Set([secret, encodeURIComponent(secret), inJson, inPhp])];
		});
	return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '***'), text);
}
