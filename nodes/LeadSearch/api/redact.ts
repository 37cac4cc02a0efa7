/** Takes secrets out of what comes back from the service, should it repeat them. */

/** No key is shorter; a shorter text would be found in places where it is no secret. */
const SHORTEST_SECRET = 8;

/**
 * @param secrets those that a request carries; empty and very short ones are left alone
 * @returns a function that takes them out of a text, in JSON or not
 */
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
