/** The name in the address of a LinkedIn profile, as LinkedIn allows one. */

/** Arabic to Myanmar, Khmer and Mongolian: scripts in which U+200C and U+200D change how letters look. */
const JOINING = '(?=[\\p{L}\\p{M}])[\\u0600-\\u109F\\u1780-\\u18AF]';

/** What is seen by its effect, and stands in names that LinkedIn gave: what joins an emoji, or the letters of such scripts. */
const JOINER = [
	'(?<=\\p{Extended_Pictographic})\\uFE0F',
	'(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
	`(?<=${JOINING})\\p{Join_Control}(?=${JOINING})`,
].join('|');

/** What nobody sees and copying brings along, such as U+200B, a soft hyphen or a BOM. */
const INVISIBLE = new RegExp(`(?=[\\p{Cf}\\p{Default_Ignorable_Code_Point}])(?!${JOINER}).`, 'gsu');

/** @returns the text without what nobody sees */
export function withoutInvisible(text: string): string {
	// As many bytes as characters are ASCII alone, of which all is seen.
	return Buffer.byteLength(text) === text.length ? text : text.replace(INVISIBLE, '');
}

/** What comes after a name where an address stands in a text. Names may end in a hyphen or an underscore. */
const TRAILING = edge('[\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\p{Cc}\\s<>|^`~+=$]');

/** The end of a text that consists of such characters. The lookbehind keeps the time in proportion to the length. */
function edge(characters: string): RegExp {
	return new RegExp(`(?<!${characters})${characters}+$`, 'u');
}

/** ASCII that no name holds, white space, U+FFFD in place of what was lost, and commas and the like of other widths. */
const FORBIDDEN =
	/[!-&(-,/:-@[-^`{-~\p{Z}\p{Cc}\uFFFD\uFF0C\uFF1B\uFF5C\u3001\u060C\u061B]|linkedin\.com/u;
/** A name that nothing has to be done to. */
const SIMPLE_NAME = /^-*[\p{Ll}\p{Nd}][\p{Ll}\p{Nd}-]*$/u;
const MEANS_SOMETHING = /[\p{L}\p{N}\p{So}]/u;

/**
 * An ellipsis, an asterisk, or a sign twice in a row, as in `anna-be…`, `an***`, `an..` and `an••`. Quotes,
 * brackets and slashes are no such signs: they stand around addresses.
 */
const CUT =
	/[\u2025\u2026\u22EF*\u2217\u2731\uFF0A~\uFF5E]|(?!["'<>`/\\\uFF02\uFF07])([\p{Po}\p{Sm}\p{Sc}\p{Sk}\u2500-\u25FF])\1/u;

/** Whether a text bears a mark of having been cut or masked, so that what is left of a name is another person. */
export function isCut(text: string): boolean {
	return CUT.test(text);
}

/** In place of a name where a field was not there; `me` is whoever is logged in. */
const PLACEHOLDERS = 'undefined|null|none|nil|nan|true|false|me|unknown|https?';
const PLACEHOLDER = new RegExp(`^(?:${PLACEHOLDERS})$`, 'i');

/** As LinkedIn makes them of two names of 50 characters and a number; those that people choose are shorter. */
const MAX_LENGTH = 120;

/** With what nobody sees and punctuation: beyond, it is no name, and reading it would take long. */
const MOST_TO_READ = 1_000;

/** A name that needs no reading, as a part of a pattern that ends before what is no part of a name. */
export const PLAIN_NAME = `(?!(?:${PLACEHOLDERS})(?![a-z0-9-]))(?=-*[a-z0-9])[a-z0-9-]{1,${MAX_LENGTH}}`;

/** What Sales Navigator and scrapers export in place of a name. Two that differ in case are two people. */
const ID = /^AC[A-Za-z](?:AA[\w-]*|(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{25,})$/;

/** Whether a word stands for a field that is not there. */
export function isPlaceholder(word: string): boolean {
	return PLACEHOLDER.test(word);
}

/** @returns the name without percent-encoding, of which some tools put on two; undefined where it is broken */
export function decodeName(encoded: string): string | undefined {
	try {
		const name = decodeURIComponent(encoded);
		return name.includes('%') ? decodeURIComponent(name) : name;
	} catch {
		return undefined;
	}
}

/** @param decoded see {@link decodeName} @returns undefined for what can't be a name */
export function readName(decoded: string): string | undefined {
	if (decoded.length > MOST_TO_READ) return undefined;
	const composed = decoded.normalize('NFC');
	const simple = ID.test(composed) ? composed : composed.toLowerCase();
	if (SIMPLE_NAME.test(simple) && simple.length <= MAX_LENGTH) return simple;
	const visible = withoutInvisible(decoded).normalize('NFC');
	if (isCut(visible)) return undefined;
	// Models and word processors write these hyphens.
	const name = visible
		.replace(/[\u2010\u2011]/g, '-')
		.replace(TRAILING, '')
		.trim();
	const isName = MEANS_SOMETHING.test(name) && !FORBIDDEN.test(name) && name.length <= MAX_LENGTH;
	if (!isName) return undefined;
	return ID.test(name) ? name : name.toLowerCase().normalize('NFC');
}
