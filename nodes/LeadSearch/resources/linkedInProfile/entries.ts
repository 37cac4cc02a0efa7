/**
 * Finds in a text, as people paste it and tools hand it over, the addresses that stand for a profile each, and what
 * is to be refused:
 *
 *     text  = lines of pieces that commas set apart
 *     piece = [label] addresses with blanks between, or it is refused as a whole
 *
 * So nobody is lost. A piece in a bracket or quote that doesn't end with it is refused, too: of a name that was broken
 * within it, no part is taken.
 *
 *     readEntries('Anna: linkedin.com/in/anna, Bob')
 *     // [{ text: 'linkedin.com/in/anna', url: 'https://www.linkedin.com/in/anna' }, { text: 'Bob', reason: 'none' }]
 */
import { INVISIBLE, readAddress, type Reading } from './linkedInUrl';

/** A part of a text that stands for a profile or for none, as it is written. */
export type Entry = Reading & { text: string };

/** Nothing in it separates or wraps. On megabytes, an expression that repeats takes all of the stack. */
const PLAIN = /^[\w :/.%?=&#~+-]{1,2000}$/;

/** Links of Markdown, and of Slack. */
const MARKDOWN = /\[([^[\]]*)\]\(((?:https?:|(?:[a-z]{1,5}\.)?linkedin\.)[^()<>\s,;|]+)\)/gi;
const SLACK = /<(https?:[^<>|\s,;]+)\|([^<>]*)>/gi;

/** How an address begins. */
const START = '(?:https?:|(?:[a-z]{1,5}\\.){0,2}linkedin\\.com)';
/** Where a comma separates, or a line break that models write as two characters: elsewhere it may break a name. */
const APART = `(?=$|[\\s,;|"\\\\]|[^\\p{L}\\p{N}]{0,5}${START})`;
const LINE_BREAK = new RegExp(
	`[\\n\\r\\v\\f\\u2028\\u2029]|</?(?:br|p|div|li|tr)\\b[^<>]*>|\\\\[nr]${APART}`,
	'iu',
);
const SEPARATOR = new RegExp(
	`\\t|</?td\\b[^<>]*>|(?:[,;|\\uFF0C\\u3001\\u060C\\uFF1B\\uFF5C]{1,99}|\\\\t)${APART}`,
	'iu',
);

/** What sets a label apart from its address: nothing but bullets or a number, or a sign behind words. */
const LABEL =
	/^[^\p{L}\p{N}]*(?:\d{1,6}[.)\]][^\p{L}\p{N}]*)?$|[:=<\uFF1A\p{Ps}][^\p{L}\p{N}]{0,5}$|\s[-\u2013\u2014\u2192]\s?$/u;
/** A label without a blank behind it, in JSON, too. */
const GLUED_LABEL = new RegExp(`^[\\p{L}\\p{N}_]{1,40}["']?[:=\\uFF1A]["']?(?=${START}/)`, 'iu');
/** No label and no text of a link: it may be an address that isn't understood. */
const HAS_PATH = /[\w:.][/\\]/;
const NAMED = /linkedin\.com\/in\//gi;

/** Words that separate addresses. */
const BETWEEN = '&/+|-\u2013\u2014\u2022';
const OPENING = '\'"`\\([{<\u201C\u201E\u2018\u00AB\u2039-\u2022@';
const CLOSING = '\'"`\\)]}>\u201C\u201D\u2019\u00BB\u203A';
/** At the end, a single mark; two are marks of a cut. */
const PUNCTUATION = '.,:;!\u3002';

/** Brackets and quotes. Between letters there are apostrophes. */
const WRAPS = /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}<>"`'](?<!\p{L}['\u2019](?=\p{L}))/gu;
const OPENS = /[\p{Ps}<]/u;
/** Quotes of one kind: languages differ in which of them opens. */
const QUOTES = '“”„‟ ‘’‚‛ «» ‹› " \' `'.split(' ');

/** @param written any text, of any length; the time it takes is in proportion to that @returns its entries in order */
export function readEntries(written: string): Entry[] {
	if (PLAIN.test(written)) return readPiece(written);
	// Models and word processors write other hyphens.
	const seen = written.replace(INVISIBLE, '').replace(/[\u2010\u2011]/g, '-');
	const text = seen
		.replace(MARKDOWN, (link, shown: string, address: string) => unwrap(link, address, shown))
		.replace(SLACK, unwrap)
		.trim();
	const lines = text.split(LINE_BREAK);
	if (!isWrapped(text)) return lines.flatMap(readLine);
	return readPiece(lines.join(' ').slice(1, -1).split(SEPARATOR).join(' '));
}

