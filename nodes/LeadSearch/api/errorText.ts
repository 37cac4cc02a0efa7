/** Prepares untrusted text of the service for users: removes secrets, and puts the text on one line. */

/** A longer message is truncated. */
const MAX_CHARACTERS = 300;

/** Shorter strings are not removed, because they also occur by chance. */
const MIN_SECRET_CHARACTERS = 6;

/** Digits are not removed: in JSON they can be a number, and `***` is not a number. */
const NUMBER_CHARACTERS = /^[\d.eE+-]+$/;

/** Converts a message to one line of at most 300 characters and an ellipsis. @returns undefined if the line is empty */
export function toSingleLine(message: string): string | undefined {
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line.length <= MAX_CHARACTERS) return line === '' ? undefined : line;
	// Don't leave half of a surrogate pair.
	return `${line.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Creates a function that replaces secrets in a text with `***`. It finds a secret as it is, escaped as in JSON, and
 * encoded as in a URL. Other encodings are not found: the service knows the secret anyway, and can't be stopped from
 * hiding it on purpose.
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
