/** Tests LinkedIn URLs as users paste them and as tools pass them: which are read, and which entries are rejected. */
import { itemValues } from '../../nodes/LeadSearch/parameters/parameter';
import { profileUrlOf } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrl';
import { linkedinUrls } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrls';

const at = (name: string) => `https://www.linkedin.com/in/${name}`;
const anna = at('anna');
const bob = at('bob');

/** Reads a value. Returns the names at the end of the URLs, and the rejected entries with their reasons. */
function read(value: unknown) {
	const values = itemValues({}, () => undefined);
	const { urls, invalid } = linkedinUrls.read(value, values);
	const names = [...urls.keys()].map((url) => decodeURIComponent(url.slice(at('').length)));
	return { names, rejected: invalid.map(({ entry, reason }) => [entry, reason]) };
}

/**
 * Each row has a text, its result (names, then reasons of rejected entries), and a description. `ANNA` and `BOB` are
 * addresses, `in/` is the beginning of an address, `⏎` is a line break and `⇥` a tab.
 */
const CORPUS = String.raw`
ANNA/details/experience/#top                  anna            a page of the profile
ANNA/?locale=in_ID&u=https://x.example/a      anna            a URL with a URL in its query
linkedin.com/in/Anna                          anna            a URL without a scheme, in capitals
https://m.linkedin.com/mwlite/in/ann          ann             the old mobile page
https://www.linkedin.com/comm/in/ann?x        ann             a link from an email of LinkedIn
//www.linkedin.com//in//ann                   ann             a link from the source of a page
in/jos%C3%A9 in/jos%25C3%25A9                 josé            names that are encoded once and twice
in/José                                       josé            a name that is not encoded
in/张伟-b1 in/👩‍🏫-jo in/o’neill in/jo.b_7       张伟-b1 👩‍🏫-jo o’neill jo.b_7  names that LinkedIn has
in/anna- in/--jo                              anna- --jo      names that start or end with hyphens
in/an‑na                                      an-na           a hyphen of word processors
ANNA BOB                                      anna bob        spaces between URLs
ANNA, BOB;ANNA|BOB | ANNA、BOB，BOB ； ANNA      anna bob        separators of any kind
ANNA⏎BOB⇥ANNA⏎⏎BOB                            anna bob        lines and tabs, as from a spreadsheet
ANNA\nBOB\r- ANNA                              anna bob        line breaks that models write as two characters
- ANNA⏎* BOB⏎• ANNA⏎– BOB⏎1. ANNA⏎2) BOB⏎> ANNA  anna bob        bullets and numbers
Anna: ANNA⏎Anna Bell - BOB⏎Mr Bell → ANNA     anna bob        labels before URLs
"ANNA","BOB"                                  anna bob        quoted cells
'ANNA', “BOB”, „ANNA“, ‘BOB’, «ANNA», (BOB), {ANNA}, [BOB]  anna bob        quotes and brackets
["ANNA","BOB"]                                anna bob        a JSON array
ANNA%20⏎BOB%C2%A0                             anna bob        encoded spaces

-ANNA⏎(3) ANNA⏎>> ANNA                        cut cut cut     bullets without a space, and of other kinds
ANNA & BOB                                    cut             an ampersand between URLs
ANNA<br>BOB                                   several         line breaks of HTML
LinkedIn:ANNA⏎url=ANNA                        cut cut         a label without a space after it
Anna Bell (ANNA)                              cut             a name without a separator after it
Anna: ANNA Bob: BOB                           cut             several labels on one line
"Anna, CEO","ANNA","CEO"                      none            a CSV export
"ANNA⏎BOB"                                    cut cut         a quoted cell with a line break
{"url": "ANNA"}                               cut             JSON that is not an array
[Anna](ANNA)⏎<BOB|Bob Cole>                   cut cut         links of Markdown and Slack
ANNA.⏎ANNA!                                   cut cut         URLs at the end of sentences
x@linkedin.com⏎linkedin.com.x.example/in/a⏎evil-linkedin.com/in/a  none none cut   other hosts
ftp://linkedin.com/in/a⏎https://ANNA⏎https:/linkedin.com/in/a  cut cut cut     other schemes
in/⏎in/undefined⏎in/NaN/⏎in/N/A⏎in/me         cut cut cut cut cut  a missing field
=HYPERLINK("ANNA","Anna")                     cut             a formula
<a href="ANNA">Anna</a>⏎*ANNA*                cut cut         HTML, and Markdown emphasis
Bob Cole, ANNA                                anna none       words next to a URL, which are rejected alone
ANNA⏎N/A⏎undefined⏎BOB                     anna bob none none  a column with missing values
ANNA Bob Cole                                 cut             words after a URL, which may belong to its name
Anna Bell ANNA                                cut             words before a URL without a separator
ANNA, Bob Cole ANNA, CEO                      anna cut none   one ambiguous entry, after which the list is read
| Anna | ANNA | CEO |                         anna none none  a Markdown table
Anna,ANNA,CEO                                 none cut        a CSV row, in which the name may continue after the comma
https://www.linkedin.com/feed/                page            a page of another kind
https://www.linkedin.com/company/acme         page            a company
linkedin.com/sales/lead/ACwAAB,NAME_SEARCH,x?_ntb=a%3D  page            Sales Navigator
https://www.linkedin.com/recruiter/profile/1,aBc,CAP  page            Recruiter
https://lnkd.in/eXyZ12                        shortLink       a short link, which hides its target
in/https%3A%2F%2Fwww.linkedin.com%2Fin%2Fa    several          a prefix before an encoded URL
https://www.linkedin.com:443/in/a             none            a port
ANNABOB                                       several         two URLs without a separator
ANNA/in/bob⏎ANNA?u=BOB  several several  two URLs in one
[ANNA](BOB)                                   cut             a link that shows another URL
https://www.google.com/url?q=ANNA             cut             a redirect
in/jos%E9⏎in/100%  cut cut  a wrong encoding
in/an|na⏎in/an,na⏎in/an;na⏎in/an&nbsp;na⏎in/a@b⏎in/a:b  cut cut cut cut cut cut  a name that continues
in/anna–bell                                  cut             a dash instead of a hyphen

in/anna-be …                                  cut             a truncation mark after a space
‹in/anna-be(…)>                               cut             a truncation mark in brackets of two kinds
"in/bob⏎cole"                                 cut none        a line break within quotes around the whole text
ANNA⏎"in/bob⏎cole"                            anna cut none   a line break within quotes
ANNA⏎(Bob: in/bob⏎cole)                       anna cut none   a line break within brackets
ANNA⏎(Bob, CEO: in/bob, cole)                 anna none       a comma within brackets
ANNA⏎<in/bob,⏎cole>                           anna cut none   a comma and a line break within brackets
ANNA⏎“(in/bob⏎BOB                             anna bob cut    an open bracket, which ends with its line
ANNA⏎1) (in/bob⏎cole)                         anna cut none   a bracket after a number, which closes no other bracket
`;

