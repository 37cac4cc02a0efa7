/** No secret comes back in anything that the service says; what is no secret stays. */
import fc from 'fast-check';

import { redactor } from '../../nodes/LeadSearch/api/redact';

const secret = 'key/with+"signs=';

test('in a text, neither as such nor encoded, however often', () => {
	const redact = redactor([secret]);
	const text = `a ${secret} b ${encodeURIComponent(secret)} c ${JSON.stringify(secret)} d ${secret}`;
	expect(redact(text)).toBe('a *** b *** c "***" d ***');
	const missing = undefined as string | undefined;
	expect(redact(missing)).toBeUndefined();
});

test('in the values of a response, at any depth', () => {
	const redact = redactor([secret, '12345678']);
	const said = { rows: [{ note: `x${secret}y` }], message: secret, '12345678': 12345678 };
	const clean = { rows: [{ note: 'x***y' }], message: '***', '12345678': 12345678 };
	expect(redact.json(JSON.stringify(said))).toEqual(clean);
	expect(redact.json(JSON.stringify(said).replaceAll('/', '\\/'))).toEqual(clean);
});

test('whatever the service says', () => {
	const key = fc.stringMatching(/^[a-cX-Z0-3+/=_.$&-]{8,40}$/);
	fc.assert(
		fc.property(key, fc.array(fc.string()), (apiKey, parts) => {
			const text = parts.join(apiKey);
			const redact = redactor(['', apiKey]);
			expect(redact(text)).not.toContain(apiKey);
			expect(redact.json(JSON.stringify({ a: [text] }))).toEqual({ a: [redact(text)] });
		}),
		{ numRuns: 500, examples: [['YYYYYYYY', ['YYYY', 'YYYY']]] },
	);
});

test.each([[[]], [['']], [['1234567']], [['not in it']]])(
	'with the secrets %j nothing is taken for one',
	(secrets) => {
		const redact = redactor(secrets);
		expect(redact('1234567 leads')).toBe('1234567 leads');
		expect(redact.json('[1234567, "1234567", null]')).toEqual([1234567, '1234567', null]);
	},
);
