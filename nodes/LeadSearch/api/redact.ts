/** Takes secrets out of what comes back from the service, should it repeat them. */

const REPLACEMENT = '***';

/** No key is shorter; a shorter text would be found in places where it is no secret. */
const SHORTEST_SECRET = 8;

/** Takes secrets out of texts and of what JSON made of them. */
export interface Redact {
	/** Takes them out of a text; undefined stays undefined. */
	<Text extends string | undefined>(text: Text): Text;
	/** Parses JSON without them. Costs nothing more where there are none. */
	json(text: string): unknown;
}

/** @param secrets those that a request carries; empty and very short ones are left alone */
export function redactor(secrets: readonly string[]): Redact {
	const spellings = secrets
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.flatMap((secret) => {
			const inJson = JSON.stringify(secret).slice(1, -1);
			return [secret, encodeURIComponent(secret), inJson, inJson.replaceAll('/', '\\/')];
		});
	const ofText = (text: string) =>
		spellings.reduce((line, spelling) => line.replaceAll(spelling, REPLACEMENT), text);
	const redact = <Text extends string | undefined>(text: Text): Text =>
		(text === undefined ? text : ofText(text)) as Text;
	return Object.assign(redact, {
		json(text: string): unknown {
			const isClean = !spellings.some((spelling) => text.includes(spelling));
			return JSON.parse(
				text,
				isClean
					? undefined
					: (_key, value: unknown) => (typeof value === 'string' ? ofText(value) : value),
			);
		},
	});
}
