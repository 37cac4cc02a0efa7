/**
 * Splits a text, as people paste it and tools hand it over, into entries that stand for a profile each or
 * are refused. What is in no entry is separators:
 *
 *     text      = { separator | entry }
 *     entry     = [ label ] ( wrapper | word )
 *     label     = words and a colon, an equals sign or a dash, or a number, right before an address
 *     wrapper   = a link of Markdown, Slack or HTML, or a formula of a spreadsheet
 *     word      = whatever has no separator in it and no second address
 */
import {
	HOST,
	IN_DOUBT,
	readAddress,
	readUsual,
	SECTIONS_BEFORE,
	USUAL,
	type Reading,
} from './linkedInUrl';
import { withoutInvisible } from './profileName';

const SCHEME = 'https?:[/\\\\]';
const ADDRESS = `(?:${SCHEME}|${HOST}[/\\\\])`;
const NUMBER = '\\d{1,6}[.)]';

const COMMAS = ',\uFF0C\uFE50\uFE51\uFF64\u3001\u060C';
const SEPARATOR_CHARACTERS = '\\s\\p{Cc}\\u2800\\u3164\\uFFA0;\uFF1B\uFE54\u061B';
/** Bars, and line breaks that models write as two characters. In a name, which goes on, they are no separators. */
const BARS = `(?:[|\uFF5C\u00A6]|\\\\[nrt])(?!(?<=in[/\\\\][^\\s/?#]{1,120})(?!${ADDRESS}|${NUMBER}\\s)[\\p{L}\\p{N}])`;
const TAG = '</?(?:br|p|div|li|[uo]l|t[dhr]|table|tbody|thead|hr|span)\\b[^<>]{0,300}>';
const BETWEEN = `[${SEPARATOR_CHARACTERS}${COMMAS}]|${BARS}|&nbsp;|${TAG}`;
const SEPARATORS = new RegExp(`(?:${BETWEEN})+`, 'iuy');

/** Where the next address begins, unless it is the value of a parameter, or what stands before it is a prefix. */
const NEXT = `(?=${SCHEME})(?<!=|linkedin\\.com[/\\\\]+(?:(?:${SECTIONS_BEFORE}|in)[/\\\\]+)*)`;
const WORD = `(?:(?!${BETWEEN})[^\\p{L}\\p{N}/\\\\]){0,20}(?:${SCHEME}+)*(?:(?!${BETWEEN}|${NEXT}).)*`;
/** Their addresses have commas in them. */
const WITH_COMMAS = `(?:${SCHEME}+)?${HOST}/+(?:sales|talent|recruiter)/(?:(?!${BETWEEN}|[<>")\\]]|${NEXT}).|,(?=\\w)(?!${ADDRESS}))+`;

const MARKDOWN = '!?\\[[^[\\]]{0,500}\\]\\([^()]{0,2000}\\)';
const FORMULA = '=\\s*[\\p{L}_.]{1,40}\\((?:"[^"]{0,2000}"|[^"()]){0,20}\\)';
const WRAPPER = [
	MARKDOWN,
	FORMULA,
	'<a\\s[^<>]{0,2000}>(?:(?!</a>).){0,1000}</a>',
	'<[^<>]{1,2000}>',
	// What JavaScript makes of a value that is no text.
	'\\[object [a-z]{1,20}\\]',
].join('|');

/** Words with blanks between: no address or domain, which would be an entry of its own. */
const LABEL_WORDS = `(?:[^\\r\\n\\t${COMMAS};|/\\\\<>()[\\]=@&.]|\\.(?![\\p{L}\\p{N}])){0,80}?`;
const LABEL = `(?:${NUMBER}|${LABEL_WORDS}(?:[:\uFF1A=]|\\s[-\u2013\u2014\u2192]))[^\\S\\r\\n\\t]*(?=[<["'(=]*${ADDRESS}|${MARKDOWN}|${FORMULA}|<a\\s)`;
const ENTRY = new RegExp(
	`(?:${LABEL})?(?:(?<wrapper>${WRAPPER})|(?<word>${WITH_COMMAS}|${WORD}))`,
	'isuy',
);
const USUAL_ENTRY = new RegExp(`${USUAL}(?=[\\s,;]|$)`, 'iy');

/** A part of a text that stands for a profile or for none, as it is written. */
export type Entry = Reading & { text: string };

/** The entries of a text, in order. */
export function readEntries(written: string): Entry[] {
	const single = readUsual(written);
	if (single) return [{ text: written, ...single }];
	const text = withoutInvisible(written);
	const entries: Entry[] = [];
	let at = 0;
	const next = (pattern: RegExp) => {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		if (match) at = pattern.lastIndex;
		return match;
	};
	for (;;) {
		next(SEPARATORS);
		if (at >= text.length) return entries;
		const [usual] = next(USUAL_ENTRY) ?? [];
		if (usual !== undefined) {
			entries.push({ text: usual, ...readAddress(usual) });
			continue;
		}
		const { 0: whole = '', groups } = next(ENTRY) ?? {};
		const { wrapper, word = '' } = groups ?? {};
		// Punctuation alone is nobody.
		if (wrapper === undefined && !/[\p{L}\p{N}]/u.test(whole)) continue;
		const reading = wrapper === undefined ? readAddress(word) : readWrapper(wrapper);
		entries.push({ text: whole.trim(), ...reading });
	}
}

/** The one profile in it. What else it holds, such as the text of a link, is no entry. */
function readWrapper(wrapper: string): Reading {
	if (wrapper.startsWith('[object ')) return { reason: 'field' };
	const entries = readEntries(wrapper.replace(/[<>()[\]"'|]|\bhref=/gi, ' '));
	const named = entries.filter(({ reason }) => reason !== 'none');
	const [url, ...others] = new Set(named.flatMap((entry) => entry.url ?? []));
	const wrong = named.find(({ reason }) => reason && IN_DOUBT.has(reason));
	if (wrong?.reason) return { reason: wrong.reason };
	if (url !== undefined) return others.length === 0 ? { url } : { reason: 'several' };
	return { reason: named[0]?.reason ?? 'none' };
}
