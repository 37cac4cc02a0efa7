/** Readers of texts that come from outside: ten times the length takes at most twenty times as long, whatever it holds. */
import { findMessage } from '../../nodes/LeadSearch/api/errorBody';
import { asOneLine, redactor } from '../../nodes/LeadSearch/api/errorText';
import { parseAnswer } from '../../nodes/LeadSearch/api/json';
import { InvalidParameterError } from '../../nodes/LeadSearch/parameters/invalidParameter';
import { readBaseUrl } from '../../nodes/LeadSearch/parameters/baseUrl';
import { readList } from '../../nodes/LeadSearch/parameters/lists';
import { readEntries } from '../../nodes/LeadSearch/resources/linkedInProfile/entries';
import {
	normaliseLinkedInUrl,
	profileUrlOf,
	readAddress,
	readUsual,
} from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrl';
import { itemValues } from '../../nodes/LeadSearch/parameters/parameter';
import { linkedinUrls } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrls';
import {
	decodeName,
	isCut,
	isPlaceholder,
	readName,
	withoutInvisible,
} from '../../nodes/LeadSearch/resources/linkedInProfile/profileName';
import { isSlow } from './linear';

const redact = redactor(['sk_live_123456/7890\\\\abcdef']);

const READERS: Record<string, (text: string) => unknown> = {
	...{ readEntries, normaliseLinkedInUrl, readAddress, readUsual, readName, decodeName },
	...{ withoutInvisible, isCut, isPlaceholder },
	profileUrlOf: (text) => profileUrlOf({ linkedin_url: text }),
	'linkedinUrls.read': (text) =>
		linkedinUrls.read(
			text,
			itemValues({}, () => undefined),
		),
	...{ readBaseUrl, readList: (text) => readList('Job Titles', text) },
	...{ asOneLine, findMessage, redact },
	'parseAnswer of a text': (text) => parseAnswer(JSON.stringify([text]), redact),
	'parseAnswer of its parts': (text) => parseAnswer(JSON.stringify(text.split('')), redact),
};

const REPEATED = [
	...[
		'www.',
		'a.',
		'touch.',
		'/',
		'\\',
		'a/',
		'in/',
		'/in/a',
		'm/',
		'comm/',
		'x-',
		'-',
		'_',
		'1',
		'1. ',
	],
	...[
		'\u0301',
		'\u0301\u0316',
		'\u1100',
		'İ',
		'한',
		'😀',
		'🏽',
		'👨\u200D',
		'\u200C',
		'می\u200C',
		'\uFE0F',
	],
	...[
		'[',
		'](',
		'[a](',
		'[[a]',
		'(',
		'{',
		'<',
		'<a ',
		'<a >',
		'<a></',
		'<b>',
		'<br>',
		'<br ',
		'</a>',
		'"',
		"'",
	],
	...[
		'=(',
		'=a(',
		'=a("',
		'=a(""',
		'=a("(" ',
		'= ',
		'=',
		'=\t',
		'a=',
		'&a=',
		'&',
		'&nbsp;',
		'?',
		'#',
		'%',
		'%25',
		'%2',
		'%C3',
	],
	...[
		'https://',
		'http:/',
		'https:',
		'https://x.com/?u=',
		'https%3A%2F%2F',
		'a https://',
		'=https://',
		'x@',
		'@',
	],
	...[
		'linkedin.com',
		'linkedin.com/',
		'linkedin.com/in/',
		'linkedin.com/in/a ',
		'linkedin.com/in/a, ',
		'&u=linkedin.com/in/a',
	],
	...[
		'linkedin.com/in/a b: ',
		'linkedin.com/in/a,b,',
		'b,',
		'linkedin.com/sales/a,',
		'undefined ',
		'[object ',
		'[object Object]',
	],
	...[
		' ',
		'\n',
		'\t',
		',',
		', ',
		';',
		'|',
		'\\n',
		'a ',
		'a\n',
		'a: ',
		'a.b ',
		'.',
		'..',
		'a..',
		'*',
		'* a',
		'**a',
		'~',
		'…',
		'•',
		'!',
	],
	...["'a,", '"a', '“', 'sk_live_', '\\u0073', '&amp;', '1,'],
	...['\uD800', '\uDC00', '\0', '\u200B', '\u{E0041}', '\u202A'],
];
const AROUND: Array<[start: string, end: string]> = [
	['', 'x'],
	['https://www.linkedin.com/in/', '\0'],
	['linkedin.com/in/a?u=', 'x'],
	['<', ''],
	['=H("linkedin.com/in/', ''],
	['<a href="linkedin.com/in/a">', ''],
];

/** @returns the reader, but for a parameter that it refuses in words */
function refusing(reader: (text: string) => unknown): (text: string) => void {
	return (text) => {
		try {
			reader(text);
		} catch (thrown) {
			expect(thrown).toBeInstanceOf(InvalidParameterError);
		}
	};
}

test.each(Object.entries(READERS))(
	'%s takes time in proportion to the length of a text',
	(_, reader) => {
		const slow: unknown[] = [];
		// Up to the longest address, and far beyond.
		for (const short of [190, 5_000])
			for (const repeated of REPEATED)
				for (const [start, end] of AROUND) {
					const textOf = (length: number) =>
						start + repeated.repeat(Math.ceil(length / repeated.length)) + end;
					if (isSlow(refusing(reader), textOf, short)) slow.push([start, repeated, end, short]);
				}
		expect(slow).toEqual([]);
	},
);

test('a host with many subdomains is no address, at once', () => {
	const start = performance.now();
	for (const reader of Object.values(READERS)) refusing(reader)(`https://${'www.'.repeat(26)}x`);
	expect(performance.now() - start).toBeLessThan(500);
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
