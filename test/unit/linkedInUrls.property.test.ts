/** Tests random texts. Only complete names are requested, and every entry is either read or rejected. */
import fc from 'fast-check';

import { readEntries } from '../../nodes/LeadSearch/resources/linkedInProfile/entries';
import { DRAWS, expectMet, of } from '../seed';

const runs = Math.max(500, DRAWS);
const at = 'https://www.linkedin.com/in/';

const STARTS = `${at} http://de.linkedin.com/in/ linkedin.com/in/ HTTPS://LinkedIn.com//IN/`;
const starts = of(...STARTS.split(' '));
const names = of('anna-bell', 'jo-7', 'carla-d%C3%ADaz-1', '%F0%9F%9A%80-di', 'ACoAABcDeF-g_H12');
const ends = of('', '', '/', '?trk=a&b=c', '/en', '/details/skills/', '#top', '%20', '\u200E');
const MARKS = '… ... .. *** * ••• ~~~ ??? ## […] (…) (...) ‹…›'.split(' ');
const marks = of(...MARKS, ...`%2A%2A %E2%80%A6 {…} <…> …) "…" '…' ___ ▒▒ ○○ $$`.split(' '));
/** Characters around addresses, with or without the closing one. */
const PAIRS = `() [] {} <> "" '' \`\` “” „“ ”“ ‘’ ‚‘ «» »« ‹› ›‹ （） ［］ 「」 『』 【】 《》 ⟨⟩ ⟦⟧ ❨❩ 〝〞`;
const AROUND = `[Bob](U) <U|Bob> {"url":_"U"} {"Bob":"U"} =H("U","Bob") x="U" "Bob:_U" (Bob:_U) (Bob;_U)
	"Bob,_CEO:_U" O'Neill_(U) 1)_(U) Bob_-_'U' <a_href="U">Bob</a> <a_href='U'>Bob</a> LinkedIn:(U) ['U',_'x'] “(”U`;
const wrappers = of(
	...PAIRS.split(' ').map(([open, close]) => `${open}U${close}`),
	...AROUND.split(/\s+/).map((around) => around.replaceAll('_', ' ')),
);
const nested = fc.array(wrappers, { minLength: 1, maxLength: 3 });
/** @param isClosed whether to add the part after the address, too */
const wrap = (text: string, around: string[], isClosed: boolean) =>
	around.reduce((inner, as) => {
		const [before = '', after = ''] = as.split('U');
		return before + inner + (isClosed ? after : '');
	}, text);
const gaps = of(' ', '  ', '\n', '\r\n', '\t', ', ', ',', '; ', ';', ' | ', ' \n  ', '<br>', '\\n');

/** A part of a text. It has a name that must be read, or a text that must be rejected. */
interface Part {
	text: string;
	name?: string;
	rejected?: string;
}

const intact = of(...'U U "U" (U) <U> Jo:_U 1._U -_U'.split(' '));
const complete = fc.tuple(starts, names, ends, intact).map(([start, name, end, as]): Part => ({
	text: as.replace('_', ' ').replace('U', start + name + end),
	name,
}));
const broken = fc
	.tuple(starts, fc.integer({ min: 1, max: 7 }), gaps, nested, fc.boolean())
	.map(([start, to, gap, around, isClosed]): Part => {
		const name = 'bob-cole';
		const text = wrap(start + name.slice(0, to) + gap + name.slice(to), around, isClosed);
		return { text, rejected: start };
	});
/** A part with a truncation mark in its name or after it. */
const truncated = fc
	.tuple(starts, fc.integer({ min: 1, max: 8 }), marks, of('', '', '/', 'cole', ' cole', '?trk=x'))
	.chain(([start, to, mark, more]) =>
		fc.tuple(fc.array(wrappers, { maxLength: 2 }), fc.boolean()).map(([around, isClosed]): Part => {
			const text = wrap(start + 'bob-cole'.slice(0, to) + mark + more, around, isClosed);
			return { text, rejected: start };
		}),
	);
const OTHERS = 'Bob,N/A,undefined,Bob Cole,https://lnkd.in/abc,linkedin.com/company/acme';
const other = of(...OTHERS.split(','));
const parts = fc.oneof(
	complete,
	broken,
	truncated,
	other.map((text): Part => ({ text, rejected: text })),
);

