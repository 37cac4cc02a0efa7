/** Untrusted text of the service on its way to people: without secrets, in one line. */

const LONGEST_TEXT = 300;

/** A shorter text would be found in places where it is no secret. */
const SHORTEST_SECRET = 6;

/** In JSON, digits may be a number, which would be none without them. */
const MAY_BE_NUMBER = /^[\d.eE+-]+$/;

/** Makes one line of at most 300 characters of a message; undefined where nothing is left. */
export function asOneLine(message: string): string | undefined {
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line.length <= LONGEST_TEXT) return line === '' ? undefined : line;
	// A character is not cut in half.
	return `${line.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Takes secrets out of texts, in JSON or not: as they are, as JSON writes them, and as addresses do. Whoever hides a key on
 * purpose has it already.
 *
 * @example redactor(['key/1234'])('key%2F1234, key\\/1234') // '***, ***'
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
	const spellings = secrets
		.filter((secret) => secret.length >= SHORTEST_SECRET && !MAY_BE_NUMBER.test(secret))
		.flatMap((secret) => {
			const inJson = JSON.stringify(secret).slice(1, -1);
			return [inJson, inJson.replaceAll('/', '\\/'), secret, encodeURIComponent(secret)];
		});
	return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '***'), text);
}
