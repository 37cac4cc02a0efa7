/** An address that was cut or masked names nobody: what is left of it is another person. */
import fc from 'fast-check';

import { readEntries } from '../../nodes/LeadSearch/resources/linkedInProfile/entries';
import { DRAWS, expectMet, of } from '../seed';

const ADDRESSES = [
	'https://www.linkedin.com/in/anna-bell',
	'https://www.linkedin.com/in/anna-bell/',
	'http://de.linkedin.com/in/carla-d%C3%ADaz-1?trk=people-guest_search-card&x=a.b',
	'linkedin.com/in/jo.doe-7/details/skills/',
	'https://m.linkedin.com/mwlite/in/anna_bell#top',
	'https://www.linkedin.com/comm/in/ACoAABcDeF-g_H12?lipi=urn%3Ali%3Apage',
	'https://www.linkedin.com/in/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85',
	'https://www.linkedin.com/in/%F0%9F%9A%80-di',
	'https://www.linkedin.com/in/张伟-b1',
	'https://www.linkedin.com/authwall?sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fanna-bell',
];
const MARKS = ['…', '...', '***', '*****', '•••', '~~~', '%2A%2A%2A'];
const AROUND = [
	'U',
	'<U>',
	'[Anna](U)',
	'=HYPERLINK("U","Anna")',
	'Anna: U',
	'"U"',
	'(U).',
	'1. U',
];
const other = 'https://www.linkedin.com/in/bob-cole';

const namesIn = (text: string) => readEntries(text).flatMap(({ url }) => url ?? []);

test('each address, cut at each place, names nobody before a mark of a cut', () => {
	const taken: string[] = [];
	for (const url of ADDRESSES)
		for (let at = 1; at <= url.length; at++)
			for (const mark of MARKS) {
				// As a part of a parameter it is a value like others, and the name is whole.
				if (mark.startsWith('%') && /[?#]/.test(url.slice(0, at))) continue;
				// Behind a slash it is a step of the path, after a whole name.
				if (mark.startsWith('%') && /\/in\/[^/]+\//.test(url.slice(0, at))) continue;
				for (const around of AROUND) {
					const text = around.replace('U', () => url.slice(0, at) + mark);
					if (namesIn(text).length > 0) taken.push(text);
				}
			}
	expect(taken).toEqual([]);
});

test('nor does it among others, which are taken, or with anything behind it', () => {
	const cuts = fc
		.tuple(of(...ADDRESSES), fc.nat(), of(...MARKS.slice(0, -1)))
		.map(([url, at, mark]) => url.slice(0, 1 + (at % url.length)) + mark);
	const around = of(...AROUND);
	const apart = of('\n', ', ', ' | ', '<br>');
	let met = 0;
	const property = fc.property(cuts, around, apart, apart, (cut, as, before, behind) => {
		const text = as.replace('U', () => cut);
		expect(namesIn(`${other}${before}${text}${behind}${other}`)).toEqual([other, other]);
		if (cut.includes('/in/')) met += 1;
	});
	fc.assert(property, { numRuns: Math.max(2_000, DRAWS) });
	expectMet(met, 500, 2_000);
});

test('an address that was cut without a mark, or is whole, names the one that it names or nobody', () => {
	for (const url of ADDRESSES)
		for (let at = 1; at <= url.length; at++) {
			const names = namesIn(url.slice(0, at));
			expect(names.length).toBeLessThanOrEqual(1);
			for (const name of names) expect(namesIn(name)).toEqual([name]);
		}
	expect(ADDRESSES.flatMap(namesIn)).toHaveLength(ADDRESSES.length);
});

test('any text with a mark right behind each name that it holds names nobody', () => {
	const words = of(
		' ',
		'\n',
		',',
		'Anna',
		': ',
		'- ',
		'(',
		')',
		'"',
		'<',
		'>',
		'|',
		'[a](',
		'=H("',
	);
	const marked = fc
		.tuple(of(...ADDRESSES.filter((url) => /\/in\/[^/?#]+$/.test(url))), of(...MARKS))
		.map(([url, mark]) => url + mark);
	const texts = fc.array(fc.oneof(words, marked), { maxLength: 12 });
	let met = 0;
	const property = fc.property(texts, (parts) => {
		const text = parts.join('');
		expect(namesIn(text)).toEqual([]);
		if (text.includes('/in/')) met += 1;
	});
	fc.assert(property, { numRuns: Math.max(5_000, DRAWS) });
	expectMet(met, 2_000, 5_000);
});
