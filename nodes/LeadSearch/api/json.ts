/** Parses JSON of the service without secrets and without rounding large numbers. */
import type { Json } from './contract';

/** Finds 16 digits in a row. Most responses have none, and this test is five times as fast as LONG_NUMBER. */
const LONG_DIGIT_RUN = new RegExp('\\d'.repeat(16));
/** A whole number of 16 digits or more. It also matches inside strings. */
const LONG_NUMBER = /([:[,]\s*)(-?[1-9]\d{15,})(?=\s*[,}\]])/g;

/** An escape sequence of JSON. U+0000 is removed, because PostgreSQL doesn't accept it in text. */
const ESCAPE_SEQUENCE = /\\(?:u0000|[^])/g;

/**
 * Parses the body of a response. Integers that a JavaScript number can't represent, such as IDs of people, become
 * strings of the same digits. Secrets and U+0000 are removed from values and names.
 *
 * @param redact removes secrets from a text
 * @throws SyntaxError if the text isn't JSON
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

/** Whether the number of backslashes before a character is odd. */
function isEscaped(text: string, index: number): boolean {
	let last = index - 1;
	while (text[last] === '\\') last -= 1;
	return (index - last) % 2 === 0;
}
