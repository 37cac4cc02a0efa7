/** Tests the headers of requests by credential and endpoint (contract, "Authentication"). */
import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import { authenticationHeader, readCredential } from '../../nodes/LeadSearch/api/authentication';
import { checkCredential } from '../../nodes/LeadSearch/parameters/credential';

const values = {
	baseUrl: 'https://leads.example.com',
	apiKey: 'the-key',
	sessionToken: 'the-token',
};
const SEARCH = 'https://leads.example.com/api/public/search';
const LOOK_UP = 'https://leads.example.com/api/linkedin/lookup';
const PREVIEW = 'https://leads.example.com/api/preview';
const KEY = { Authorization: 'Bearer the-key' };
const TOKEN = { Authorization: 'Bearer the-token' };
const X_API_KEY = { 'X-API-Key': 'the-key' };

const { authenticate } = new LeadSearchApi();
type Signed = Parameters<typeof authenticate>[1];

/** Turns redirects off. Each of n8n's request helpers reads a different option. */
const noRedirect = {
	disableFollowRedirect: true,
	maxRedirects: 0,
	followRedirect: false,
	followAllRedirects: false,
};

test.each([
	['bearer', KEY, [PREVIEW, SEARCH, LOOK_UP]],
	['xApiKey', KEY, [PREVIEW, SEARCH, values.baseUrl, `${LOOK_UP}/v2/api/public/search`]],
	['xApiKey', X_API_KEY, [LOOK_UP, `${LOOK_UP}?trace=1`]],
	['sessionToken', TOKEN, [PREVIEW, SEARCH, LOOK_UP]],
])(
	'a request with the authentication %s has the header %j and follows no redirect, even from HTTP Request',
	async (authentication, header, addresses) => {
		const credential = { ...values, authentication };
		for (const url of addresses) {
			expect(authenticationHeader(readCredential(credential), url)).toEqual(header);
			const options = { headers: { Accept: 'application/json' }, timeout: 5 };
			const signed = { ...options, ...noRedirect, headers: { ...options.headers, ...header } };
			expect(await authenticate(credential, { url, ...options })).toEqual({ url, ...signed });
			// HTTP Request has the URL in another field, and sets its own options for redirects.
			const httpRequestOptions = { ...options, uri: url, followRedirect: true, maxRedirects: 21 };
			const sent = await authenticate(credential, httpRequestOptions as unknown as Signed);
			expect(sent).toEqual({ uri: url, ...signed });
		}
	},
);

const lookUp = { method: 'POST', url: '/api/linkedin/lookup' } as const;
const local = 'http://127.0.0.1:5680/';

test.each<[string, string, Signed]>([
	['with the port of Base URL', local, { url: `${local}x` }],
	['with another path than Base URL', 'https://leads.example.com/a/api', { url: SEARCH }],
	['if Base URL has spaces and capitals', ' HTTPS://Leads.example.com:443 ', { url: ` ${SEARCH}` }],
	['with a baseURL option', values.baseUrl, { ...lookUp, baseURL: values.baseUrl }],
])('a request is signed %s', async (_, baseUrl, request) => {
	const { headers } = await authenticate({ ...values, baseUrl }, request);
	expect(headers).toEqual(KEY);
});

test.each<[string, object, unknown?]>([
	['to another host', { url: 'https://evil.example/api/public/search' }],
	['of HTTP Request to another host', { uri: 'https://evil.example/' }],
	['with another scheme', { url: SEARCH.replace('https', 'http') }],
	['to another port', { url: 'https://leads.example.com:8443/' }],
	['to a host that starts with the same name', { url: `${values.baseUrl}.evil.example/` }],
	['to a URL with the host as a user name', { url: `${values.baseUrl}@evil.example/` }],
	['with another baseURL option', { ...lookUp, baseURL: 'https://evil.example' }],
	['with a host in its path', { url: '//evil.example', baseURL: values.baseUrl }],
	['to a path without a host', lookUp],
	['to an FTP address', { url: 'ftp://a/b' }, 'ftp://a'],
	['while Base URL is not a URL', { url: 'leads.example.com:443' }, 'leads.example.com:443'],
	['without a URL', {}, ''],
])('a request %s is not signed', async (_, request, baseUrl = values.baseUrl) => {
	const sent = authenticate({ ...values, baseUrl } as never, request as Signed);
	await expect(sent).rejects.toThrow(
		/^The Lead Search credential is only for .*, but this request/,
	);
	await expect(sent).rejects.not.toThrow('the-key');
});

test('a key is read without spaces and Bearer around it, and is rejected if it is empty or contains anything except printable ASCII', () => {
	for (const apiKey of ['the-key', ' the-key\n', 'Bearer the-key', '\tBEARER   the-key '])
		expect(readCredential({ ...values, apiKey }).secret).toBe('the-key');
	for (const apiKey of ['sk_live-123.456', 'a+b/c==', '!"#$%&~', 'my-bearer'])
		expect(checkCredential({ ...values, apiKey })).toMatchObject({ secret: apiKey });
	const problem = 'contains a space, a line break or a character that keys never contain';
	for (const apiKey of ['two words', 'line\nbreak', 'schlüssel', 'a\u0000b', 'a\u00a0b'])
		expect(() => checkCredential({ ...values, apiKey })).toThrow(problem);
	for (const apiKey of ['', undefined, 7])
		expect(() => checkCredential({ ...values, apiKey })).toThrow("'API Key' is empty");
});
