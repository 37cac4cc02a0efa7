/** Tests which values of Base URL are read, and which are rejected. */
import { readBaseUrl } from '../../nodes/LeadSearch/parameters/baseUrl';

const HOST = 'https://leads.example.com';

test.each([
	[HOST, `  ${HOST}/  `, `${HOST}///`, 'HTTPS://Leads.Example.COM', `${HOST}:443`],
	[HOST, `${HOST}/api`, `${HOST}/api/`, `${HOST}/api/public`, `${HOST}/API/Preview`],
	[HOST, `${HOST}/api/public/search`, `${HOST}/api/linkedin/lookup/`],
	['http://localhost:8080', 'http://localhost:8080'],
	['http://[::1]:8080', 'http://[::1]:8080/'],
	[`${HOST}/leads`, `${HOST}/leads`, `${HOST}/leads/api/preview`, `${HOST}/leads///api`],
	[`${HOST}/myapi`, `${HOST}/myapi`],
])('the Base URL %s is read from all URLs that users paste for it', (url, ...pasted) => {
	for (const text of pasted) expect(readBaseUrl(text)).toBe(url);
});

test.each<[string, unknown[]]>([
	['is empty', ['', '   ', undefined, null, 42]],
	[
		'does not start with https:// or http://',
		['leads.example.com', 'ftp://leads.example.com/https://', 'javascript:alert(1)'],
	],
	['is not a valid URL', ['https://', 'https://leads example.com', `${HOST}:99999`]],
	['has a query or a fragment', [`${HOST}?key=1`, `${HOST}/#/login`]],
	[
		'contains a user name or password',
		['https://me:hunter2@leads.example.com', 'https://key@x.example', 'https://:secret@x.example'],
	],
])('a Base URL that %s is rejected with a message that says so', (reason, values) => {
	for (const value of values) {
		const reading = () => readBaseUrl(value);
		expect(reading).toThrow(`'Base URL' ${reason}`);
		expect(reading).not.toThrow('hunter2');
	}
});
