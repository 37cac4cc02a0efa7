/** Parses what the service sends: without secrets, and without rounding anything. */
import type { Json } from './contract';

/** In most answers there is none, and this is found out five times as fast as which of them are numbers. */
const LONG_DIGIT_RUN = new RegExp('\\d'.repeat(16));
/** A whole number of 16 digits or more; in a text such a run may stand, too. */
const LONG_NUMBER = /([:[,]\s*)(-?[1-9]\d{15,})(?=\s*[,}\]])/g;

/** What a backslash begins in JSON: U+0000, which PostgreSQL takes in no text, or something else. */
const ESCAPE_SEQUENCE = /\\(?:u0000|[^])/g;

/**
 * Numbers that a double can't tell from their neighbours, as ids of people are, come as text: the digits
 * as they came. Secrets and U+0000 are taken out, of names, too.
 *
 * @param redact takes secrets out of a text
 * @throws SyntaxError for what is no JSON
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

/** Whether one is left over of the backslashes before a character. */
function isEscaped(text: string, index: number): boolean {
	let last = index - 1;
	while (text[last] === '\\') last -= 1;
	return (index - last) % 2 === 0;
}
