/** What the lead service says by itself: untrusted text on its way to people. */

const LONGEST_TEXT = 300;

/**
 * Finds the message in the body of a response.
 *
 * The shape of an error body isn't shown (contract, "Errors"): `message`, `error`, `detail` are
 * tried, then plain text. HTML is no message.
 *
 * @returns one line of at most 300 characters, or undefined where nothing was said
 */
export function readErrorText(text: string): string | undefined {
	const trimmed = text.trim();
	if (trimmed === '' || trimmed.startsWith('<')) return undefined;
	const found = findMessage(parse(trimmed), 0);
	return found === undefined ? undefined : asOneLine(found);
}

/** Makes one line of at most 300 characters of a message; undefined where nothing is left. */
export function asOneLine(message: string): string | undefined {
	// Control characters and line breaks have no place in one line.
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line === '') return undefined;
	return line.length > LONGEST_TEXT
		? `${line.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '')}…`
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
