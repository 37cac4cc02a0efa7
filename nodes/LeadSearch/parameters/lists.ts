/** Reads lists of values that users type, or that expressions return. */
import { jsonParse } from 'n8n-workflow';

import {
	InvalidParameterError,
	rejectMissingValue,
	rejectUndefined,
	formatValue,
} from './invalidParameter';

/**
 * Reads a list of values. The value can be an array or the JSON of an array, which AI agents send. A string
 * separates values by commas, semicolons or line breaks. A comma in double quotes belongs to its value.
 * The time is linear in the length of the string.
 *
 * @throws InvalidParameterError for example if it isn't clear whether a comma separates values or belongs to a value
 */
export function readList(label: string, value: unknown): string[] {
	const texts: string[] = [];
	for (const entry of splitValues(label, value)) {
		if (entry === undefined) rejectUndefined(label, 'contains an expression that');
		if (entry === null) continue;
		if (!isStringOrNumber(entry)) {
			throw new InvalidParameterError(
				label,
				'contains a value that is neither text nor a number',
				'Write the values separated by commas, one per line, or as an array of texts.',
			);
		}
		const text = cleanSpaces(String(entry));
		rejectMissingValue(label, text, 'contains');
		if (text !== '') texts.push(text);
	}
	return texts;
}

function isStringOrNumber(value: unknown): value is string | number | bigint {
	return ['string', 'number', 'bigint'].includes(typeof value);
}

/** Invisible characters, except the two that control in some scripts how letters join. */
const INVISIBLE = /\ufeff|(?![\s\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

function cleanSpaces(text: string): string {
	return text
		.replace(INVISIBLE, '')
		.replace(/[^\S\n]+/g, ' ')
		.trim();
}

const CURLY_QUOTES = /[\u201C-\u201F\u00AB\u00BB]/g;
/**
 * A value in quotes before a comma or the end of the line, a value without quotes, or a comma. At most one space is
 * next to a quote, because {@link cleanSpaces} has replaced each series of spaces.
 */
const TOKEN = / ?"([^"]*)" ?(?=,|$)|[^,]+|,/g;

/** Whether a line has a comma without quotes between values. It may belong to a value, as in `VP, Sales`. */
export function isSplitAtComma(value: unknown): boolean {
	if (typeof value !== 'string' || !value.includes(',')) return false;
	if (Array.isArray(jsonParse(value, { fallbackValue: value }))) return false;
	return linesOf(cleanText(value)).some(isAmbiguous);
}

function cleanText(value: string): string {
	return cleanSpaces(
		value.replace(/[\t\v\f\r\u0085\u2028\u2029]+/g, '\n').replace(CURLY_QUOTES, '"'),
	);
}

type Token = RegExpMatchArray;

function linesOf(text: string): Token[][] {
	return text.split(/[\n;]/).map((line) => [...line.matchAll(TOKEN)]);
}

function isAmbiguous(line: Token[]): boolean {
	return line.some(
		([token], index) => token === ',' && line[index - 1]?.[1] === undefined && line[index + 1],
	);
}

function splitValues(label: string, value: unknown): unknown[] {
	if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
	const parsed = jsonParse<unknown>(value, { fallbackValue: value });
	if (Array.isArray(parsed)) return parsed;
	const text = cleanText(value);
	// The brackets or quotes would become part of the first and the last value.
	if (/^(?:\[(?!object )|['\u2018`])/.test(text)) {
		const advice = 'Write the values separated by commas, or one per line, e.g. "VP, Sales", CTO.';
		throw new InvalidParameterError(
			label,
			`is ${formatValue(text)}, in brackets or single quotes`,
			advice,
		);
	}
	const lines = linesOf(text);
	const ambiguousLine =
		lines.filter(({ length }) => length > 0).length > 1 ? lines.find(isAmbiguous) : undefined;
	if (ambiguousLine)
		rejectAmbiguous(label, cleanSpaces(ambiguousLine.map(([token]) => token).join('')));
	return lines.flat().flatMap(([token, quoted = token]) => (token === ',' ? [] : [quoted]));
}

function rejectAmbiguous(label: string, line: string): never {
	const quoted = JSON.stringify(line.slice(0, 80));
	throw new InvalidParameterError(
		label,
		`contains ${formatValue(line)} next to other values: it can be one value or two`,
		`Write each value on its own line. Put a value with a comma in quotes, ${quoted}, or in an array, {{ [${quoted}] }}.`,
	);
}
