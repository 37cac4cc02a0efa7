/**
 * Finds in a text the addresses that stand for a profile each, and what is to be refused:
 *
 *     text  = lines of pieces that commas, semicolons, bars or tabs set apart
 *     piece = [bullet or label] addresses with blanks between, or it is refused as a whole
 *
 * So nobody is lost, and of a name that was cut or broken no part is taken. A bracket or quote stands around one
 * address, or its line is refused as a whole.
 *
 *     readEntries('Anna: linkedin.com/in/anna, Bob')
 *     // [{ text: 'linkedin.com/in/anna', url: 'https://www.linkedin.com/in/anna' }, { text: 'Bob', reason: 'none' }]
 */
import { INVISIBLE, readAddress, type Reading } from './linkedInUrl';

/** A part of a text that stands for a profile or for none, as it is written. */
export type Entry = Reading & { text: string };

/** Models write line breaks as two characters, too. */
const LINE_BREAK = /[\n\r\v\f\u2028\u2029]|\\[nr]/;
/** Before anything but a blank or an address it may be within a name. */
const SEPARATOR =
	/\t|[,;|\uFF0C\u3001\uFF1B\uFF5C]{1,99}(?=\s|$|[^\p{L}\p{N}]{0,3}(?:https?:|(?:[a-z]{1,5}\.){0,2}linkedin\.com))/iu;
const LABEL =
	/^(?:\d{1,4}[.)]|[^/\\\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>]{0,80}[-*:=>\u2022\u2013\u2014\u2192])\s+/u;
/** Somebody, beside what is no address. */
const NAMED = /linkedin\.com\/in\//i;
const WRAPS = /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>]/u;
const PAIRS = `"" '' () <> [] {} \u201C\u201D \u201E\u201C \u2018\u2019 \u00AB\u00BB`.split(' ');

/** @param written any text, of any length; the time it takes is in proportion to that @returns its entries in order */
export function readEntries(written: string): Entry[] {
	const text = written.replace(INVISIBLE, '').replace(/[\u2010\u2011]/g, '-');
	return text.split(LINE_BREAK).flatMap(readLine);
}

function readLine(line: string): Entry[] {
	const entries = line.split(SEPARATOR).flatMap(readPiece);
	const open = entries.find(({ text, reason }) => reason !== undefined && WRAPS.test(text));
	return open?.reason === undefined ? entries : [{ text: line.trim(), reason: open.reason }];
}

function readPiece(written: string): Entry[] {
	const piece = written.trim();
	if (!/[\p{L}\p{N}]/u.test(piece)) return [];
	const entries = piece.replace(LABEL, '').split(/\s+/).map(bare);
	if (entries.every(({ url }) => url !== undefined)) return entries;
	const told = entries.find(({ reason = 'none' }) => reason !== 'none')?.reason;
	return [{ text: piece, reason: told ?? (NAMED.test(piece) ? 'cut' : 'none') }];
}

/** Reads a word without the brackets or quotes around it. */
function bare(word: string): Entry {
	const around = word.charAt(0) + word.slice(-1);
	const text = PAIRS.includes(around) ? word.slice(1, -1) : word;
	return { text, ...readAddress(text) };
}
