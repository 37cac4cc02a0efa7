/** Tests how messages of the service are shortened and redacted. They are untrusted text that users read. */
import fc from 'fast-check';

import { toSingleLine, createRedactor } from '../../nodes/LeadSearch/api/errorText';

test.each([
	['\u0000a\r\n\tb\u001b[31m\u2028c\u007f', 'a b [31m c'],
	['No such filter: {"a": [1]}', 'No such filter: {"a": [1]}'],
	['x'.repeat(300), 'x'.repeat(300)],
	['x'.repeat(301), `${'x'.repeat(300)}…`],
	// A surrogate pair is never divided.
	[`x${'😀'.repeat(300)}`, `x${'😀'.repeat(149)}…`],
])('the message %j is shortened to the single line %j', (text, line) => {
	expect(toSingleLine(text)).toBe(line);
});

const SECRET = 'key/with+"signs=&<A\\~';
const inJson = JSON.stringify(SECRET).slice(1, -1);

test.each<[string, string]>([
	['in JSON with slashes escaped', inJson.replaceAll('/', '\\/')],
	['with URL encoding', encodeURIComponent(SECRET)],
])('a secret is removed each time it is written %s', (_, spelling) => {
	expect(createRedactor([SECRET])(`a ${spelling} b${spelling}c`)).toBe('a *** b***c');
});

test('no text of the service contains a secret after it was redacted', () => {
	const key = fc.stringMatching(/^[a-cX-Z0-3+/=_.$&\\"%;#-]{6,40}$/);
	fc.assert(
		fc.property(key, fc.array(fc.string()), (apiKey, parts) => {
			const redact = createRedactor(['', apiKey]);
			expect(redact(parts.join(apiKey))).not.toContain(apiKey);
			const inRows = JSON.stringify({ [apiKey]: parts.map((part) => part + apiKey) });
			expect(redact(inRows)).not.toContain(JSON.stringify(apiKey).slice(1, -1));
		}),
		{ numRuns: 200, examples: [['YYYYYYYY', ['YYYY', 'YYYY']]] },
	);
});

test('a text without secrets is unchanged, and short secrets and digits are not removed', () => {
	for (const secrets of [[], [''], ['12345'], ['1234567'], ['not in it']])
		expect(createRedactor(secrets)('1234567 leads')).toBe('1234567 leads');
	expect(createRedactor(['a.b.c.d'])('axbxcxd, A.B.C.D')).toBe('axbxcxd, A.B.C.D');
});
