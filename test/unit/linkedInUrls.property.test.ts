/** Random texts: only complete names are requested, and every entry is either read or rejected. */
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
		const [before = '', behind = ''] = as.split('U');
		return before + inner + (isClosed ? behind : '');
	}, text);
const gaps = of(' ', '  ', '\n', '\r\n', '\t', ', ', ',', '; ', ';', ' | ', ' \n  ', '<br>', '\\n');

/** A part of a text: with a name that has to be read, or with a text that has to be rejected. */
interface Part {
	text: string;
	name?: string;
	refused?: string;
}

const intact = of(...'U U "U" (U) <U> Jo:_U 1._U -_U'.split(' '));
const whole = fc.tuple(starts, names, ends, intact).map(([start, name, end, as]): Part => ({
	text: as.replace('_', ' ').replace('U', start + name + end),
	name,
}));
const broken = fc
	.tuple(starts, fc.integer({ min: 1, max: 7 }), gaps, nested, fc.boolean())
	.map(([start, to, gap, around, isClosed]): Part => {
		const name = 'bob-cole';
		const text = wrap(start + name.slice(0, to) + gap + name.slice(to), around, isClosed);
		return { text, refused: start };
	});
/** A mark of truncation in a name or after it. */
const cut = fc
	.tuple(starts, fc.integer({ min: 1, max: 8 }), marks, of('', '', '/', 'cole', ' cole', '?trk=x'))
	.chain(([start, to, mark, more]) =>
		fc.tuple(fc.array(wrappers, { maxLength: 2 }), fc.boolean()).map(([around, isClosed]): Part => {
			const text = wrap(start + 'bob-cole'.slice(0, to) + mark + more, around, isClosed);
			return { text, refused: start };
		}),
	);
const OTHERS = 'Bob,N/A,undefined,Bob Cole,https://lnkd.in/abc,linkedin.com/company/acme';
const other = of(...OTHERS.split(','));
const parts = fc.oneof(
	whole,
	broken,
	cut,
	other.map((text): Part => ({ text, refused: text })),
);

test('complete addresses are read, and broken or truncated ones are rejected, whatever is around them', () => {
	const lists = fc.array(parts, { minLength: 1, maxLength: 5 });
	let met = 0;
	const property = fc.property(lists, of('\n', '\n', '\n', ', ', '\t', ' | '), (list, by) => {
		// A first line, so that no bracket is around the whole text.
		const first = by === '\n' ? [`${at}first`] : [];
		const text = [...first, list.map((part) => part.text).join(by)].join('\n');
		const entries = readEntries(text);
		const urls = entries.flatMap(({ url }) => url ?? []);
		const wanted = [...first, ...list.flatMap(({ name }) => (name ? at + name : []))];
		// If the line has an open bracket, or is in brackets, complete addresses are rejected, too.
		if (by === '\n') expect([text, ...urls]).toEqual([text, ...wanted]);
		else expect(wanted).toEqual(expect.arrayContaining(urls));
		const refused = entries.flatMap((entry) => (entry.url === undefined ? entry.text : []));
		const all = refused.join('\n').toLowerCase();
		for (const part of list) if (part.refused) expect(all).toContain(part.refused.toLowerCase());
		if (urls.length > 1 && refused.length > 0) met += 1;
	});
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
	const PLAINLY = /linkedin\.com\/in\/([a-z]{3,}(?:-[a-z0-9]+)*)(?=[\s,;?#]|\/(?:[\s,;?#]|$)|$)/gi;
	let taken = 0;
	let met = 0;
	const property = fc.property(mixtures, (text) => {
		const entries = readEntries(text);
		for (const { url, text: entry } of entries) {
			if (url === undefined) continue;
			taken += 1;
			expect(readEntries(url)).toEqual([{ text: url, url }]);
			const name = decodeURIComponent(url.slice(at.length));
			expect(name).not.toMatch(/[\s,;|<>"\\^{}[\]:/&*…\p{Cc}]|linkedin\.com|https?:|[.’]$/iu);
			// The name starts a part of a path, and the next character can't belong to a name.
			const plain = seen(name.toLowerCase());
			const rests = namedIn(entry).flatMap((step) =>
				step.startsWith(plain) ? step.slice(plain.length) : [],
			);
			expect(rests.filter((rest) => !/^[-_\p{L}\p{M}\p{N}]/u.test(rest))).not.toEqual([]);
		}
		for (const [named, name = ''] of seen(text).matchAll(PLAINLY)) {
			met += 1;
			const url = at + name.toLowerCase();
			const isIn = entries.some(
				(one) => one.url?.toLowerCase() === url || one.text.includes(named),
			);
			expect(isIn).toBe(true);
		}
	});
	fc.assert(property, { numRuns: runs });
	expectMet(taken, runs / 25, runs);
	expectMet(met, runs / 20, runs);
});
