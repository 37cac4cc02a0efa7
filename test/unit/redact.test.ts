/** No secret comes back in a text of the service; what is no secret stays. */
import fc from 'fast-check';

import { redactor } from '../../nodes/LeadSearch/api/redact';

const secret = 'key/with+"signs=';

test('neither as such nor encoded, however often', () => {
	const redact = redactor([secret]);
	const inJson = JSON.stringify(secret);
	const spellings = [secret, encodeURIComponent(secret), inJson, inJson.replaceAll('/', '\\/')];
	expect(redact(spellings.join(' ') + secret)).toBe('*** *** "***" "***"***');
});

test('whatever the service says', () => {
	const key = fc.stringMatching(/^[a-cX-Z0-3+/=_.$&-]{8,40}$/);
	fc.assert(
		fc.property(key, fc.array(fc.string()), (apiKey, parts) => {
			expect(redactor(['', apiKey])(parts.join(apiKey))).not.toContain(apiKey);
		}),
		{ numRuns: 500, examples: [['YYYYYYYY', ['YYYY', 'YYYY']]] },
	);
});

test.each([[[]], [['']], [['1234567']], [['not in it']]])(
	'with the secrets %j nothing is taken for one',
	(secrets) => {
		expect(redactor(secrets)('1234567 leads')).toBe('1234567 leads');
	},
);
