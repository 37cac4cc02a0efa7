/** Untrusted text of the service on its way to people: without secrets, in one line. */

const MAX_CHARACTERS = 300;

/** A shorter text would be found in places where it is no secret. */
const MIN_SECRET_CHARACTERS = 6;

/** In JSON, digits may be a number, which would be none without them. */
const NUMBER_CHARACTERS = /^[\d.eE+-]+$/;

/** Makes one line of at most 300 characters of a message; undefined where nothing is left. */
export function toSingleLine(message: string): string | undefined {
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line.length <= MAX_CHARACTERS) return line === '' ? undefined : line;
	// A character is not cut in half.
	return `${line.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Takes secrets out of texts, in JSON or not: as they are, as JSON writes them, and as addresses do. Whoever hides a key on
 * purpose has it already.
 *
 * @example redactor(['key/1234'])('key%2F1234, key\\/1234') // '***, ***'
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
	const spellings = secrets
		.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS && !NUMBER_CHARACTERS.test(secret))
		.flatMap((secret) => {
			const inJson = JSON.stringify(secret).slice(1, -1);
			return [inJson, inJson.replaceAll('/', '\\/'), secret, encodeURIComponent(secret)];
		});
	return (text) =>
		spellings.reduce((redacted, spelling) => redacted.replaceAll(spelling, '***'), text);
}
