/** Prepares untrusted text of the service for users: removes secrets, and puts the text on one line. */

/** The limit of characters of a message that is quoted for users. The rest is truncated. */
const MAX_CHARACTERS = 300;

/**
 * The number of characters that a secret must have to be replaced. A shorter string also occurs by chance, so
 * replacing it would damage other text.
 */
const MIN_SECRET_CHARACTERS = 6;

/**
 * Matches a secret that looks like a number. Such a secret isn't replaced: in JSON it can be a value without quotes,
 * and `***` in its place would make the JSON invalid.
 */
const NUMBER_CHARACTERS = /^[\d.eE+-]+$/;

/**
 * Converts a message to one line. If the line is longer than 300 characters, the rest is replaced with an ellipsis.
 *
 * @returns undefined if the line is empty
 */
export function toSingleLine(message: string): string | undefined {
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line.length <= MAX_CHARACTERS) return line === '' ? undefined : line;
	// Don't leave half of a surrogate pair.
	return `${line.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Creates a function that replaces secrets in a string with `***`. The function finds a secret in three spellings: as
 * it is, escaped as in JSON, and encoded as in a URL. It doesn't find other encodings. The service knows the secret
 * anyway, so a service that hides the secret in its response on purpose can't be stopped.
 *
 * @example createRedactor(['key/1234'])('key%2F1234, key\\/1234') // '***, ***'
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
	const spellings = secrets
		.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS && !NUMBER_CHARACTERS.test(secret))
		.flatMap((secret) => {
			const inJson = JSON.stringify(secret).slice(1, -1);
			return [inJson, inJson.replaceAll('/', '\\/'), secret, encodeURIComponent(secret)];
		});
	// Most secrets have one spelling, and each spelling takes a pass over the whole response.
	const distinct = [...new Set(spellings)];
	return (text) =>
		distinct.reduce((redacted, spelling) => redacted.replaceAll(spelling, '***'), text);
}
