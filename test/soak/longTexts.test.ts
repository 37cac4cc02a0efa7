/** Tests that functions that read texts from outside take linear time in the length of any text. */
import { findMessage } from '../../nodes/LeadSearch/api/errorBody';
import { toSingleLine, createRedactor } from '../../nodes/LeadSearch/api/errorText';
import { parseResponse } from '../../nodes/LeadSearch/api/json';
import { InvalidParameterError } from '../../nodes/LeadSearch/parameters/invalidParameter';
import { readBaseUrl } from '../../nodes/LeadSearch/parameters/baseUrl';
import { readList } from '../../nodes/LeadSearch/parameters/lists';
import { readEntries } from '../../nodes/LeadSearch/resources/linkedInProfile/entries';
import { profileUrlOf } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrl';
import { itemValues } from '../../nodes/LeadSearch/parameters/parameter';
import { linkedinUrls } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrls';

/** Returns the CPU time of reading a text in milliseconds. Other load on the machine doesn't count. */
function timeOf(read: (text: string) => unknown, text: string, times = 1): number {
	const before = process.cpuUsage();
	for (let time = 0; time < times; time++) read(text);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

/**
 * Whether a text takes more than four times as long as ten texts of a tenth of its length. For a linear reader, both are
 * the same work; for a quadratic one, the long text takes ten times as long. A reader is slow only if it is so in each
 * attempt.
 */
function isSlow(
	read: (text: string) => unknown,
	textOf: (length: number) => string,
	length: number,
) {
	const short = textOf(length);
	const long = textOf(10 * length);
	for (let attempt = 1; attempt <= 10; attempt++) {
		const time = timeOf(read, long);
		// Shorter times are noise: V8 takes 25 ms at times for 50,000 brackets. A quadratic reader takes far longer.
		if (time <= 100 || time <= 4 * timeOf(read, short, 10)) return false;
	}
	return true;
}

const redact = createRedactor(['sk_live_123456/7890\\\\abcdef']);

const READERS: Record<string, (text: string) => unknown> = {
	profileUrlOf: (text) => profileUrlOf({ linkedin_url: text }),
	'linkedinUrls.read': (text) =>
		linkedinUrls.read(
			text,
			itemValues({}, () => undefined),
		),
	readBaseUrl,
	readList: (text) => readList('Job Titles', text),
	toSingleLine,
	findMessage,
	redact,
	'parseResponse of a text': (text) => parseResponse(JSON.stringify([text]), redact),
	'parseResponse of its parts': (text) => parseResponse(JSON.stringify(text.split('')), redact),
};

/** Pieces that the readers look for, complete or in part. */
const REPEATED = [
	...`www. a. touch. / a/ in/ /in/a m/ comm/ x- - _ 1 [ ]( [a]( [[a] ( { < <a></ <b> <br> </a>
		" =( =a( =a(" =a("" = a= &a= & &nbsp; ? # % %25 %2 %C3 https:// http:/ https:
		https://x.com/?u= https%3A%2F%2F =https:// x@ @ linkedin.com linkedin.com/
		linkedin.com/in/ &u=linkedin.com/in/a linkedin.com/in/a,b, b, linkedin.com/sales/a, , ;
		| . .. a.. * **a ~ ! "a sk_live_ &amp; 1,`.split(/\s+/),
	'\\',
	'1. ',
	'\u0301',
	'\u0301\u0316',
	'\u1100',
	'\u0130',
	'\uD55C',
	'\u{1F600}',
	'\u{1F3FD}',
	'\u{1F468}\u200D',
	'\u200C',
	'\u0645\u06CC\u200C',
	'\uFE0F',
	'<a ',
	'<a >',
	'<br ',
	"'",
	'=a("(" ',
	'= ',
	'=\t',
	'a https://',
	'linkedin.com/in/a ',
	'linkedin.com/in/a, ',
	'linkedin.com/in/a b: ',
	'undefined ',
	'[object ',
	'[object Object]',
	' ',
	'\n',
	'\t',
	', ',
	'\\n',
	'a ',
	'a\n',
	'a: ',
	'a.b ',
	'* a',
	'\u2026',
	'\u2022',
	"'a,",
	'\u201C',
	'\\u0073',
	'\uD800',
	'\uDC00',
	'\0',
	'\u200B',
	'\u{E0041}',
	'\u202A',
];
const AROUND: Array<[start: string, end: string]> = [
	['', 'x'],
	['https://www.linkedin.com/in/', '\0'],
	['linkedin.com/in/a?u=', 'x'],
	['<', ''],
	['=H("linkedin.com/in/', ''],
	['<a href="linkedin.com/in/a">', ''],
];

/** Returns a reader that ignores the error for an invalid parameter. */
function ignoringRejection(reader: (text: string) => unknown): (text: string) => void {
	return (text) => {
		try {
			reader(text);
		} catch (thrown) {
			expect(thrown).toBeInstanceOf(InvalidParameterError);
		}
	};
}

test.each(Object.entries(READERS))('%s takes linear time in the length of a text', (_, reader) => {
	const slow: unknown[] = [];
	// The long texts are almost as long as the longest address, and far longer.
	for (const short of [190, 5_000])
		for (const repeated of REPEATED)
			for (const [start, end] of AROUND) {
				const textOf = (length: number) =>
					start + repeated.repeat(Math.ceil(length / repeated.length)) + end;
				if (isSlow(ignoringRejection(reader), textOf, short))
					slow.push([start, repeated, end, short]);
			}
	expect(slow).toEqual([]);
});

test.each(Object.entries(READERS))('%s reads a host with many subdomains quickly', (_, reader) => {
	const textOf = (length: number) => `https://${'www.'.repeat(length / 4)}x`;
	expect(isSlow(ignoringRejection(reader), textOf, 10)).toBe(false);
});

test('a text of megabytes inside quotes or brackets is read without an exception', () => {
	for (const repeated of ['"', '<'])
		expect(readEntries(`=a(${repeated.repeat(8_000_000)}`).length).toBeLessThan(5);
});
