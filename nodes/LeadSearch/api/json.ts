/** Parses JSON of the service without secrets and without rounding large numbers. */
import type { Json } from './contract';

/** Matches 16 digits in a row. LONG_NUMBER can match only if this matches, and this test is five times as fast. */
const LONG_DIGIT_RUN = new RegExp('\\d'.repeat(16));
/**
 * Matches a JSON value that is a whole number of 16 digits or more, with the separator before it. It also matches
 * such digits inside a string, so `quoteLongNumbers` leaves matches inside strings unchanged.
 */
const LONG_NUMBER = /([:[,]\s*)(-?[1-9]\d{15,})(?=\s*[,}\]])/g;

/**
 * Matches every escape sequence of JSON, although only U+0000 is removed, which PostgreSQL doesn't accept in text. In
 * `\\u0000`, the second backslash belongs to the first, so this isn't U+0000.
 */
const ESCAPE_SEQUENCE = /\\(?:u0000|[^])/g;

/**
 * Parses the body of a response. Integers that a JavaScript number can't represent, such as long IDs of people,
 * become strings of the same digits. U+0000 is removed. Secrets are replaced in property names, too.
 *
 * @throws SyntaxError if the body isn't JSON
 */
export function parseResponse(text: string, redact: (text: string) => string): Json | unknown[] {
	const clean = text.includes('\\u0000')
		? text.replace(ESCAPE_SEQUENCE, (escape) => (escape === '\\u0000' ? '' : escape))
		: text;
	return JSON.parse(quoteLongNumbers(redact(clean))) as Json | unknown[];
}

function quoteLongNumbers(text: string): string {
	if (!LONG_DIGIT_RUN.test(text)) return text;
	let isInString = false;
	let quoteIndex = text.indexOf('"');
	return text.replace(
		LONG_NUMBER,
		(match: string, prefix: string, digits: string, index: number) => {
			for (; quoteIndex >= 0 && quoteIndex < index; quoteIndex = text.indexOf('"', quoteIndex + 1))
				if (!isInString || !isEscaped(text, quoteIndex)) isInString = !isInString;
			return isInString || Number.isSafeInteger(Number(digits)) ? match : `${prefix}"${digits}"`;
		},
	);
}

function isEscaped(text: string, index: number): boolean {
	let last = index - 1;
	while (text[last] === '\\') last -= 1;
	return (index - last) % 2 === 0;
}
