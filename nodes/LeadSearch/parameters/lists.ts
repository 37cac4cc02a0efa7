/** Lists as people type them, paste them, and as expressions give them. */
import { jsonParse } from 'n8n-workflow';

import { InvalidParameterError, refuseNobodys, refuseUndefined, show } from './invalidParameter';

/**
 * Reads an array, or a text: a JSON array (AI agents send those), values that commas, semicolons, tabs or line
 * breaks set apart, with brackets and quotes around them or without. A comma within quotes belongs to its value. In
 * time in proportion to the length.
 *
 * @example readList('Job Titles', '"VP, Sales", CTO'); // ['VP, Sales', 'CTO']
 * @param label of the parameter, as people see it
 * @returns values without what nobody sees, none of them empty
 * @throws InvalidParameterError for what is no text or number, for what an expression made of nothing, and where a
 * comma may set values apart or belong to one
 */
export function readList(label: string, value: unknown): string[] {
	const texts: string[] = [];
	for (const one of splitList(label, value)) {
		if (one === undefined) refuseUndefined(label, 'holds an expression that');
		if (one === null) continue;
		if (!isText(one)) {
			throw new InvalidParameterError(
				label,
				'holds a value that is neither text nor a number',
				'Write the values comma-separated or one per line, or give an array of texts.',
			);
		}
		refuseNobodys(label, String(one), 'holds');
		const text = bare(String(one));
		refuseNobodys(label, text, 'holds');
		if (text !== '') texts.push(text);
	}
	return texts;
}

function isText(value: unknown): value is string | number | bigint {
	return ['string', 'number', 'bigint'].includes(typeof value);
}

function splitList(label: string, value: unknown): unknown[] {
	if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
	const text = tidy(value);
	const parsed = text.startsWith('[') && jsonParse<unknown>(text, { fallbackValue: text });
	if (Array.isArray(parsed)) return parsed;
	const isBracketed = isInBrackets(text);
	if (isBracketed) refuseNobodys(label, text, 'holds');
	const lines = (isBracketed ? text.slice(1, -1) : text).split('\n');
	const groups = lines.flatMap(groupsIn).filter((group) => group.length > 0);
	// Within brackets a comma sets values apart, as in any array.
	if (!isBracketed && groups.length > 1) refuseAmbiguous(label, groups);
	return groups.flat().map((piece) => piece.text);
}

/** A value, or what may be a part of one. */
interface Piece {
	text: string;
	isQuoted: boolean;
}

/** @throws InvalidParameterError where commas stand between values that a line break or semicolon sets apart from others */
function refuseAmbiguous(label: string, groups: Piece[][]): void {
	const isOneOrTwo = (piece: Piece, index: number, all: Piece[]) =>
		index > 0 && !piece.isQuoted && all[index - 1]?.isQuoted === false;
	const ambiguous = groups.find((group) => group.some(isOneOrTwo));
	if (!ambiguous) return;
	const text = ambiguous
		.map((piece) => piece.text)
		.join(', ')
		.slice(0, 80);
	const quoted = JSON.stringify(text);
	throw new InvalidParameterError(
		label,
		`holds ${show(text)} beside other values, which can be one value or two`,
		`Write each value on a line of its own; or one that holds a comma in quotes, ${quoted}, or in an array, {{ [${quoted}] }}.`,
	);
}

const LINE_BREAK = /[\v\f\r\u0085\u2028\u2029]/g;
/** Characters without a width of their own; those that join letters of some scripts stay. */
const UNSEEN = /\ufeff|(?![\s\u200c\u200d])[\p{Cc}\p{Cf}]/gu;
const BLANK = /[^\S\n\t]/g;
/** Joiners of letters (U+200C, U+200D) and blanks at the ends are cut. The lookbehind keeps the time in proportion to the length. */
const UNSEEN_AROUND = /^[\u200c\u200d\s]+|(?<![\u200c\u200d\s])[\u200c\u200d\s]+$/g;

/** A text without what nobody sees in it, its blanks and line breaks each of one kind. */
function tidy(text: string): string {
	return text.replace(LINE_BREAK, '\n').replace(UNSEEN, '').replace(BLANK, ' ').trim();
}

const COMMAS = ',،，';
const OTHER_MARKS = ';؛；、\t';

/** What a quote may be closed by. */
const CLOSING: Readonly<Record<string, string>> = {
	'"': '"',
	"'": "'",
	'`': '`',
	'“': '”“"',
	'”': '”',
	'„': '“”"',
	'‘': '’‘',
	'’': '’',
	'‚': '‘’',
	'«': '»',
	'»': '«',
	'‹': '›',
	'›': '‹',
	'「': '」',
};

/** Splits a line: semicolons and tabs begin a group, and commas a piece of it, since a comma may belong to a value. */
function groupsIn(line: string): Piece[][] {
	let group: Piece[] = [];
	const groups = [group];
	/** Quotes of which it is known that none is closed from here on. */
	const open = new Set<string>();
	const add = (text: string, isQuoted: boolean) => {
		const value = text.trim();
		if (value !== '') group.push({ text: value, isQuoted });
	};
	let at = 0;
	while (at < line.length) {
		while (line[at] === ' ') at += 1;
		const quote = line[at] ?? '';
		const closing = open.has(quote) ? undefined : CLOSING[quote];
		const close = closing === undefined ? undefined : closedAt(line, at + 1, closing);
		if (closing !== undefined && close === undefined) open.add(quote);
		const end = markAfter(line, close ?? at);
		if (close === undefined) add(line.slice(at, end), false);
		else add(line.slice(at + 1, close), true);
		if (OTHER_MARKS.includes(line[end] ?? ',')) groups.push((group = []));
		at = end + 1;
	}
	return groups;
}

/** @returns the place of the next mark, or the end of the line */
function markAfter(line: string, from: number): number {
	let at = from;
	while (at < line.length && !isMark(line[at])) at += 1;
	return at;
}

function isMark(character = ''): boolean {
	return COMMAS.includes(character) || OTHER_MARKS.includes(character);
}

/** @returns where a quote is closed: before a mark or the end of the line, so not by an apostrophe within a word */
function closedAt(line: string, from: number, closing: string): number | undefined {
	for (let at = from; at < line.length; at++) {
		if (!closing.includes(line[at] ?? ' ')) continue;
		let next = at + 1;
		while (line[next] === ' ') next += 1;
		if (next >= line.length || isMark(line[next])) return at;
	}
	return undefined;
}

/** Whether a text is in brackets that belong together. */
function isInBrackets(text: string): boolean {
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		if (text[at] === '[') depth += 1;
		if (text[at] === ']') depth -= 1;
		if (depth === 0) return at > 0 && at === text.length - 1;
	}
	return false;
}

/** A value without quotes and brackets around it, or a single bracket of a pair. */
function bare(value: string): string {
	let text = tidy(value).replaceAll('\n', ' ');
	if (isInBrackets(text)) text = text.slice(1, -1).trim();
	else if (text.startsWith('[') && !text.includes(']')) text = text.slice(1).trim();
	else if (text.endsWith(']') && !text.includes('[')) text = text.slice(0, -1).trim();
	const closing = CLOSING[text[0] ?? ''];
	const inner = text.slice(1, -1);
	const isQuoted = text.length > 1 && closing?.includes(text.slice(-1));
	if (isQuoted && !inner.includes(text.slice(-1))) text = inner;
	return text.replace(UNSEEN_AROUND, '');
}
