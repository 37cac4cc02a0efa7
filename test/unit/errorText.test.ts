/** What the service says in its own words is untrusted text on its way to people. */
import fc from 'fast-check';

import { asOneLine, findMessage, redactor } from '../../nodes/LeadSearch/api/errorText';

test.each([
	'{"message": "No such filter"}',
	'{"error": "No such filter"}',
	'{"error": {"code": 7, "message": "No such filter"}}',
	'{"detail": "No such filter"}',
	'{"errors": [{"message": "No such filter"}, {"message": "x"}]}',
	'{"error": "x", "message": "No such filter"}',
	'{"message": " \\n", "error": "No such filter"}',
	'{"error":{"error":{"error":["No such filter"]}}}',
	'"No such filter"',
	'  No such filter\n',
])('the message is found in %s', (text) => {
	expect(findMessage(text)).toBe('No such filter');
	// Plain text may hold brackets and quotes.
	expect(findMessage(`No such filter: ${text}`)).toBe(`No such filter: ${text}`.trim());
});

test.each([
	['nothing', ' \n'],
	['a web page', '<!DOCTYPE html><h1>Not found</h1>'],
	['a web page after a byte order mark', '\uFEFF<html></html>'],
	['broken JSON', '{"message": "cut'],
	['JSON without a message', '{"code": 7, "message": null}'],
	['an empty list', '[]'],
	['a message too deep', '{"error":{"error":{"error":{"error":{"error":"deep"}}}}}'],
	['10,000 levels', '{"error":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
	['a megabyte of brackets', '['.repeat(1_000_000)],
	['an inherited name', '{"__proto__": {"message": "x"}}'],
])('there is none in %s', (_, text) => {
	expect(findMessage(text)).toBeUndefined();
});

test.each([
	['\u0000a\r\n\tb\u001b[31m\u2028c\u007f', 'a b [31m c'],
	['No such filter: {"a": [1]}', 'No such filter: {"a": [1]}'],
	['x'.repeat(300), 'x'.repeat(300)],
	['x'.repeat(301), `${'x'.repeat(300)}…`],
	// A character is never cut in half.
	[`x${'😀'.repeat(300)}`, `x${'😀'.repeat(149)}…`],
])('%j becomes one short line', (text, line) => {
	expect(asOneLine(text)).toBe(line);
});

test('any text becomes one short, harmless line', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 400, size: 'max' }), (text) => {
			const line = asOneLine(text) ?? 'nothing';
			expect(line.length).toBeLessThanOrEqual(301);
			expect(line).toBe(line.trim());
			expect(line).not.toMatch(/^$|\p{Cc}/u);
		}),
		{ numRuns: 500 },
	);
});

test('a secret never comes back, neither as such nor encoded, however often', () => {
	const secret = 'key/with+"signs=';
	const inJson = JSON.stringify(secret);
	const spellings = [secret, encodeURIComponent(secret), inJson, inJson.replaceAll('/', '\\/')];
	const text = spellings.join(' ') + secret;
	expect(redactor([secret])(text)).toBe('*** *** "***" "***"***');
});

test('a secret never comes back, whatever the service says', () => {
	const key = fc.stringMatching(/^[a-cX-Z0-3+/=_.$&-]{8,40}$/);
	fc.assert(
		fc.property(key, fc.array(fc.string()), (apiKey, parts) => {
			expect(redactor(['', apiKey])(parts.join(apiKey))).not.toContain(apiKey);
		}),
		{ numRuns: 500, examples: [['YYYYYYYY', ['YYYY', 'YYYY']]] },
	);
});

test('nothing is taken for a secret that is none, or is too short to be one', () => {
	for (const secrets of [[], [''], ['1234567'], ['not in it']])
		expect(redactor(secrets)('1234567 leads')).toBe('1234567 leads');
});
