/** Any text: no profile that no part of it names, and nothing of it that is neither taken nor refused. */
import fc from 'fast-check';

import { readEntries } from '../../nodes/LeadSearch/resources/linkedInProfile/entries';
import { DRAWS, expectMet, of } from '../seed';

const runs = Math.max(1_000, DRAWS);

/** A profile as it may be written, with its name as it is sent; or what no lookup takes. */
type Written = [text: string, name?: string];

const names = of(
	'anna-bell',
	'bob',
	'jo-7',
	'carla-d%C3%ADaz-1',
	'%F0%9F%9A%80-di',
	'ACoAABcDeF-g_H12',
);
const hosts = of(
	'https://www.linkedin.com',
	'http://de.linkedin.com',
	'linkedin.com',
	'HTTPS://LinkedIn.com',
);
const ends = of(
	'',
	'/',
	'?trk=a&b=c',
	'/en',
	'/details/skills/',
	'#top',
	'%20',
	'.',
	')',
	'”',
	'\u200E',
	':',
);
const inside = of('', 'in/', 'https://www.linkedin.com/in/', 'www.linkedin.com/in/', '/', '\u2060');
const address = fc
	.tuple(hosts, of('/in/', '/IN/', '//in/', '/mwlite/in/', '/comm/in/'), inside, names, ends)
	.map(([host, section, prefix, name, end]): Written => [
		host + section + prefix + name + end,
		name,
	]);
const wrapped = fc
	.tuple(
		address,
		of('[Jo Doe](U)', '<U|Jo>', '<U>', '=HYPERLINK("U","Jo")', 'Li: U', '"U"', '1. U'),
	)
	.filter(([[text]]) => !/[)”:]$/.test(text))
	.map(([[text, name], around]): Written => [around.replace('U', () => text), name]);
const refused = of<Written>(
	...([
		['anna-bell'],
		['acme.com'],
		['linkedin.com/in/an|na'],
		['https://lnkd.in/abc'],
	] as Written[]),
	...([['https://www.linkedin.com/in/undefined'], ['linkedin.com/in/a^b'], ['<b>']] as Written[]),
	...([
		['https://www.linkedin.com/sales/lead/ACwAAB,NAME_SEARCH,x'],
		['x@linkedin.com'],
	] as Written[]),
);
const separators = of(
	',',
	', ',
	'; ',
	' | ',
	' ',
	'\n',
	'\\n',
	'\t',
	'、',
	'，',
	'<br>',
	' & ',
	'\u200B\n',
);

test('each entry of a list is taken or refused, whatever separates them and however they are written', () => {
	const lists = fc.array(fc.tuple(fc.oneof(address, wrapped, refused), separators), {
		maxLength: 6,
	});
	let several = 0;
	const property = fc.property(lists, (list) => {
		const text = list
			.map(([[entry], by], index) => {
				const [next = ''] = list[index + 1]?.[0] ?? [];
				const goesOn = /^\w/.test(next) && !/^(?:https?:|linkedin)/i.test(next);
				// Such addresses have commas in them.
				if (by === ',' && entry.includes('/sales/') && goesOn) return `${entry}, `;
				// Right behind a name, or another word, a word is taken for more of it; and one before a label for that.
				const isWord = next === 'anna-bell' || next === '<b>' || next.startsWith('Li: ');
				return entry + (isWord && [',', '、', '，', '\\n', ' ', ' & '].includes(by) ? '\n' : by);
			})
			.join('');
		const wanted = list.map(([[, name]]) => name && `https://www.linkedin.com/in/${name}`);
		expect(readEntries(text).map(({ url }) => url)).toEqual(wanted);
		if (list.length > 1) several += 1;
	});
	fc.assert(property, { numRuns: runs });
	expectMet(several, runs / 2, runs);
});

const parts = fc.oneof(
	{
		weight: 6,
		arbitrary: of('https://', 'http:', 'www.', 'linkedin.com', '/in/', 'in', '/', '//', '\\'),
	},
	{
		weight: 4,
		arbitrary: of('anna', 'Bob', 'cole-7', 'ACoAAbC', '%C3%A9', '%25C3%25A9', 'undefined', '%E9'),
	},
	{
		weight: 3,
		arbitrary: of(' ', ',', ';', '|', '\n', '\\n', '<br>', '、', '&', '?', '=', '#', '.', '-', ':'),
	},
	{
		weight: 2,
		arbitrary: of('<', '>', '[', ']', '(', ')', '](', '"', '=H("', '\u200B', '\u00AD', '\uFEFF'),
	},
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
	{ weight: 4, arbitrary: address.map(([text]) => text) },
);
const soup = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.array(parts, { maxLength: 25, size: 'max' }).map((found) => found.join('')),
	},
	{ weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
	{ weight: 1, arbitrary: fc.webUrl() },
);

