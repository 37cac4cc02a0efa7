/** Parses what the service sends: without secrets, and without rounding anything. */
import { isObject, type Json } from './contract';

/** In most answers there is none, and this is found out five times as fast as which of them are numbers. */
const LONG_DIGITS = new RegExp('\\d'.repeat(16));
/** A whole number of 16 digits or more; in a text such a run may stand, too. */
const LONG_NUMBER = /([:[,]\s*)(-?[1-9]\d{15,})(?=\s*[,}\]])/g;

/** U+0000, which PostgreSQL takes in no text, and ASCII, which may spell a secret, as JSON may write them. */
const ESCAPED = /\\u00(?:00|[2-7])/;

/**
 * Numbers that a double can't tell from their neighbours, as ids of people are, come as text: the digits
 * as they came. Secrets and U+0000 are taken out of values and of names. Looking at each value takes several
 * times as long as parsing, so that is done only where they may stand.
 *
 * @param redact takes secrets out of a text
 * @throws SyntaxError for what is no JSON
 */
export function parseAnswer(text: string, redact: (text: string) => string): Json | unknown[] {
	const isClean = !ESCAPED.test(text) && redact(text) === text;
	const json = JSON.parse(quoteLongNumbers(text)) as Json | unknown[];
	// U+0000 goes first: without it, what is left may be a secret.
	return isClean ? json : cleaned(json, (text) => redact(text.replaceAll('\0', '')));
}

/** Works in place but for objects with other names, and by a list, since nothing says how deep values stand. */
function cleaned(json: Json | unknown[], clean: (text: string) => string): Json | unknown[] {
	const whole = { json };
	const stack: Array<Json | unknown[]> = [whole];
	const look = (value: unknown) => {
		const result = cleanValue(value, clean);
		if (typeof result === 'object' && result !== null) stack.push(result as Json | unknown[]);
		return result;
	};
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		if (Array.isArray(node)) {
			for (let index = 0; index < node.length; index++) node[index] = look(node[index]);
		} else {
			// Each name is there already, `__proto__` too, so that no prototype is set.
			for (const name of Object.keys(node)) node[name] = look(node[name]);
		}
	}
	return whole.json;
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
	if (typeof value === 'string') return clean(value);
	if (typeof value === 'number') {
		// A number that holds the digits of a secret beside others is another number.
		const text = clean(String(value));
		return text === '***' ? text : value;
	}
	if (!isObject(value)) return value;
	const names = Object.keys(value);
	return names.every((name) => clean(name) === name)
		? value
		: Object.fromEntries(names.map((name) => [clean(name), value[name]]));
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

/** @returns how many values a JSON text holds, or keys before them: each follows a comma or an opening bracket */
export function countValues(json: string): number {
	let count = 0;
	for (let at = 0; at < json.length; at++) {
		const character = json[at];
		if (character === ',' || character === '{' || character === '[') count += 1;
		else if (character === '"') at = endOfText(json, at);
	}
	return count;
}

/** Where a text ends that begins at a quote: at the next quote that no backslash escapes. */
function endOfText(json: string, start: number): number {
	let at = json.indexOf('"', start + 1);
	while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
	return at < 0 ? json.length : at;
}

/** Whether one is left over of the backslashes before a character. */
function isEscaped(text: string, at: number): boolean {
	let before = at - 1;
	while (text[before] === '\\') before -= 1;
	return (at - before) % 2 === 0;
}
