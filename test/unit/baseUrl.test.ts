import fc from 'fast-check';

import { readBaseUrl } from '../../nodes/LeadSearch/api/baseUrl';

describe('Base URL, as people paste it', () => {
	test.each([
		['https://leads.example.com', 'https://leads.example.com'],
		['  https://leads.example.com/  ', 'https://leads.example.com'],
		['https://leads.example.com///', 'https://leads.example.com'],
		['HTTPS://Leads.Example.COM', 'https://leads.example.com'],
		['http://localhost:8080', 'http://localhost:8080'],
		['http://[::1]:8080/', 'http://[::1]:8080'],
		['https://leads.example.com:443', 'https://leads.example.com'],
		['https://leads.example.com/api', 'https://leads.example.com'],
		['https://leads.example.com/api/', 'https://leads.example.com'],
		['https://leads.example.com/api/public', 'https://leads.example.com'],
		['https://leads.example.com/api/public/search', 'https://leads.example.com'],
		['https://leads.example.com/api/linkedin/lookup/', 'https://leads.example.com'],
		['https://leads.example.com/API/Preview', 'https://leads.example.com'],
		['https://example.com/leads', 'https://example.com/leads'],
		['https://example.com/leads/api/preview', 'https://example.com/leads'],
		['https://example.com/myapi', 'https://example.com/myapi'],
		['https://example.com/leads///api', 'https://example.com/leads'],
	])('%s', (text, url) => {
		expect(readBaseUrl(text)).toEqual({ url });
	});

	test.each([
		['', 'is empty'],
		['   ', 'is empty'],
		[undefined, 'is empty'],
		[null, 'is empty'],
		[42, 'is empty'],
		['leads.example.com', 'does not start with https:// or http://'],
		['ftp://leads.example.com', 'does not start with https:// or http://'],
		['ftp://leads.example.com/https://', 'does not start with https:// or http://'],
		['javascript:alert(1)', 'does not start with https:// or http://'],
		['https://', 'is not a valid URL'],
		['https://leads example.com', 'is not a valid URL'],
		['https://leads.example.com:99999', 'is not a valid URL'],
		['https://leads.example.com?key=1', 'has something after the address'],
		['https://leads.example.com/#/login', 'has something after the address'],
		['https://me:secret@leads.example.com', 'holds a user name or password'],
		['https://key@leads.example.com', 'holds a user name or password'],
		['https://:secret@leads.example.com', 'holds a user name or password'],
	])('%j is refused with a reason', (value, reason) => {
		const reading = readBaseUrl(value);
		expect('invalid' in reading && reading.invalid).toContain(reason);
	});

	test('whatever is pasted, an endpoint can be put behind it or there is a reason', () => {
		fc.assert(
			fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.anything()), (value) => {
				const reading = readBaseUrl(value);
				if ('invalid' in reading) return;
				expect(reading.url).toMatch(/^https?:\/\/.*[^/]$/);
				expect(new URL(`${reading.url}/api/preview`).pathname).toMatch(/\/api\/preview$/);
			}),
			{ numRuns: 2_000 },
		);
	});

	test('the reason never repeats a password', () => {
		const reading = readBaseUrl('https://me:hunter2@leads.example.com');
		expect(JSON.stringify(reading)).not.toContain('hunter2');
	});
});
