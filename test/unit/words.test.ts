/** What the service says in its own words is untrusted text on its way to people. */
import fc from 'fast-check';

import { readWords, tidy } from '../../nodes/LeadSearch/service/words';

describe("The service's words are found", () => {
	test.each([
		['a message', '{"message": "No such filter"}'],
		['an error text', '{"error": "No such filter"}'],
		['an error object', '{"error": {"code": 7, "message": "No such filter"}}'],
		['a detail', '{"detail": "No such filter"}'],
		['a list of errors', '{"errors": [{"message": "No such filter"}, {"message": "x"}]}'],
		['the first of message and error', '{"error": "x", "message": "No such filter"}'],
		['JSON text', '"No such filter"'],
		['plain text', '  No such filter\n'],
		['an empty message beside an error', '{"message": "", "error": "No such filter"}'],
	])('as %s', (_, text) => {
		expect(readWords(text, [])).toBe('No such filter');
	});

	test.each([
		['nothing', ''],
		['blanks', ' \n'],
		['a web page', '<!DOCTYPE html><h1>Not found</h1>'],
		['a web page behind a byte order mark', '\uFEFF<html></html>'],
		['broken JSON', '{"message": "cut'],
		['JSON without words', '{"code": 7, "message": null}'],
		['an empty list', '[]'],
		['words too deep', '{"error":{"error":{"error":{"error":{"error":"deep"}}}}}'],
		['an inherited name', '{"__proto__": {"message": "x"}}'],
	])('not in %s', (_, text) => {
		expect(readWords(text, [])).toBeUndefined();
	});

	test('10,000 levels of JSON and a megabyte of brackets cause no crash', () => {
		expect(
			readWords('{"error":'.repeat(10_000) + '1' + '}'.repeat(10_000), []),
		).toBeUndefined();
		expect(readWords('['.repeat(1_000_000), [])).toBeUndefined();
	});
});

describe('Secrets never appear', () => {
	const secret = 'key/with+signs=';

	test('neither as such nor encoded, however often', () => {
		const line = tidy(`a ${secret} b ${encodeURIComponent(secret)} c ${secret}`, [secret]);
		expect(line).toBe('a *** b *** c ***');
	});

	test('not in part either where a long text is cut', () => {
		const text = 'x'.repeat(295) + secret;
		expect(tidy(text, [secret])).not.toContain('key');
	});

	test('an empty secret takes nothing out', () => {
		expect(tidy('as it is', [''])).toBe('as it is');
	});

	test('whatever the service says', () => {
		const key = fc.stringMatching(/^[a-cX-Z0-3+/=_.$&-]{8,40}$/);
		fc.assert(
			fc.property(key, fc.array(fc.string()), (apiKey, parts) => {
				const words = readWords(JSON.stringify({ message: parts.join(apiKey) }), [apiKey]);
				expect(words ?? '').not.toContain(apiKey);
			}),
			{ numRuns: 1_000 },
		);
	});
});

describe('One short, harmless line', () => {
	test('control characters and line breaks become blanks', () => {
		expect(tidy('\u0000a\r\n\tb\u001b[31m\u2028c\u007f', [])).toBe('a b [31m c');
	});

	test('a long text is cut and says so', () => {
		expect(tidy('x'.repeat(300), [])).toBe('x'.repeat(300));
		expect(tidy('x'.repeat(10_000), [])).toBe(`${'x'.repeat(300)}…`);
	});

	test('a character is never cut in half', () => {
		const words = tidy(`x${'😀'.repeat(300)}`, []) ?? '';
		expect(() => encodeURIComponent(words)).not.toThrow();
	});

	test('any text comes out as one line of at most 300 characters and a mark', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 400, size: 'max' }), (text) => {
				const words = readWords(text, []);
				if (words === undefined) return;
				expect(words.length).toBeLessThanOrEqual(301);
				expect(words).toBe(words.trim());
				expect(words).not.toMatch(/\p{Cc}/u);
			}),
			{ numRuns: 1_000 },
		);
	});
});
