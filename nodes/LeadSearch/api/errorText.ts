/** Untrusted text of the service on its way to people: without secrets, in one line. */

const LONGEST_TEXT = 300;

/** A shorter text would be found in places where it is no secret. */
const SHORTEST_SECRET = 6;

/** So many characters of a secret are looked for; more would make an expression that takes long to compile. */
const LOOKED_FOR = 64;

/** What a longer secret may go on with, in any spelling. */
const REST_OF_SECRET = '[\\w%&#;.~+/=\\\\-]*';

/** Characters that HTML gives names to. */
const NAMED: Readonly<Record<string, string>> = {
	...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
};

/** Makes one line of at most 300 characters of a message; undefined where nothing is left. */
export function asOneLine(message: string): string | undefined {
	const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	if (line.length <= LONGEST_TEXT) return line === '' ? undefined : line;
	// A character is not cut in half.
	return `${line.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** How JSON and HTML begin to write a printable ASCII character otherwise. */
const ESCAPES = ['\\u00', '&#', '&amp;#'];

/** The same in addresses; `%25` is in `%252F`, too. */
const PERCENT_ESCAPE = /%[2-7]/;

/** What else they write a character with that is no letter, digit, hyphen or underscore. */
const ESCAPES_OF_OTHERS = ['\\', '&'];

/**
 * Takes secrets of six characters or more, which are printable ASCII, out of texts, in JSON or not: as they
 * are, in hex or base64, and with any of their characters as JSON, addresses or HTML may write it. Nothing in
 * the expression repeats without a bound, so that it takes time in proportion to the length of a text.
 *
 * @example redactor(['key/1234'])('key%2f1234, key\\/1234') // '***, ***'
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
	const spellings = secrets
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.map((secret) => {
			const start = secret.slice(0, LOOKED_FOR);
			const any = start.replace(/[^]/g, (character) => spellingsOf(character));
			const encoded = [...new Set([...inHex(start), ...inBase64(start)])];
			const rest = secret.length > LOOKED_FOR ? REST_OF_SECRET : '';
			return {
				pattern: `(?:${[any, ...encoded.map(literally)].join('|')})${rest}`,
				signs: [
					...[start, ...encoded].map(rarePartOf),
					...(/[^\w-]/.test(start) ? ESCAPES_OF_OTHERS : []),
				],
			};
		});
	if (spellings.length === 0) return (text) => text;
	const secret = new RegExp(spellings.map(({ pattern }) => pattern).join('|'), 'g');
	const signs = [...spellings.flatMap((spelling) => spelling.signs), ...ESCAPES];
	// Nearly all texts hold none, which is found out several times as fast as by the expression.
	const mayHold = (text: string) =>
		signs.some((sign) => text.includes(sign)) || (text.includes('%') && PERCENT_ESCAPE.test(text));
	return (text) => (mayHold(text) ? text.replace(secret, '***') : text);
}

/** Six characters from one on that few texts hold, to which a search skips; all of it where it has none of these. */
function rarePartOf(secret: string): string {
	return /[JKQVWXYZq].{5}/.exec(secret)?.[0] ?? secret;
}

/** `/` is also `\/`, `\\/` (JSON in JSON), `\u002f`, `%2F`, `%252F`, `&#x2F;` and `&#47;`. */
function spellingsOf(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const itself = ['"', '/'].includes(character) ? '\\\\{0,3}' : '';
	const many = character === '\\' ? '{1,4}' : '';
	const named = NAMED[character];
	return `(?:${[
		itself + literally(character) + many,
		`(?:%(?:25){0,2}|\\\\{1,3}u00|&(?:amp;)?#[xX]0{0,4})${hex};?`,
		`&(?:amp;)?#0{0,4}${code};`,
		...(named === undefined ? [] : [named]),
	].join('|')})`;
}

function inHex(secret: string): string[] {
	const hex = Buffer.from(secret).toString('hex');
	return [hex, hex.toUpperCase()];
}

/** A secret in base64, at each of the three offsets at which it can begin, in both alphabets. */
function inBase64(secret: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.from(' '.repeat(before) + secret);
		const own = [before === 0 ? 0 : before + 1, Math.floor((bytes.length * 4) / 3)] as const;
		return [bytes.toString('base64').slice(...own), bytes.toString('base64url').slice(...own)];
	});
}

/** As a part of a regular expression. */
function literally(text: string): string {
	return text.replace(/\W/g, '\\$&');
}
