/**
 * Finds the addresses of profiles in a text, and the entries to reject:
 *
 *     text  = lines of pieces that are separated by commas, semicolons, bars or tabs
 *     piece = [bullet or label] addresses separated by spaces; otherwise the whole piece is rejected
 *
 * So no entry is silently dropped, and no part of a truncated or broken name is taken for a name. A bracket or a
 * quote may surround one address; otherwise its whole line is rejected.
 */
import { INVISIBLE, readAddress, type Reading } from './linkedInUrl';

export type Entry = Reading & { text: string };

/** AI models also write a line break as two characters: a backslash and `n` or `r`. */
const LINE_BREAK = /[\n\r\v\f\u2028\u2029]|\\[nr]/;
/**
 * A comma, semicolon or bar separates entries if a space, the end of the line or an address follows. Elsewhere, it
 * can be part of a name.
 */
const SEPARATOR =
	/\t|[,;|\uFF0C\u3001\uFF1B\uFF5C]{1,99}(?=\s|$|[^\p{L}\p{N}]{0,3}(?:https?:|(?:[a-z]{1,5}\.){0,2}linkedin\.com))/iu;
const LABEL =
	/^(?:\d{1,4}[.)]|[^/\\\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>]*[-*:=>\u2022\u2013\u2014\u2192])\s+/u;
/**
 * If nothing else explains why a piece with such a beginning is rejected, its address is truncated, or isn't alone on
 * its line.
 */
const CONTAINS_PROFILE = /linkedin\.com\/in\//i;
const WRAPPER = /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>]/u;
const PAIRS = `"" '' () <> [] {} \u201C\u201D \u201E\u201C \u2018\u2019 \u00AB\u00BB`.split(' ');

/** Returns all entries of a text. The time is linear in its length. */
export function readEntries(written: string): Entry[] {
	const text = written.replace(INVISIBLE, '').replace(/[\u2010\u2011]/g, '-');
	return text.split(LINE_BREAK).flatMap(readLine);
}

function readLine(line: string): Entry[] {
	const entries = line.split(SEPARATOR).flatMap(readPiece);
	const unclosed = entries.find(({ text, reason }) => reason !== undefined && WRAPPER.test(text));
	return unclosed?.reason === undefined
		? entries
		: [{ text: line.trim(), reason: unclosed.reason }];
}

function readPiece(written: string): Entry[] {
	const piece = written.trim();
	if (!/[\p{L}\p{N}]/u.test(piece)) return [];
	const entries = piece.replace(LABEL, '').split(/\s+/).map(readWord);
	if (entries.every(({ url }) => url !== undefined)) return entries;
	const firstReason = entries.find(({ reason = 'none' }) => reason !== 'none')?.reason;
	return [{ text: piece, reason: firstReason ?? (CONTAINS_PROFILE.test(piece) ? 'cut' : 'none') }];
}

function readWord(word: string): Entry {
	const wrapper = word.charAt(0) + word.slice(-1);
	const text = PAIRS.includes(wrapper) ? word.slice(1, -1) : word;
	return { text, ...readAddress(text) };
}
