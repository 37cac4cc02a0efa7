/** Prepares untrusted text of the service for users: removes secrets, and puts the text on one line. */

const MAX_CHARACTERS = 300;

/** Shorter secrets aren't replaced: such a string also occurs by chance, so other text would be damaged. */
const MIN_SECRET_CHARACTERS = 6;

/** Matches a secret that isn't replaced: it can be a number without quotes, and `***` would make the JSON invalid. */
const NUMBER_CHARACTERS = /^[\d.eE+-]+$/;

/** Converts a message to one line of at most 300 characters and an ellipsis; undefined if it is empty. */
export function toSingleLine(message: string): string | undefined {
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line.length <= MAX_CHARACTERS) return line === '' ? undefined : line;
	// Don't leave half of a surrogate pair.
	return `${line.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Creates a function that replaces secrets with `***`. It finds a secret as it is, escaped as in JSON, and encoded as
 * in a URL, but in no other encoding. Secrets that are short or look like a number aren't replaced.
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
