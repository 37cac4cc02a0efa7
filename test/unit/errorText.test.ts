/** What the service says in its own words is untrusted text on its way to people. */
import fc from 'fast-check';

import { asOneLine, readErrorText } from '../../nodes/LeadSearch/api/errorText';

describe('The message of the service is found', () => {
	test.each([
		['a message', '{"message": "No such filter"}'],
		['an error text', '{"error": "No such filter"}'],
		['an error object', '{"error": {"code": 7, "message": "No such filter"}}'],
		['a detail', '{"detail": "No such filter"}'],
		['a list of errors', '{"errors": [{"message": "No such filter"}, {"message": "x"}]}'],
		['the first of message and error', '{"error": "x", "message": "No such filter"}'],
		['JSON text', '"No such filter"'],
		['plain text', '  No such filter\n'],
		[
			'the deepest error object that is looked into',
			'{"error":{"error":{"error":["No such filter"]}}}',
		],
		['an empty message beside an error', '{"message": "", "error": "No such filter"}'],
		['a blank message beside an error', '{"message": " \\n", "error": "No such filter"}'],
	])('as %s', (_, text) => {
		expect(readErrorText(text)).toBe('No such filter');
	});

	test('as plain text that holds brackets', () => {
		expect(readErrorText('No such filter: {"a": [1]}')).toBe('No such filter: {"a": [1]}');
	});

	test.each([
		['nothing', ''],
		['blanks', ' \n'],
		['a web page', '<!DOCTYPE html><h1>Not found</h1>'],
		['a web page behind a byte order mark', '\uFEFF<html></html>'],
		['broken JSON', '{"message": "cut'],
		['JSON without a message', '{"code": 7, "message": null}'],
		['an empty list', '[]'],
		['a message too deep', '{"error":{"error":{"error":{"error":{"error":"deep"}}}}}'],
		['an inherited name', '{"__proto__": {"message": "x"}}'],
	])('not in %s', (_, text) => {
		expect(readErrorText(text)).toBeUndefined();
	});

	test('10,000 levels of JSON and a megabyte of brackets cause no crash', () => {
		const deep = '{"error":'.repeat(10_000) + '1' + '}'.repeat(10_000);
		expect(readErrorText(deep)).toBeUndefined();
		expect(readErrorText('['.repeat(1_000_000))).toBeUndefined();
	});
});

describe('One short, harmless line', () => {
	test('control characters and line breaks become blanks', () => {
		expect(asOneLine('\u0000a\r\n\tb\u001b[31m\u2028c\u007f')).toBe('a b [31m c');
	});

	test('a long text is cut and says so', () => {
		expect(asOneLine('x'.repeat(300))).toBe('x'.repeat(300));
		expect(asOneLine('x'.repeat(10_000))).toBe(`${'x'.repeat(300)}…`);
	});

	test('a character is never cut in half', () => {
		const line = asOneLine(`x${'😀'.repeat(300)}`) ?? '';
		expect(() => encodeURIComponent(line)).not.toThrow();
	});

	test('any text comes out as one line of at most 300 characters and a mark', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 400, size: 'max' }), (text) => {
				const line = readErrorText(text);
				if (line === undefined) return;
				expect(line.length).toBeLessThanOrEqual(301);
				expect(line).toBe(line.trim());
				expect(line).not.toMatch(/\p{Cc}/u);
			}),
			{ numRuns: 1_000 },
		);
	});
});