/** Whether it is an array, or a cell of a sheet that has lines in it: these hold addresses alone. */
function isWrapped(text: string): boolean {
	const [around, inside] = [text.charAt(0) + text.slice(-1), text.slice(1, -1)];
	return around === '[]' ? !/[[\]]/.test(inside) : around === '""' && !inside.includes('"');
}

/** What a link shows is nobody, unless it is an address: then it has to be the same. */
function unwrap(link: string, address: string, shown: string): string {
	const [url, shownUrl] = [address, shown.trim()].map((text) => readAddress(bare(text)[0]).url);
	return (url && url === shownUrl) || !HAS_PATH.test(shown) ? ` ${address} ` : link;
}

function readLine(line: string): Entry[] {
	if (PLAIN.test(line)) return readPiece(line);
	const open: string[] = [];
	return line.split(SEPARATOR).flatMap((piece) => {
		const wasOpen = open.length > 0;
		goThrough(piece, open);
		return readPiece(piece, wasOpen || open.length > 0);
	});
}

/** @param open brackets and quotes that are open before a piece, and then behind it */
function goThrough(piece: string, open: string[]): void {
	for (const { 0: sign, index } of piece.matchAll(WRAPS)) {
		const last = open.at(-1) ?? '';
		const quote = QUOTES.find((quotes) => quotes.includes(sign));
		// In Unicode, a bracket is closed by the next sign or the sign after it.
		const closes = [1, 2].includes(sign.charCodeAt(0) - last.charCodeAt(0)) && OPENS.test(last);
		const isBehind = /[\p{L}\p{N}/]/u.test(piece.charAt(index - 1));
		const isBefore = /[\p{L}\p{N}\p{Ps}\p{Pi}\p{Pf}"'`<]/u.test(piece.charAt(index + 1));
		if (quote ? quote === last && (isBehind || !isBefore) : closes) open.pop();
		else if (quote ? !isBehind : OPENS.test(sign)) open.push(quote ?? sign);
	}
}

/** @returns its addresses, or itself where anything else than a label stands beside them */
function readPiece(written: string, isOpen = false): Entry[] {
	const piece = written.trim();
	if (!/[\p{L}\p{N}]/u.test(piece)) return [];
	const { url } = readAddress(piece);
	if (url !== undefined && !isOpen) return [{ text: piece, url }];
	const entries: Entry[] = [];
	const before: string[] = [];
	let isWhole = !isOpen;
	for (const word of piece.split(/\s/)) {
		const [text, from] = word.includes('/') ? bare(word) : ['', 0];
		const reading = readAddress(text);
		const isWord = reading.reason === 'none';
		if (entries.length === 0) before.push(isWord ? word : word.slice(0, from));
		else if (isWord) isWhole &&= word === '' || BETWEEN.includes(word);
		if (!isWord) entries.push({ text: reading.url === undefined ? word : text, ...reading });
	}
	const [first, label] = [entries[0], before.join(' ')];
	isWhole &&= label.length <= 80 && LABEL.test(label) && !HAS_PATH.test(label);
	if (isWhole && (first?.url !== undefined || entries.length > 1)) return entries;
	const named = Math.max(entries.length, piece.match(NAMED)?.length ?? 0);
	const reason = named > 1 ? 'several' : (first?.reason ?? (named > 0 ? 'cut' : 'none'));
	return [{ text: piece, reason }];
}

/** @returns a word without what wraps it and a label before it, and where that begins */
function bare(word: string): [text: string, from: number] {
	let from = 0;
	let to = word.length;
	while (from < to && OPENING.includes(word.charAt(from))) from += 1;
	const isPunctuated = PUNCTUATION.includes(word.charAt(to - 1));
	if (isPunctuated) to -= 1;
	while (to > from && CLOSING.includes(word.charAt(to - 1))) to -= 1;
	if (!isPunctuated && PUNCTUATION.includes(word.charAt(to - 1))) to -= 1;
	const text = word.slice(from, to);
	const [label = ''] = GLUED_LABEL.exec(text) ?? [];
	return [text.slice(label.length), from + label.length];
}
