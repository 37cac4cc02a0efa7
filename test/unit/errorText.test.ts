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

const SECRET = 'key/with+"signs=&<A\\~';
const bytes = Buffer.from(SECRET);
const each = (spell: (hex: string, code: number) => string) =>
	Array.from(bytes, (code) => spell(code.toString(16), code)).join('');
const lower = (text: string) => text.toLowerCase();
const inJson = JSON.stringify(SECRET).slice(1, -1);

test.each<[string, string]>([
	['as it is', SECRET],
	['in JSON', inJson],
	['in JSON with slashes escaped', inJson.replaceAll('/', '\\/')],
	['in JSON in JSON', JSON.stringify(inJson.replaceAll('/', '\\/')).slice(1, -1)],
	['in an address', encodeURIComponent(SECRET)],
	['in an address, in small letters', encodeURIComponent(SECRET).replace(/%../g, lower)],
	['in an address in an address', encodeURIComponent(encodeURIComponent(SECRET))],
	['in an address, all of it', each((hex) => `%${hex}`)],
	['as Unicode escapes', each((hex) => `\\u00${hex}`)],
	['as Unicode escapes in capitals', each((hex) => `\\u00${hex.toUpperCase()}`)],
	['in HTML', SECRET.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;')],
	['in HTML by numbers', each((_, code) => `&#${code};`)],
	['in HTML by hexadecimal numbers', each((hex) => `&#x${hex};`)],
	['in HTML in HTML', each((_, code) => `&amp;#0${code};`)],
	['in hex', bytes.toString('hex')],
	['in hex in capitals', bytes.toString('hex').toUpperCase()],
])('a secret is taken out %s, however often', (_, spelling) => {
	expect(redactor([SECRET])(`a ${spelling} b${spelling}c`)).toBe('a *** b***c');
});

test('with any of its characters in any spelling', () => {
	const ways: Array<(code: number) => string> = [
		(code) => `%${code.toString(16)}`,
		(code) => `%25${code.toString(16).toUpperCase()}`,
		(code) => `\\u00${code.toString(16)}`,
		(code) => `&#${code};`,
		(code) => `&#x0${code.toString(16)};`,
		(code) => `&amp;#${code};`,
		(code) => (code === '/'.charCodeAt(0) ? '\\/' : String.fromCharCode(code)),
	];
	const spelt = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ways)), { maxLength: 3 });
	fc.assert(
		fc.property(fc.stringMatching(/^[\w/-]{6,40}$/), spelt, (secret, some) => {
			const characters = secret.split('');
			for (const [at, way] of some)
				characters[at % secret.length] = way(secret.charCodeAt(at % secret.length));
			expect(redactor([secret])(`a ${characters.join('')} b`)).toBe('a *** b');
		}),
		{ numRuns: 300 },
	);
});

test.each(['', 'u', 'us', 'user:'])('in base64, also behind %j and before others', (before) => {
	for (const encoding of ['base64', 'base64url'] as const) {
		const text = Buffer.from(`${before}sk?live>123456 and more`).toString(encoding);
		const found = redactor(['sk?live>123456'])(text);
		expect(found).toContain('***');
		expect(Buffer.from(found.replace('***', ''), encoding).toString()).not.toMatch(/sk|live|1234/);
	}
});

test('of a long secret the rest goes along, also in a spelling of its own', () => {
	const secret = Buffer.from(Array.from({ length: 700 }, (_, at) => (at * 37) % 251)).toString(
		'base64',
	);
	const redact = redactor([secret]);
	for (const text of [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')])
		expect(redact(`{"a":"${text}","b":"${text}"}`)).toBe('{"a":"***","b":"***"}');
});

test('a secret never comes back, whatever the service says', () => {
	const key = fc.stringMatching(/^[a-cX-Z0-3+/=_.$&\\"%;#-]{6,40}$/);
	fc.assert(
		fc.property(key, fc.array(fc.string()), (apiKey, parts) => {
			const redact = redactor(['', apiKey]);
			expect(redact(parts.join(apiKey))).not.toContain(apiKey);
			const inRows = JSON.stringify({ [apiKey]: parts.map((part) => part + apiKey) });
			expect(redact(inRows)).not.toContain(JSON.stringify(apiKey).slice(1, -1));
		}),
		{ numRuns: 200, examples: [['YYYYYYYY', ['YYYY', 'YYYY']]] },
	);
});

test('nothing is taken for a secret that is none, or is too short to be one', () => {
	for (const secrets of [[], [''], ['12345'], ['not in it']])
		expect(redactor(secrets)('1234567 leads')).toBe('1234567 leads');
	expect(redactor(['a.b.c.d'])('axbxcxd, A.B.C.D')).toBe('axbxcxd, A.B.C.D');
});
