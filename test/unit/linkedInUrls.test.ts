/** LinkedIn URLs as users paste them and tools pass them: which profiles are read, and which entries are rejected. */
import { itemValues } from '../../nodes/LeadSearch/parameters/parameter';
import { profileUrlOf } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrl';
import { linkedinUrls } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrls';

const at = (name: string) => `https://www.linkedin.com/in/${name}`;
const anna = at('anna');
const bob = at('bob');

/** Reads a value: names at the end of the URLs, and rejected entries with their reasons. */
function read(value: unknown) {
	const values = itemValues({}, () => undefined);
	const { urls, invalid } = linkedinUrls.read(value, values);
	const names = [...urls.keys()].map((url) => decodeURIComponent(url.slice(at('').length)));
	return { names, refused: invalid.map(({ entry, reason }) => [entry, reason]) };
}

/**
 * Each row: a text, its result (names, then reasons of rejected entries), and a description. `ANNA` and `BOB` are
 * addresses, `in/` is the beginning of one, `⏎` a line break and `⇥` a tab.
 */
const CORPUS = String.raw`
ANNA                                          anna            as browsers copy it
ANNA/                                         anna            with a slash
ANNA?utm_source=share&utm_id=a.b=%3D          anna            as LinkedIn's own buttons share it
ANNA/details/experience/#top                  anna            from a page of the profile
ANNA/?locale=in_ID&u=https://x.example/a      anna            with an address in its query
linkedin.com/in/Anna                          anna            without a scheme, with capitals
http://de.linkedin.com/in/anna                anna            of a country
https://m.linkedin.com/mwlite/in/ann          ann             of the old mobile page
https://www.linkedin.com/comm/in/ann?x        ann             from a mail of LinkedIn
//www.linkedin.com//in//ann                   ann             from the source of a page
in/jos%C3%A9 in/jos%25C3%25A9                 josé            encoded once, and twice
in/José                                       josé            not encoded
in/张伟-b1 in/👩‍🏫-jo in/o’neill in/jo.b_7       张伟-b1 👩‍🏫-jo o’neill jo.b_7  names that LinkedIn has
in/anna- in/--jo                              anna- --jo      some names begin or end so
in/ACoAABcD-e_f                               ACoAABcD-e_f    an id keeps its case
in/an‑na                                      an-na           a hyphen of word processors
ANNA BOB                                      anna bob        blanks separate
ANNA, BOB;ANNA|BOB | ANNA、BOB，BOB ； ANNA      anna bob        marks of any kind
ANNA⏎BOB⇥ANNA⏎⏎BOB                            anna bob        lines and tabs, as from a sheet
ANNA\nBOB\r- ANNA                              anna bob        breaks that models write as two characters
- ANNA⏎* BOB⏎• ANNA⏎– BOB⏎1. ANNA⏎2) BOB⏎> ANNA  anna bob        bullets and numbers
Anna: ANNA⏎Anna Bell - BOB⏎Mr Bell → ANNA     anna bob        labels
"ANNA","BOB"                                  anna bob        cells that are quoted
'ANNA', “BOB”, „ANNA“, ‘BOB’, «ANNA», (BOB), {ANNA}, [BOB]  anna bob        quotes and brackets
["ANNA","BOB"]                                anna bob        JSON
ANNA%20⏎BOB%C2%A0                             anna bob        blanks that are encoded

-ANNA⏎(3) ANNA⏎>> ANNA                        cut cut cut     bullets without a blank, and of other kinds
ANNA & BOB                                    cut             signs between
ANNA<br>BOB                                   several         breaks of HTML
LinkedIn:ANNA⏎url=ANNA                        cut cut         a label that is glued
Anna Bell (ANNA)                              cut             a name without a sign behind it
Anna: ANNA Bob: BOB                           cut             one label for each line
"Anna, CEO","ANNA","CEO"                      none            a CSV export
"ANNA⏎BOB"                                    cut cut         a cell with lines in it
{"url": "ANNA"}                               cut             JSON that is no list
[Anna](ANNA)⏎<BOB|Bob Cole>                   cut cut         links of Markdown and Slack
ANNA.⏎ANNA!                                   cut cut         sentences
x@linkedin.com⏎linkedin.com.x.example/in/a⏎evil-linkedin.com/in/a  none none cut   other hosts
ftp://linkedin.com/in/a⏎https://ANNA⏎https:/linkedin.com/in/a  cut cut cut     other schemes
in/⏎in/undefined⏎in/NaN/⏎in/N/A⏎in/me         cut cut cut cut cut  a field that was not there
=HYPERLINK("ANNA","Anna")                     cut             a formula
<a href="ANNA">Anna</a>⏎*ANNA*                cut cut         HTML, and emphasis
Bob Cole, ANNA                                anna none       words by themselves are refused alone
ANNA⏎N/A⏎undefined⏎BOB                     anna bob none none  as in a column
ANNA Bob Cole                                 cut             words behind may be more of the name
Anna Bell ANNA                                cut             words before need a sign
ANNA, Bob Cole ANNA, CEO                      anna cut none   the rest of a list is read
| Anna | ANNA | CEO |                         anna none none  a table of Markdown
Anna,ANNA,CEO                                 none cut        a CSV row: the name may go on behind a comma
https://www.linkedin.com/feed/                page            pages of other kinds
https://www.linkedin.com/company/acme         page            a company
linkedin.com/sales/lead/ACwAAB,NAME_SEARCH,x?_ntb=a%3D  page            Sales Navigator
https://www.linkedin.com/recruiter/profile/1,aBc,CAP  page            Recruiter
https://lnkd.in/eXyZ12                        shortLink       where it leads to, nobody can tell
in/https%3A%2F%2Fwww.linkedin.com%2Fin%2Fa    several          a prefix before what is encoded
https://www.linkedin.com:443/in/a             none            a port
ANNABOB                                       several         nothing between
ANNA/in/bob⏎ANNA?u=BOB  several several  two in one
[ANNA](BOB)                                   cut             a link that shows another
https://www.google.com/url?q=ANNA             cut             redirects
in/jos%E9⏎in/100%  cut cut  encoding that is broken
in/an|na⏎in/an,na⏎in/an;na⏎in/an&nbsp;na⏎in/a@b⏎in/a:b  cut cut cut cut cut cut  a name that goes on
in/an na                                      cut             a name that a blank has broken
in/anna–bell                                  cut             a dash is no hyphen

in/anna-be…⏎in/anna-be...⏎in/an***⏎in/an*⏎in/an••⏎in/an~~~  cut cut cut cut cut cut  cut or masked
in/an%2A%2A⏎in/an%E2%80%A6⏎in/an___⏎in/an??⏎in/an##⏎in/an!!  cut cut cut cut cut cut  the same in other signs
in/an…na⏎in/an***na⏎in/an***?x⏎in/an…/  cut cut cut cut  anywhere in the name
in/anna-be …                                  cut             behind a blank
‹in/anna-be(…)>                               cut             in brackets of two kinds
"in/bob⏎cole"                                 cut none        broken within quotes that are all of the text
ANNA⏎"in/bob⏎cole"                            anna cut none   within quotes
ANNA⏎(Bob: in/bob⏎cole)                       anna cut none   within brackets
ANNA⏎(Bob, CEO: in/bob, cole)                 anna none       a bracket that a comma left open
ANNA⏎<in/bob,⏎cole>                           anna cut none   broken twice
ANNA⏎“(in/bob⏎BOB                             anna bob cut    an open bracket ends with its line
ANNA⏎1) (in/bob⏎cole)                         anna cut none   a bracket of a number closes no other
`;

