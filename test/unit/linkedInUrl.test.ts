import fc from 'fast-check';

import { readEntries } from '../../nodes/LeadSearch/resources/linkedInProfile/entries';
import {
	normaliseLinkedInUrl,
	profileUrlOf,
	readAddress,
} from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrl';

describe('Promise 4: never pay twice for the same thing', () => {
	test.each([
		[
			'https://www.linkedin.com/in/anna-b',
			'https://www.linkedin.com/in/anna-b/',
			'http://linkedin.com/in/anna-b',
			...['linkedin.com/in/anna-b', '//www.linkedin.com/in/anna-b'],
			'www.linkedin.com/in/Anna-B?utm_source=share#about',
			'https://de.linkedin.com/in/anna-b/en',
			'https://UK.LinkedIn.com/IN/ANNA-B/details/experience/',
			'  https://www.linkedin.com/in/anna%2Db\n',
			...['https://www.linkedin.com:443/in/anna-b', 'https://www.linkedin.com./in/anna-b'],
			...['https://m.linkedin.com/mwlite/in/anna-b', 'linkedin.com/mwlite/profile/in/anna-b'],
			...['https://www.linkedin.com/comm/in/anna-b?lipi=urn%3Ali', 'linkedin.com//in//anna-b'],
			...['linkedin.com/in/anna-b/overlay/contact-info/', 'linkedin.com/in/anna-b/in?locale=in_ID'],
			...['https:/www.linkedin.com/in/anna-b', 'https//www.linkedin.com/in/anna-b'],
			...['https:\\\\www.linkedin.com\\in\\anna-b', 'https:\\/\\/linkedin.com\\/in\\/anna-b\\/'],
			...['https%3A%2F%2Fwww.linkedin.com%2Fin%2Fanna-b', 'linkedin.com/in/anna%252Db'],
			'https://www.linkedin.com/in/anna-b?original_referer=https://www.google.com/',
		],
		[
			'https://www.linkedin.com/in/jos%C3%A9-mu%C3%B1oz',
			'https://www.linkedin.com/in/jos%c3%a9-mu%c3%b1oz',
			'https://www.linkedin.com/in/josé-muñoz',
			'https://www.linkedin.com/in/JOSÉ-MUÑOZ',
			'https://www.linkedin.com/in/jose\u0301-mun\u0303oz',
		],
	])('%s is the same profile in every spelling', (url, ...spellings) => {
		for (const one of [url, ...spellings]) expect(normaliseLinkedInUrl(one)).toBe(url);
	});

	test('a name is read in any alphabet, and with an emoji', () => {
		const names = [
			'%E5%BC%A0%E4%BC%9F',
			'%F0%9F%91%A8%E2%80%8D%F0%9F%8F%AB-jo-71',
			'o%E2%80%99neill',
		];
		const urls = names.map((name) => `https://www.linkedin.com/in/${name}`);
		expect(urls.map(normaliseLinkedInUrl)).toEqual(urls);
	});

	test('ids that differ in case are two people, and keep it; names do not', () => {
		const ids = [
			'ACoAAABcD12Ef3gHiJkLmNoPqRsTuVwXyZ012345',
			'ACwAAABcD12-f3gHiJkLmNoP_RsTuVwXyZ012345',
		];
		for (const id of ids) {
			const url = `https://www.linkedin.com/in/${id}`;
			const other = url.replace('cD12', 'Cd12');
			expect([`${url}/`, `${url}?lipi=1`, other].map(normaliseLinkedInUrl)).toEqual([
				url,
				url,
				other,
			]);
			// The rows of a lookup are matched by the same spelling.
			expect(profileUrlOf({ linkedin_url: `http://linkedin.com/in/${id}/` })).toBe(url);
		}
		const name = 'https://www.linkedin.com/in/acme-marketing-solutions-of-london';
		expect(normaliseLinkedInUrl('linkedin.com/in/ACME-Marketing-Solutions-of-London')).toBe(name);
	});

	test('one spelling stays that spelling, for every name; any text is read without a crash', () => {
		const text = fc.string({ unit: 'binary' });
		const urls = fc
			.tuple(
				fc.constantFrom('https://', 'http://', '', 'https://fr.'),
				fc.oneof(text, text.map(encodeURIComponent)),
			)
			.map(([before, name]) => `${before}linkedin.com/in/${name}`);
		const property = fc.property(fc.oneof(urls, text, fc.webUrl()), (url) => {
			const once = normaliseLinkedInUrl(url);
			if (once !== undefined) expect(normaliseLinkedInUrl(once)).toBe(once);
		});
		fc.assert(property, { numRuns: 3_000, examples: [['linkedin.com/in/%20.']] });
	});

	test('two names stay two profiles', () => {
		const names = ['anna-b', 'anna_b', 'annab', 'anna-b1', 'änna-b', '%C3%A4nnab'];
		const urls = names.map((name) => normaliseLinkedInUrl(`linkedin.com/in/${name}`));
		expect(new Set(urls).size).toBe(names.length);
	});
});

