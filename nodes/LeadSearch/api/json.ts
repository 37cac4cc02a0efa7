/** Parses what the service sends: without secrets, and without rounding anything. */
import type { Json } from './contract';

/** In most answers there is none, and this is found out five times as fast as which of them are numbers. */
const LONG_DIGITS = new RegExp('\\d'.repeat(16));
/** A whole number of 16 digits or more; in a text such a run may stand, too. */
const LONG_NUMBER = /([:[,]\s*)(-?[1-9]\d{15,})(?=\s*[,}\]])/g;

/**
 * Numbers that a double can't tell from their neighbours, as ids of people are, come as text: the digits
 * as they came. Looking at each value takes several times as long as parsing.
 *
 * @param redact takes secrets out of a text
 * @throws SyntaxError for what is no JSON
 */
export function parseAnswer(text: string, redact: (text: string) => string): Json | unknown[] {
	// Escaped ASCII may spell anything.
	const isPlain = !text.includes('\\u00') || !/\\u00[2-7]/.test(text);
	const isClean = isPlain && redact(text) === text;
	const clean = (_key: string, value: unknown) =>
		typeof value === 'string' ? redact(value) : value;
	return JSON.parse(quoteLongNumbers(text), isClean ? undefined : clean) as Json | unknown[];
}

function quoteLongNumbers(text: string): string {
	if (!LONG_DIGITS.test(text)) return text;
	let isInText = false;
	let quote = text.indexOf('"');
	return text.replace(LONG_NUMBER, (all: string, before: string, digits: string, at: number) => {
		for (; quote >= 0 && quote < at; quote = text.indexOf('"', quote + 1))
			if (!isInText || !isEscaped(text, quote)) isInText = !isInText;
		return isInText || Number.isSafeInteger(Number(digits)) ? all : `${before}"${digits}"`;
	});
}

/** After backslashes of which one is left over. */
function isEscaped(text: string, at: number): boolean {
	let backslashes = 0;
	while (text[at - 1 - backslashes] === '\\') backslashes += 1;
	return backslashes % 2 === 1;
}
