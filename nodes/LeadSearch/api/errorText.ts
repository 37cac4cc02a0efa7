/** Untrusted text of the service on its way to people: without secrets, in one line. */

const LONGEST_TEXT = 300;

/** No key is shorter; a shorter text would be found in places where it is no secret. */
const SHORTEST_SECRET = 8;

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
