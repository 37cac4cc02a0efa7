/** No secret comes back in anything that the service says. */
import fc from 'fast-check';

import { redactor } from '../../nodes/LeadSearch/api/redact';

const secret = 'key/with+"signs=';

describe('Secrets never appear', () => {
	test('in a text, neither as such nor encoded, however often', () => {
		const redact = redactor([secret]);
		const text = `a ${secret} b ${encodeURIComponent(secret)} c ${JSON.stringify(secret)} d ${secret}`;
		expect(redact(text)).toBe('a *** b *** c "***" d ***');
	});

	test('in the values of a response, at any depth and however JSON spells them', () => {
		const redact = redactor([secret]);
		const spelled = JSON.stringify({ rows: [{ note: `x${secret}y` }], message: secret });
		const response = { rows: [{ note: 'x***y' }], message: '***' };
		expect(redact.json(spelled)).toEqual(response);
		expect(redact.json(spelled.replaceAll('/', '\\/'))).toEqual(response);
	});

	test('whatever the service says', () => {
		const key = fc.stringMatching(/^[a-cX-Z0-3+/=_.$&-]{8,40}$/);
		fc.assert(
			fc.property(key, fc.array(fc.string()), (apiKey, parts) => {
				const text = parts.join(apiKey);
				const redactKey = redactor(['', apiKey]);
				expect(redactKey(text)).not.toContain(apiKey);
				expect(redactKey.json(JSON.stringify({ a: [text] }))).toEqual({
					a: [redactKey(text)],
				});
			}),
			{ numRuns: 1_000, examples: [['YYYYYYYY', ['YYYY', 'YYYY']]] },
		);
	});
});

describe('What is no secret stays', () => {
	test.each([[[]], [['']], [['1234567']], [['not in it']]])('with the secrets %j', (secrets) => {
		const redact = redactor(secrets);
		expect(redact('1234567 leads')).toBe('1234567 leads');
		expect(redact.json('{"a": [1234567, "1234567", null]}')).toEqual({
			a: [1234567, '1234567', null],
		});
	});

	test('a text that is not there', () => {
		const missing = undefined as string | undefined;
		expect(redactor([secret])(missing)).toBeUndefined();
	});

	test('numbers and names of fields', () => {
		expect(redactor(['12345678']).json('{"12345678": 12345678}')).toEqual({
			'12345678': 12345678,
		});
	});
});