const CHARACTERS: Record<string, string> = { ANNA: anna, BOB: bob, '⏎': '\n', '⇥': '\t' };
const ROWS = CORPUS.split('\n')
	.filter((row) => row !== '')
	.map((row) => {
		const [, text = '', expected = '', description = ''] =
			/^(.*?\S) {2,}(\S.*?) {2,}(\S.*)$/.exec(row) ?? [];
		const written = text.replace(/(?<![\w.:/])in\//g, at(''));
		return [
			description,
			written.replace(/ANNA|BOB|⏎|⇥/g, (character) => CHARACTERS[character] ?? ''),
			expected.split(' '),
		] as const;
	});

test.each(ROWS)(
	'each entry is read as a profile or rejected in a text with %s: %j',
	(_, text, expected) => {
		const { names, rejected } = read(text);
		expect([...names, ...rejected.map(([, reason]) => reason)]).toEqual(expected);
	},
);

const annaOnly = { names: ['anna'], rejected: [] };
const both = { names: ['anna', 'bob'], rejected: [] };

test('invisible characters are ignored anywhere in an address', () => {
	for (const character of '\u200B\u200D\u200E\u2060\u00AD\uFEFF\u202A\u034F\u{E0041}')
		for (const text of [
			`${character}${anna}`,
			`${anna}${character}`,
			`${at('an')}${character}na`,
			at(`${character}anna/${character}`),
		])
			for (const written of [text, text.replaceAll(character, encodeURIComponent)])
				if (written.startsWith('https')) expect(read(written)).toEqual(annaOnly);
});

test('characters that join letters in Persian and Indic names stay inside of names and are removed at the ends', () => {
	for (const name of ['می\u200Cخواهم', 'क्\u200Dषमा'])
		for (const text of [name, `\u200D${name}\u200C`, encodeURIComponent(name)])
			expect(read(at(text)).names).toEqual([name]);
});

test('IDs keep their case and names become lower case, in lists of URLs and in results of a lookup', () => {
	const id = 'ACwAAABcD12-f3gHiJkLmNoP_RsTuVwXyZ012345';
	const other = id.replace('cD12', 'Cd12');
	expect(read(`${at(id)}/\n${at(id)}?lipi=1\n${at(other)}`).names).toEqual([id, other]);
	expect(profileUrlOf({ linkedin_url: `http://linkedin.com/in/${id}/` })).toBe(at(id));
	expect(profileUrlOf({ linkedin_url: ' linkedin.com/in/Anna\n' })).toBe(anna);
	expect(profileUrlOf({ linkedin_url: null })).toBeUndefined();
	expect(read(at('ACME-Marketing-of-London')).names).toEqual(['acme-marketing-of-london']);
});

test('a name with more than 120 characters and an address with more than 2,000 are rejected', () => {
	expect(read(at('a'.repeat(120))).names).toHaveLength(1);
	expect(read(at('a'.repeat(121))).names).toEqual([]);
	expect(read(anna.padEnd(2_000, '?')).names).toEqual([]);
	expect(read(`${anna}?`.padEnd(2_000, 'x'))).toEqual(annaOnly);
	expect(read(`${`${anna}?`.padEnd(2_001, 'x')}\n${bob}`).names).toEqual(['bob']);
});

test('a rejected entry is returned as it was written', () => {
	const texts = [`${anna}...`, `Bob: ${anna}…`, `<a href="${anna}">Anna</a>`, '(Bob Cole)', 'N/A'];
	expect(read(texts).rejected.map(([entry]) => entry)).toEqual(texts);
});

test('an empty value is rejected as blank', () => {
	for (const value of ['', ' , ,, ', null, [], [null, '']])
		expect(read(value)).toEqual({ names: [], rejected: [[value, 'blank']] });
});

test('an array is read entry by entry: empty entries are ignored, and entries that are not text are rejected', () => {
	expect(read([[[[anna]]], [bob], null, '', ' '])).toEqual(both);
	const otherValues = [undefined, 7, { a: 1 }];
	expect(read([anna, ...otherValues])).toEqual({
		...annaOnly,
		rejected: otherValues.map((value) => [value, 'none']),
	});
	const endless: unknown[] = [];
	endless.push(endless);
	expect(read(endless).rejected).toHaveLength(1);
});