const named = (name: string) => at(`in/${name}`);
const hexOf = (character: string) => character.charCodeAt(0).toString(16);
const at = (path: string) => `https://www.linkedin.com/${path}`;
test.each([
	['nothing', '', ' \t\n ', '/', '////', 'anna-b'],
	['no name', at('in/'), at('in//'), at('in/%20'), at('in/..'), at('in/%20.')],
	['other pages', at(''), at('posts/anna-b_123'), at('sales/lead/ACwAAA,NAME')],
	['other kinds', at('company/acme'), at('school/acme'), at('pub/anna-b/1/2/3')],
	['hosts that look alike', 'evil-linkedin.com/in/anna-b', 'lınkedin.com/in/anna-b'],
	['hosts that begin alike', 'linkedin.com.evil.example/in/a', 'linkedin.com@evil.example/in/a'],
	['other hosts', 'https://x.example/linkedin.com/in/a', 'a@linkedin.com', 'linked in.com/in/a'],
	['scripts', 'javascript:alert(1)//linkedin.com/in/a', 'javascript://linkedin.com/in/a'],
	['other schemes', 'file://linkedin.com/in/anna-b', 'ftp://linkedin.com/in/anna-b'],
	// Each would be looked up as one profile of another name.
	['two, separated', ...[' ', ',', ';'].map((by) => at(`in/a${by}linkedin.com/in/b`))],
	['a name whose encoding is broken', ...['jos%E9', '100%', '%', '%ZZ', '%ED%A0%80'].map(named)],
	['no field', ...['undefined', 'null', 'None', 'nan', 'NaN/', 'me', 'N/A', 'n%2Fa'].map(named)],
	['no field in other words', ...['UNKNOWN?trk=x', 'nil', '{{ name }}', '-', '__'].map(named)],
	['a name that goes on', ...Array.from('<>"|\\^{}[]:*(&@ ').map((by) => named(`an${by}na`))],
	['the same, encoded', ...Array.from('<>"|\\^{}[]:,;/ ').map((by) => named(`an%${hexOf(by)}na`))],
	['a name that is too long', named('a'.repeat(121))],
	['two in one', at('in/a/in/b'), at('in/a?x=linkedin.com/in/b'), at('in/alinkedin.com/in/b')],
	['a name with a blank', at('in/anna b'), at('in/anna-b (Anna)')],
])('a URL that is no LinkedIn profile is not looked up: %s', (_, ...texts) => {
	expect(texts.filter((text) => normaliseLinkedInUrl(text) !== undefined)).toEqual([]);
});

test('a text of thousands of addresses is read to its end; one address of more than 2,000 characters is none', () => {
	const urls = Array.from({ length: 4_000 }, (_, index) => `linkedin.com/in/anna-${index}`);
	for (const by of [' ', '\n', ', ', '; Bob: ', '/https://www.'])
		expect(readEntries(urls.join(by)).filter(({ url }) => url !== undefined)).toHaveLength(4_000);
	const at = 'https://www.linkedin.com/in/anna?trk=';
	const long = (length: number) => at + 'x'.repeat(length - at.length);
	expect(normaliseLinkedInUrl(long(2_000))).toBe('https://www.linkedin.com/in/anna');
	expect(readAddress(long(2_001))).toEqual({ reason: 'none' });
	expect(readEntries(`${long(2_001)}\nlinkedin.com/in/anna`).map(({ url }) => url)).toEqual([
		undefined,
		'https://www.linkedin.com/in/anna',
	]);
});

test('a text of megabytes in one wrapper is read without a throw', () => {
	for (const [start, repeated] of [
		['=a(', '"'],
		['<a >', '<'],
	] as const)
		expect(readEntries(start + repeated.repeat(8_000_000 / repeated.length)).length).toBeLessThan(
			5,
		);
});

test('an address in an address is read a few times over, and then is in doubt', () => {
	const anna = 'https://www.linkedin.com/in/anna';
	const within = (depth: number) => {
		let url = anna;
		for (let at = 0; at < depth; at++) url = `https://x.com/?u=${encodeURIComponent(url)}`;
		return url;
	};
	expect([1, 2, 3].map((depth) => normaliseLinkedInUrl(within(depth)))).toEqual([anna, anna, anna]);
	expect(normaliseLinkedInUrl(within(8))).toBeUndefined();
	expect(normaliseLinkedInUrl(`${anna}?u=${'linkedin.com/in/anna?u='.repeat(8)}`)).toBeUndefined();
});
