/**
 * Finds in a text, as people paste it and tools hand it over, the addresses that stand for a profile each,
 * and what is to be refused:
 *
 *     text   = { gap | part }
 *     gap    = white space, a comma, a semicolon, a bar or a break of HTML
 *     part   = wrapper | address | words with blanks between
 *
 * Words right before an address are its label where they end as labels do (`Anna Bell: https://…`). Words
 * right behind the name in an address may be the rest of that name, so that it is refused with them. Other
 * words are refused by themselves. So no letter of a text is lost.
 *
 *     readEntries('Anna: linkedin.com/in/anna, Bob')
 *     // [{ text: 'Anna: linkedin.com/in/anna', url: 'https://www.linkedin.com/in/anna' },
 *     //  { text: 'Bob', reason: 'none' }]
 */
import {
	HOST,
	IN_DOUBT,
	readAddress,
	readUsual,
	SECTIONS_BEFORE,
	type Reading,
} from './linkedInUrl';
import { isCut, isPlaceholder, withoutInvisible } from './profileName';

/**
 * Links of Markdown, spreadsheets, HTML and Slack, and what JavaScript makes of a value that is no text.
 * Groups repeat 20 times at most, since each time takes a part of the stack.
 */
const WRAPPER = new RegExp(
	[
		'!?\\[[^[\\]]*\\]\\([^()]*\\)',
		'(?<!(?<!\\\\)[\\p{L}\\p{N}])=\\s*[\\p{L}_.]+\\([^"()]*(?:"[^"]*"[^"()]*){0,20}\\)',
		'<a\\s[^<>]*>[^<]*(?:<(?!/?a\\b)[^<]*){0,20}</a>',
		'<[^<>]+>',
		'\\[object [a-z]+\\]',
	].join('|'),
	'giu',
);
const HOLDS_ADDRESS = /https?:[/\\]|linkedin\.com/i;

/** What stands between parts; `\n` is the line break that models write as two characters. */
const GAP =
	/[\s\p{Cc}\u2800\u3164\uFFA0,;|\uFF0C\uFE50\uFE51\uFF64\u3001\u060C\uFF1B\uFE54\u061B\uFF5C\u00A6]+|\\[nrt]|&nbsp;|<\/?(?:br|p|div|li|[uo]l|t[dhr]|table|tbody|thead|hr|span)\b[^<>]*>/giu;
/** Gaps within a piece. */
const BLANKS = /^(?:[^\S\r\n\t\u2028\u2029]|&nbsp;)*$/;
/** Gaps that a broken name may have in it: in a list, more than that separates words from addresses. */
const TIGHT = /^(?:[^\r\n\t]|\\[nrt])?$/;

