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
 * comma may set values apart or belong to a value
 */
export function readList(label: string, value: unknown): string[] {
	const texts: string[] = [];
	for (const entry of splitList(label, value)) {
		if (entry === undefined) refuseUndefined(label, 'holds an expression that');
		if (entry === null) continue;
		if (!isText(entry)) {
			throw new InvalidParameterError(
				label,
				'holds a value that is neither text nor a number',
				'Write the values comma-separated or one per line, or give an array of texts.',
			);
		}
		refuseNobodys(label, String(entry), 'holds');
		const text = bare(String(entry));
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
	const isBracketed = BRACKETS.test(text);
	if (isBracketed) refuseNobodys(label, text, 'holds');
	const groups = groupsIn(isBracketed ? text.slice(1, -1) : text);
	// Within brackets a comma sets values apart, as in any array.
	if (!isBracketed && groups.length > 1) refuseAmbiguous(label, groups);
	return groups.flat().map((piece) => piece.text);
}

/** A value, or what may be a part of a value. */
interface Piece {
	text: string;
	isQuoted: boolean;
}

/** @throws InvalidParameterError where commas stand between values that a line break or semicolon sets apart from others */
function refuseAmbiguous(label: string, groups: Piece[][]): void {
	const isOneOrTwo = (piece: Piece, index: number, pieces: Piece[]) =>
		index > 0 && !piece.isQuoted && pieces[index - 1]?.isQuoted === false;
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
		`Write each value on its own line; or one with a comma in quotes, ${quoted}, or in an array, {{ [${quoted}] }}.`,
	);
}

const LINE_BREAK = /[\v\f\r\u0085\u2028\u2029]/g;
/** Characters without a width of their own; those that join letters of some scripts stay. */
const UNSEEN = /\ufeff|(?![\s\u200c\u200d])[\p{Cc}\p{Cf}]/gu;
const BLANKS = /[^\S\n\t]+/g;
const BULLETS = /^ ?[-*\u2022\u2013] /gm;
const UNSEEN_AROUND = /^[\u200c\u200d\s]+|(?<![\u200c\u200d\s])[\u200c\u200d\s]+$/g;

/** A text without what nobody sees in it and bullets, its line breaks of one kind, and its blanks single. */
function tidy(text: string): string {
	const seen = text.replace(LINE_BREAK, '\n').replace(UNSEEN, '').replace(BLANKS, ' ');
	return seen.replace(BULLETS, '').trim();
}

const COMMAS = ',،，';
const MARKS = `${COMMAS};؛；、\t\n`;
/** A value in quotes, which has none of the same kind in it. */
const QUOTED = ['"', "'", '`', '“”„"', '‘’‚', '«»', '‹›', '「」']
	.map((quotes) => `[${quotes}][^${quotes}\n]*[${quotes}]`)
	.join('|');
/** A value in quotes before a mark or the end, so that no apostrophe opens or closes a quote; another value; or a mark. */
const TOKEN = new RegExp(` ?(?:${QUOTED}) ?(?=[${MARKS}]|$)|[^${MARKS}]+|[${MARKS}]`, 'g');
const IS_QUOTED = new RegExp(`^(?:${QUOTED})$`);
const BRACKETS = /^\[[^[\]]*\]$/;

/** Splits a text: a comma begins a piece of a group, since it may belong to a value, any other mark a group. */
function groupsIn(text: string): Piece[][] {
	const groups: Piece[][] = [[]];
	for (const [token] of text.matchAll(TOKEN)) {
		const written = token.trim();
		const value = unquoted(written);
		if (value !== '' && !MARKS.includes(token))
			groups.at(-1)?.push({ text: value, isQuoted: value !== written });
		else if (MARKS.includes(token) && !COMMAS.includes(token)) groups.push([]);
	}
	return groups.filter((group) => group.length > 0);
}

/** A value without quotes and brackets around it, or a single bracket of a pair. */
function bare(value: string): string {
	let text = tidy(value).replaceAll('\n', ' ');
	if (BRACKETS.test(text)) text = text.slice(1, -1).trim();
	else if (/^\[[^\]]*$/.test(text)) text = text.slice(1).trim();
	else if (/^[^[]*\]$/.test(text)) text = text.slice(0, -1).trim();
	return unquoted(text).replace(UNSEEN_AROUND, '');
}

function unquoted(text: string): string {
	return IS_QUOTED.test(text) ? text.slice(1, -1).trim() : text;
}