test('complete addresses are read, and broken or truncated ones are rejected, regardless of the text around them', () => {
	const lists = fc.array(parts, { minLength: 1, maxLength: 5 });
	let met = 0;
	const property = fc.property(
		lists,
		of('\n', '\n', '\n', ', ', '\t', ' | '),
		(list, separator) => {
			// The text has a first line without brackets, so that no bracket is around the whole text.
			const first = separator === '\n' ? [`${at}first`] : [];
			const text = [...first, list.map((part) => part.text).join(separator)].join('\n');
			const entries = readEntries(text);
			const urls = entries.flatMap(({ url }) => url ?? []);
			const expected = [...first, ...list.flatMap(({ name }) => (name ? at + name : []))];
			// If the line has an open bracket, or is in brackets, complete addresses are rejected, too.
			if (separator === '\n') expect([text, ...urls]).toEqual([text, ...expected]);
			else expect(expected).toEqual(expect.arrayContaining(urls));
			const rejected = entries.flatMap((entry) => (entry.url === undefined ? entry.text : []));
			const all = rejected.join('\n').toLowerCase();
			for (const part of list)
				if (part.rejected) expect(all).toContain(part.rejected.toLowerCase());
			if (urls.length > 1 && rejected.length > 0) met += 1;
		},
	);
	fc.assert(property, { numRuns: runs });
	expectMet(met, runs / 5, runs);
});

const mixtures = fc
	.array(
		fc.oneof(
			of(
				'https://',
				'http:',
				'www.',
				'linkedin.com',
				'/in/',
				'in',
				'/',
				'//',
				'\\',
				'linkedin.com/in/',
			),
			of('anna', 'Bob', 'cole-7', 'ACoAAbC', '%C3%A9', '%25C3%25A9', 'undefined', '%E9', '_', '’'),
			of(' ', ',', ';', '|', '\n', '\\n', '<br>', '、', '&', '?', '=', '#', '.', '-', ':'),
			of('<', '>', '[', ']', '(', ')', '](', '"', "'", '=H("', '\u200B', '\u00AD', '\uFEFF'),
			fc.string({ unit: 'binary', maxLength: 3 }),
			fc.webUrl(),
			{ weight: 3, arbitrary: fc.tuple(starts, names, ends).map((address) => address.join('')) },
		),
		{ maxLength: 25, size: 'max' },
	)
	.map((found) => found.join(''));

const seen = (text: string) => text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');

/** Returns everything in a text that may be a name, in any encoding. */
function namedIn(text: string): string[] {
	const decode = (encoded: string) => {
		try {
			return decodeURIComponent(encoded);
		} catch {
			return encoded;
		}
	};
	const spellings = [text];
	for (let round = 0; round < 3; round++)
		spellings.push((spellings.at(-1) ?? '').replace(/(?:%[0-9a-f]{2})+/gi, decode));
	const plain = (one: string) => seen(one.toLowerCase().normalize('NFC')).replace(/[‐‑]/g, '-');
	return spellings.flatMap((one) => plain(one).normalize('NFC').split(/[/\\]/));
}

test('every name that is read is complete in the text, and every plain address is read or rejected', () => {
	const PLAIN_ADDRESS =
		/linkedin\.com\/in\/([a-z]{3,}(?:-[a-z0-9]+)*)(?=[\s,;?#]|\/(?:[\s,;?#]|$)|$)/gi;
	let namesRead = 0;
	let met = 0;
	const property = fc.property(mixtures, (text) => {
		const entries = readEntries(text);
		for (const { url, text: entry } of entries) {
			if (url === undefined) continue;
			namesRead += 1;
			expect(readEntries(url)).toEqual([{ text: url, url }]);
			const name = decodeURIComponent(url.slice(at.length));
			expect(name).not.toMatch(/[\s,;|<>"\\^{}[\]:/&*…\p{Cc}]|linkedin\.com|https?:|[.’]$/iu);
			// The name starts a part of a path, and the next character can't belong to a name.
			const plain = seen(name.toLowerCase());
			const remainders = namedIn(entry).flatMap((segment) =>
				segment.startsWith(plain) ? segment.slice(plain.length) : [],
			);
			expect(
				remainders.filter((remainder) => !/^[-_\p{L}\p{M}\p{N}]/u.test(remainder)),
			).not.toEqual([]);
		}
		for (const [named, name = ''] of seen(text).matchAll(PLAIN_ADDRESS)) {
			met += 1;
			const url = at + name.toLowerCase();
			const isIn = entries.some(
				(one) => one.url?.toLowerCase() === url || one.text.includes(named),
			);
			expect(isIn).toBe(true);
		}
	});
	fc.assert(property, { numRuns: runs });
	expectMet(namesRead, runs / 25, runs);
	expectMet(met, runs / 20, runs);
});
