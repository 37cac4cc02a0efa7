import fc from 'fast-check';

import { normaliseLinkedInUrl } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrl';

const ANNA = 'https://www.linkedin.com/in/anna-b';

describe('Promise 4: never pay twice for the same thing', () => {
	test.each([
		ANNA,
		'https://www.linkedin.com/in/anna-b/',
		'http://linkedin.com/in/anna-b',
		'linkedin.com/in/anna-b',
		'www.linkedin.com/in/Anna-B?utm_source=share#about',
		'https://de.linkedin.com/in/anna-b/en',
		'https://UK.LinkedIn.com/IN/ANNA-B/details/experience/',
		'  https://www.linkedin.com/in/anna%2Db\n',
		'//www.linkedin.com/in/anna-b',
		'https://www.linkedin.com:443/in/anna-b',
		'https://www.linkedin.com./in/anna-b',
	])('%s is the same profile', (spelling) => {
		expect(normaliseLinkedInUrl(spelling)).toBe(ANNA);
	});

	test('a name with other letters is the same, encoded or not, composed or not', () => {
		const spellings = [
			'https://www.linkedin.com/in/jos%C3%A9-mu%C3%B1oz',
			'https://www.linkedin.com/in/jos%c3%a9-mu%c3%b1oz',
			'https://www.linkedin.com/in/josé-muñoz',
			'https://www.linkedin.com/in/JOSÉ-MUÑOZ',
			'https://www.linkedin.com/in/jose\u0301-mun\u0303oz',
		];
		expect(new Set(spellings.map(normaliseLinkedInUrl))).toEqual(
			new Set(['https://www.linkedin.com/in/jos%C3%A9-mu%C3%B1oz']),
		);
	});

	test.each(['%E5%BC%A0%E4%BC%9F', '%F0%9F%98%80', 'jos%E9', '100%', '%', '%ZZ', '%ED%A0%80'])(
		'the name %s is read, whatever its encoding is worth',
		(name) => {
			const url = normaliseLinkedInUrl(`https://www.linkedin.com/in/${name}`);
			expect(url).toMatch(/^https:\/\/www\.linkedin\.com\/in\/[^/]+$/);
			expect(normaliseLinkedInUrl(url ?? '')).toBe(url);
		},
	);

	test('one spelling stays that spelling, for every name', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'binary' }),
				fc.constantFrom('https://', 'http://', '', 'https://fr.'),
				fc.boolean(),
				(name, before, encoded) => {
					const text = encoded ? encodeURIComponent(name) : name;
					const once = normaliseLinkedInUrl(`${before}linkedin.com/in/${text}`);
					if (once !== undefined) expect(normaliseLinkedInUrl(once)).toBe(once);
				},
			),
			{ numRuns: 5_000, examples: [['\u0020.', '', true]] },
		);
	});

	test('any text at all is read without a crash', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.string()),
				(text) => {
					const url = normaliseLinkedInUrl(text);
					if (url !== undefined) expect(normaliseLinkedInUrl(url)).toBe(url);
				},
			),
			{ numRuns: 2_000 },
		);
	});

	test('two names stay two profiles', () => {
		const names = ['anna-b', 'anna_b', 'annab', 'anna-b1', 'änna-b', 'anna%252Db'];
		const urls = names.map((name) => normaliseLinkedInUrl(`linkedin.com/in/${name}`));
		expect(new Set(urls).size).toBe(names.length);
	});
});

describe('A URL that is no LinkedIn profile is not looked up', () => {
	test.each([
		['nothing', ''],
		['blanks', ' \t\n '],
		['a slash', '/'],
		['only slashes', '////'],
		['a name alone', 'anna-b'],
		['no name', 'https://www.linkedin.com/in/'],
		['no name behind slashes', 'https://www.linkedin.com/in//'],
		['a blank name', 'https://www.linkedin.com/in/%20'],
		['the home page', 'https://www.linkedin.com'],
		['a company', 'https://www.linkedin.com/company/acme'],
		['a school', 'https://www.linkedin.com/school/acme'],
		['an old public page', 'https://www.linkedin.com/pub/anna-b/1/2/3'],
		['a post', 'https://www.linkedin.com/posts/anna-b_123'],
		['Sales Navigator', 'https://www.linkedin.com/sales/lead/ACwAAA,NAME'],
		['a host that ends alike', 'https://evil-linkedin.com/in/anna-b'],
		['a host that begins alike', 'https://linkedin.com.evil.example/in/anna-b'],
		['another host', 'https://example.com/linkedin.com/in/anna-b'],
		['a user name that looks like the host', 'https://linkedin.com@evil.example/in/anna-b'],
		['a host with other letters', 'https://lınkedin.com/in/anna-b'],
		['a script', 'javascript:alert(1)//linkedin.com/in/anna-b'],
		['a script with slashes', 'javascript://linkedin.com/in/anna-b'],
		['a file', 'file://linkedin.com/in/anna-b'],
		['FTP', 'ftp://linkedin.com/in/anna-b'],
		['an email address', 'anna@linkedin.com'],
		['the parent folder', 'https://www.linkedin.com/in/..'],
		['a blank in the host', 'https://www.linked in.com/in/anna-b'],
	])('%s', (_, text) => {
		expect(normaliseLinkedInUrl(text)).toBeUndefined();
	});

	test.each([
		['two, separated by a blank', 'linkedin.com/in/anna-b linkedin.com/in/ben-c'],
		['two, separated by a comma', 'linkedin.com/in/anna-b,linkedin.com/in/ben-c'],
		['two, separated by a semicolon', 'linkedin.com/in/anna-b;linkedin.com/in/ben-c'],
		['a name with a blank', 'https://www.linkedin.com/in/anna b'],
		['a remark behind it', 'https://www.linkedin.com/in/anna-b (Anna)'],
		['a name that is a dot behind a blank', 'https://www.linkedin.com/in/%20.'],
	])('%s, since it would be looked up as one profile of another name', (_, text) => {
		expect(normaliseLinkedInUrl(text)).toBeUndefined();
	});
});