/** What nobody sees, but for what joins an emoji. */
const UNSEEN =
	/(?<!\p{Extended_Pictographic})\uFE0F|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|(?![\u200D\uFE0F])[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const bare = (text: string) => text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
const plain = (text: string) =>
	bare(text)
		.normalize('NFC')
		.replace(/[\u2010\u2011]/g, '-')
		.toLowerCase()
		.normalize('NFC');

/** All that may be a name in it, of whatever encoding. */
function namedIn(text: string): string[] {
	const spellings = [text];
	for (let round = 0; round < 3; round++)
		spellings.push(spellings.at(-1)?.replace(/(?:%[0-9a-f]{2})+/gi, decode) ?? '');
	return spellings.flatMap((spelling) => plain(spelling).split(/[/\\]/));
}

function decode(encoded: string): string {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}

test('no text yields a name that is not in it as a whole, or one with what nobody sees', () => {
	let taken = 0;
	const property = fc.property(soup, (text) => {
		for (const { url, text: entry } of readEntries(text)) {
			if (url === undefined) continue;
			taken += 1;
			expect(readEntries(url)).toEqual([{ text: url, url }]);
			const name = decodeURIComponent(url.slice('https://www.linkedin.com/in/'.length));
			expect(name).not.toMatch(UNSEEN);
			expect(name).not.toMatch(/[\s,;|<>"\\^{}[\]:/&]|linkedin\.com|https?:/i);
			// It begins where a path goes on, and nothing but what no name holds follows it.
			const whole = namedIn(entry).filter((step) => step.startsWith(name.toLowerCase()));
			const after = whole.map((step) => step.slice(name.length));
			expect(after.filter((more) => !/^[-_]|^[\p{L}\p{M}\p{N}]/u.test(more))).not.toEqual([]);
		}
	});
	fc.assert(property, { numRuns: runs });
	expectMet(taken, runs / 20, runs);
});

test('what is taken and what is refused cover the text: no letter or digit is in neither', () => {
	const property = fc.property(soup, (text) => {
		let at = 0;
		const between: string[] = [];
		const visible = text.replace(UNSEEN, (found) => (/\p{Cc}/u.test(found) ? found : ''));
		for (const { text: entry } of readEntries(text)) {
			const found = visible.indexOf(entry, at);
			expect(found).toBeGreaterThanOrEqual(at);
			between.push(visible.slice(at, found));
			at = found + entry.length;
		}
		between.push(visible.slice(at));
		for (const gap of between)
			expect(gap.replace(/\\[nrt]|<\/?(?:br|p)\b[^<>]*>/gi, '')).not.toMatch(/[\p{L}\p{N}]/u);
	});
	fc.assert(property, { numRuns: runs });
});

/** Names written plainly, and not before another address as a prefix. */
const PLAINLY =
	/linkedin\.com\/in\/(?!(?:in|https?|www)\b)([a-z]{3,}(?:-[a-z0-9]+)*)(?=[\s,;?#]|\/(?:[\s,;?#]|$)|$)/gi;

test('every profile that is plainly named is taken, or the entry that names it is refused', () => {
	let met = 0;
	const property = fc.property(soup, (text) => {
		const entries = readEntries(text);
		// Ids keep their case.
		const urls = new Set(entries.map(({ url }) => url?.toLowerCase()));
		const refusals = entries.filter(({ url }) => url === undefined);
		for (const [named, name = ''] of bare(text).matchAll(PLAINLY)) {
			met += 1;
			const isTaken = urls.has(`https://www.linkedin.com/in/${name.toLowerCase()}`);
			expect(isTaken || refusals.some((refusal) => refusal.text.includes(named))).toBe(true);
		}
	});
	fc.assert(property, { numRuns: runs });
	expectMet(met, runs / 20, runs);
});
