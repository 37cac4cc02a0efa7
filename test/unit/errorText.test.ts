/** What the service says in its own words is untrusted text on its way to people. */
import fc from 'fast-check';

import { asOneLine, redactor } from '../../nodes/LeadSearch/api/errorText';

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