const WRITTEN: Record<string, string> = { ANNA: anna, BOB: bob, '⏎': '\n', '⇥': '\t' };
const ROWS = CORPUS.split('\n')
	.filter((row) => row !== '')
	.map((row) => {
		const [, text = '', comes = '', why = ''] = /^(.*?\S) {2,}(\S.*?) {2,}(\S.*)$/.exec(row) ?? [];
		const written = text.replace(/(?<![\w.:/])in\//g, at(''));
		return [
			why,
			written.replace(/ANNA|BOB|⏎|⇥/g, (it) => WRITTEN[it] ?? ''),
			comes.split(' '),
		] as const;
	});

test.each(ROWS)('LinkedIn URLs are read from a text of this kind: %s: %j', (_, text, comes) => {
	const { names, refused } = read(text);
	expect([...names, ...refused.map(([, reason]) => reason)]).toEqual(comes);
});

const one = { names: ['anna'], refused: [] };
const both = { names: ['anna', 'bob'], refused: [] };

test('invisible characters are ignored anywhere in an address', () => {
	for (const it of '\u200B\u200D\u200E\u2060\u00AD\uFEFF\u202A\u034F\u{E0041}')
		for (const text of [
			`${it}${anna}`,
			`${anna}${it}`,
			`${at('an')}${it}na`,
			at(`${it}anna/${it}`),
		])
			for (const written of [text, text.replaceAll(it, encodeURIComponent)])
				if (written.startsWith('https')) expect(read(written)).toEqual(one);
});

test('characters that join letters in Persian and Indic names are kept inside of names and removed at the ends', () => {
	for (const name of ['می\u200Cخواهم', 'क्\u200Dषमा'])
		for (const text of [name, `\u200D${name}\u200C`, encodeURIComponent(name)])
			expect(read(at(text)).names).toEqual([name]);
});

test('IDs that differ in case are different people, in results of a lookup, too, but names are not', () => {
	const id = 'ACwAAABcD12-f3gHiJkLmNoP_RsTuVwXyZ012345';
	const other = id.replace('cD12', 'Cd12');
	expect(read(`${at(id)}/\n${at(id)}?lipi=1\n${at(other)}`).names).toEqual([id, other]);
	expect(profileUrlOf({ linkedin_url: `http://linkedin.com/in/${id}/` })).toBe(at(id));
	expect(profileUrlOf({ linkedin_url: ' linkedin.com/in/Anna\n' })).toBe(anna);
	expect(profileUrlOf({ linkedin_url: null })).toBeUndefined();
	expect(read(at('ACME-Marketing-of-London')).names).toEqual(['acme-marketing-of-london']);
});

test('a name has at most 120 characters, and an address 2,000', () => {
	expect(read(at('a'.repeat(120))).names).toHaveLength(1);
	expect(read(at('a'.repeat(121))).names).toEqual([]);
	expect(read(anna.padEnd(2_000, '?')).names).toEqual([]);
	expect(read(`${anna}?`.padEnd(2_000, 'x'))).toEqual(one);
	expect(read(`${`${anna}?`.padEnd(2_001, 'x')}\n${bob}`).names).toEqual(['bob']);
});

test('a rejected entry is returned as it was written', () => {
	const texts = [`${anna}...`, `Bob: ${anna}…`, `<a href="${anna}">Anna</a>`, '(Bob Cole)', 'N/A'];
	expect(read(texts).refused.map(([entry]) => entry)).toEqual(texts);
});

test('an empty value is rejected as blank', () => {
	for (const value of ['', ' , ,, ', null, [], [null, '']])
		expect(read(value)).toEqual({ names: [], refused: [[value, 'blank']] });
});

test('an array is read entry by entry: empty entries are ignored, and entries that are not text are rejected', () => {
	expect(read([[[[anna]]], [bob], null, '', ' '])).toEqual(both);
	const others = [undefined, 7, { a: 1 }];
	expect(read([anna, ...others])).toEqual({ ...one, refused: others.map((it) => [it, 'none']) });
	const endless: unknown[] = [];
	endless.push(endless);
	expect(read(endless).refused).toHaveLength(1);
});
