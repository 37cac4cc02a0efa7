/** What the lead service says in its own words: untrusted text on its way to people. */

const LONGEST_WORDS = 300;

/**
 * Finds the words in the body of an answer.
 *
 * The shape of an error body isn't shown (contract, "Errors"): `message`, `error`, `detail` are
 * tried, then plain text. HTML is no message.
 *
 * @param secrets taken out of the words, should the service repeat them
 * @returns one line of at most 300 characters, or undefined where nothing was said
 */
export function readWords(text: string, secrets: readonly string[]): string | undefined {
	const trimmed = text.trim();
	if (trimmed === '' || trimmed.startsWith('<')) return undefined;
	const found = findMessage(parse(trimmed), 0);
	return found === undefined ? undefined : tidy(found, secrets);
}

/** Tidies a message that was found already. See {@link readWords}. */
export function tidy(message: string, secrets: readonly string[]): string | undefined {
	let line = message;
	for (const secret of secrets.filter((text) => text !== '')) {
		line = line.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***');
	}
	// Control characters and line breaks have no place in one line.
	line = line.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line === '') return undefined;
	return line.length > LONGEST_WORDS
		? `${line.slice(0, LONGEST_WORDS).replace(/[\ud800-\udbff]$/, '')}…`
		: line;
}

function parse(text: string): unknown {
	if (!/^[{["]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function findMessage(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (typeof value !== 'object' || value === null || depth > 3) return undefined;
	const candidates = Array.isArray(value)
		? value.slice(0, 1)
		: ['message', 'error', 'detail', 'errors'].map((key): unknown =>
				Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined,
			);
	for (const candidate of candidates) {
		const message = findMessage(candidate, depth + 1);
		if (message !== undefined) return message;
	}
	return undefined;
}