/** Where the next address begins, unless it is the value of a parameter, or what stands before it is a prefix. */
const NEXT = new RegExp(
	`(?=https?:[/\\\\])(?<!=|https?:[/\\\\]+|linkedin\\.com[/\\\\]+(?:(?:${SECTIONS_BEFORE}|in)[/\\\\]+)*)`,
	'i',
);
/** No word of a label or of a name: a scheme, a domain, a path, an email or percent-encoding. */
const IS_ADDRESS_LIKE = /[\p{L}\p{N}][./\\@%]+[\p{L}\p{N}]|^https?:/iu;
/** Such an address ends in its name, which may go on; behind a slash, a query, a quote or a bracket it can't. */
const ENDS_IN_NAME = /in[/\\]+[^\s/\\?#]*(?![\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}<>])[^\s/\\?#]$/iu;

/** A label that nothing sets apart from its address, as in `url=https://…`. */
const LABEL_WITHIN = new RegExp(
	`^[^/\\\\?.:\uFF1A=]*[:\uFF1A=]["'([{<]*(?=https?:[/\\\\]|${HOST}[/\\\\])`,
	'i',
);
/** A sign or a number that ends a label; what wraps its address may stand behind the sign. */
const ENDS_LABEL = /[:\uFF1A=]$|(?:^|\s)[-\u2013\u2014\u2192]$|^[^\p{L}\p{N}]*\d{1,6}[.)]$/u;
const WRAPS_ADDRESS = /[\s"'([{<*_]/;
/** Asterisks at the end mask an address, unless they close what was emphasised: `**Anna: https://…**`. */
const MASK = /(?<![*~])([*~]+)[^\p{L}\p{N}*~]*$/u;
/** In characters. */
const LONGEST_LABEL = 80;
const MEANS_SOMETHING = /[\p{L}\p{N}]/u;

/** Whether words are a label of what stands behind them. A loop, as an expression would look for the end at each place. */
function endsLabel(words: string): boolean {
	if (ENDS_LABEL.test(words)) return true;
	let end = words.length;
	while (end > 0 && WRAPS_ADDRESS.test(words.charAt(end - 1))) end -= 1;
	return words.includes('(', end) || ENDS_LABEL.test(words.slice(0, end));
}

/** A part of a text that stands for a profile or for none, as it is written. */
export type Entry = Reading & { text: string };

/** Where a part stands in a text, and what it is: words have no reading, addresses and wrappers have one. */
interface Part {
	from: number;
	to: number;
	reading?: Reading;
	/** Whether words behind it may belong to its name; not known until there are some. */
	isOpen?: boolean;
}

/**
 * @param written any text, of any length; the time it takes is in proportion to that
 * @returns its entries in order, each with the profile that it stands for or the reason to refuse it
 */
export function readEntries(written: string): Entry[] {
	const single = readUsual(written);
	if (single) return [{ text: written, ...single }];
	const text = withoutInvisible(written);
	const entries: Entry[] = [];
	let last: Part | undefined;
	for (const part of partsOf(text)) {
		const { from, to, reading } = part;
		if (last && continues(text, last, part)) {
			const reason = last.reading?.reason ?? (isCut(text.slice(from, to)) ? 'cut' : 'name');
			last = { ...last, to, reading: { reason } };
			entries[entries.length - 1] = entryOf(text, last);
		} else if (reading || MEANS_SOMETHING.test(text.slice(from, to))) {
			last = part;
			entries.push(entryOf(text, part));
		}
	}
	return entries;
}

function entryOf(written: string, { from, to, reading }: Part): Entry {
	const text = written.slice(from, to);
	if (reading?.url !== undefined) return { text, url: reading.url };
	return { text, reason: reading?.reason ?? 'none' };
}

/** Whether a part belongs to the address before it: more of a name, or what follows a comma in an address of Sales Navigator. */
function continues(text: string, last: Part, { from, to, reading }: Part): boolean {
	if (last.reading?.reason === 'salesNavigator' || last.reading?.reason === 'recruiter') {
		const part = text.slice(from, to);
		return text.slice(last.to, from) === ',' && /^\w/.test(part) && !HOLDS_ADDRESS.test(part);
	}
	if (reading || !last.reading) return false;
	const gap = text.slice(last.to, from);
	if (!TIGHT.test(gap) && !BLANKS.test(gap)) return false;
	const words = text.slice(from, to);
	if (!MEANS_SOMETHING.test(words) && !isCut(words)) return false;
	last.isOpen ??= ENDS_IN_NAME.test(text.slice(last.from, last.to));
	return last.isOpen;
}

/** The parts of a text in order: an address with its label, or words that are neither. */
function partsOf(text: string): Part[] {
	const parts: Part[] = [];
	let at = 0;
	// Most texts have none, and to look for them takes as long as to look for gaps.
	const wrappers = ['[', '=', '<'].some((sign) => text.includes(sign))
		? text.matchAll(WRAPPER)
		: [];
	for (const { 0: wrapper, index } of wrappers) {
		const reading = readWrapper(wrapper);
		if (!reading) continue;
		addPlain(parts, text, at, index);
		at = index + wrapper.length;
		parts.push({ from: takeLabel(parts, text, index), to: at, reading, isOpen: false });
	}
	addPlain(parts, text, at, text.length);
	return parts;
}

/** Adds the parts of a text that holds no wrappers, up to a place in it. */
function addPlain(parts: Part[], text: string, start: number, end: number): void {
	let from = start;
	for (const { 0: gap, index } of text.slice(start, end).matchAll(GAP)) {
		addPiece(parts, text, from, start + index);
		from = start + index + gap.length;
	}
	addPiece(parts, text, from, end);
}

/** Adds what has no gap in it. */
function addPiece(parts: Part[], text: string, from: number, end: number): void {
	if (from === end) return;
	const piece = text.slice(from, end);
	if (!/[/\\]/.test(piece)) {
		addWord(parts, text, from, piece);
		return;
	}
	const isQuoted = piece.startsWith('"') && piece.endsWith('"');
	const reading = readUsual(isQuoted ? piece.slice(1, -1) : piece);
	if (reading) {
		parts.push({ from: takeLabel(parts, text, from), to: end, reading });
		return;
	}
	let at = from;
	for (const word of piece.split(NEXT)) {
		addWord(parts, text, at, word);
		at += word.length;
	}
}

function addWord(parts: Part[], text: string, from: number, word: string): void {
	const to = from + word.length;
	if (IS_ADDRESS_LIKE.test(word) || isPlaceholder(word)) {
		const at = takeLabel(parts, text, from);
		parts.push({ from: at, to, reading: readWord(word, text.slice(at, from)) });
		return;
	}
	const before = wordsBefore(parts, text, from);
	if (before) before.to = to;
	else parts.push({ from, to });
}

/** The words right before a place in a text, if any. */
function wordsBefore(parts: readonly Part[], text: string, at: number): Part | undefined {
	const last = parts.at(-1);
	return last && !last.reading && BLANKS.test(text.slice(last.to, at)) ? last : undefined;
}

/** Takes the label of what begins at a place away from the parts before it. @returns where it begins with its label */
function takeLabel(parts: Part[], text: string, at: number): number {
	const before = wordsBefore(parts, text, at);
	if (!before || before.to - before.from > LONGEST_LABEL) return at;
	const words = text.slice(before.from, before.to);
	if (MEANS_SOMETHING.test(words) && !endsLabel(words)) return at;
	parts.pop();
	return before.from;
}

/** @param label what stands before it and belongs to it */
function readWord(word: string, label: string): Reading {
	const address = word.replace(LABEL_WITHIN, '');
	const mask = MASK.exec(address);
	if (!mask) return readAddress(address);
	const [, run = ''] = mask;
	const bare = address.slice(0, mask.index);
	const before = label.replace(/^\*\s/, '') + bare;
	const isEmphasised = before.split(run).length % 2 === 0;
	return readAddress(isEmphasised ? bare : address);
}

/** With one blank for each gap, so that nothing in it is set apart. */
function withoutGaps(slot: string): string {
	return slot.replace(GAP, ' ').trim();
}

/**
 * The one profile in it. Texts of links are nobody, but what stands between brackets or quotes with an
 * address has to be all of the address. @returns undefined for what holds no address and is no wrapper
 */
function readWrapper(wrapper: string): Reading | undefined {
	if (wrapper.startsWith('[object ')) return { reason: 'field' };
	if (!HOLDS_ADDRESS.test(wrapper)) return undefined;
	const slots = wrapper.split(/["'<>()[\]|]/).filter((slot) => HOLDS_ADDRESS.test(slot));
	const entries = slots.flatMap((slot) => readEntries(withoutGaps(slot)));
	const named = entries.filter(({ reason }) => reason !== 'none');
	const wrong = named.find(({ reason }) => reason && IN_DOUBT.has(reason));
	if (wrong?.reason) return { reason: wrong.reason };
	const [url, ...others] = new Set(named.flatMap((entry) => entry.url ?? []));
	if (url !== undefined) return others.length === 0 ? { url } : { reason: 'several' };
	return { reason: named[0]?.reason ?? 'none' };
}
