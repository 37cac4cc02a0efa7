/** Which header carries which secret where (contract, "Authentication"). */
import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import {
	authenticationHeader,
	validateSecret,
	readCredential,
	secretLabel,
	secretOf,
} from '../../nodes/LeadSearch/api/authentication';

const values = {
	baseUrl: 'https://leads.example.com',
	apiKey: 'the-key',
	sessionToken: 'the-token',
};
const SEARCH = 'https://leads.example.com/api/public/search';
const LOOK_UP = 'https://leads.example.com/api/linkedin/lookup';
const PREVIEW = 'https://leads.example.com/api/preview';

describe('The header', () => {
	test.each([
		['bearer', SEARCH, { Authorization: 'Bearer the-key' }],
		['bearer', LOOK_UP, { Authorization: 'Bearer the-key' }],
		['xApiKey', SEARCH, { Authorization: 'Bearer the-key' }],
		['xApiKey', LOOK_UP, { 'X-API-Key': 'the-key' }],
		['sessionToken', LOOK_UP, { Authorization: 'Bearer the-token' }],
	])('with %s to %s', (authentication, url, header) => {
		const credential = readCredential({ ...values, authentication });
		expect(authenticationHeader(credential, url)).toEqual(header);
		expect(authenticationHeader(credential, new URL(url).pathname)).toEqual(header);
	});

	test.each([
		['bearer', PREVIEW, { Authorization: 'Bearer the-key' }],
		['bearer', SEARCH, { Authorization: 'Bearer the-key' }],
		['bearer', LOOK_UP, { Authorization: 'Bearer the-key' }],
		['xApiKey', PREVIEW, { Authorization: 'Bearer the-key' }],
		['xApiKey', SEARCH, { Authorization: 'Bearer the-key' }],
		['xApiKey', LOOK_UP, { 'X-API-Key': 'the-key' }],
		['xApiKey', `${LOOK_UP}?trace=1`, { 'X-API-Key': 'the-key' }],
		['sessionToken', PREVIEW, { Authorization: 'Bearer the-token' }],
		['sessionToken', SEARCH, { Authorization: 'Bearer the-token' }],
		['sessionToken', LOOK_UP, { Authorization: 'Bearer the-token' }],
	])('with %s to %s is the same in HTTP Request', async (authentication, address, header) => {
		const { authenticate } = new LeadSearchApi();
		const headers = { Accept: 'application/json' };
		const ours = { url: address, headers, timeout: 5 };
		expect(await authenticate({ ...values, authentication }, ours)).toEqual({
			...ours,
			headers: { ...headers, ...header },
		});
		// That node names the address otherwise, which the type of its options doesn't tell.
		const { url: uri, ...others } = ours;
		const theirs = { ...others, uri } as unknown as typeof ours;
		expect(await authenticate({ ...values, authentication }, theirs)).toEqual({
			...theirs,
			headers: { ...headers, ...header },
		});
	});

	test('to search is Bearer even where the Base URL holds the path of a lookup', () => {
		const credential = readCredential({ ...values, authentication: 'xApiKey' });
		const url = 'https://proxy.example/api/linkedin/lookup/v2/api/public/search';
		expect(authenticationHeader(credential, url)).toEqual({ Authorization: 'Bearer the-key' });
	});

	test('to any other address is Bearer', () => {
		const credential = readCredential({ ...values, authentication: 'xApiKey' });
		expect(authenticationHeader(credential, values.baseUrl)).toEqual({
			Authorization: 'Bearer the-key',
		});
	});

	test('never holds the secret that was not chosen', () => {
		for (const authentication of ['bearer', 'xApiKey', 'sessionToken']) {
			const credential = readCredential({ ...values, authentication });
			const other = authentication === 'sessionToken' ? 'the-key' : 'the-token';
			for (const url of [SEARCH, LOOK_UP]) {
				expect(JSON.stringify(authenticationHeader(credential, url))).not.toContain(other);
			}
			expect(secretOf(credential)).not.toBe(other);
		}
	});
});

describe('The credential, as typed in', () => {
	test.each(['the-key', ' the-key\n', 'Bearer the-key', 'bearer   the-key', '\tBEARER the-key '])(
		'an API key pasted as %j is the same key',
		(apiKey) => {
			expect(secretOf(readCredential({ ...values, apiKey }))).toBe('the-key');
		},
	);

	test('an API key is cut nowhere but at its start', () => {
		expect(secretOf(readCredential({ ...values, apiKey: 'my-bearer key' }))).toBe(
			'my-bearer key',
		);
	});

	test.each(['bearer', 'xApiKey', 'sessionToken'])(
		'with %s names the field that holds the secret by its label',
		(authentication) => {
			const credential = readCredential({ ...values, authentication });
			const label = secretLabel(credential);
			const field = new LeadSearchApi().properties.find(
				({ displayName }) => displayName === label,
			);
			expect(values[field?.name as keyof typeof values]).toBe(secretOf(credential));
		},
	);

	test('is Bearer unless something else is chosen', () => {
		for (const authentication of [undefined, null, '', 'nonsense', 7]) {
			expect(readCredential({ ...values, authentication }).authentication).toBe('bearer');
		}
	});

	test('may miss anything', () => {
		const credential = readCredential({});
		expect(credential).toEqual({
			baseUrl: '',
			authentication: 'bearer',
			apiKey: '',
			sessionToken: '',
		});
		expect(validateSecret(credential)).toBe('is empty');
	});

	test.each(['two words', 'line\nbreak', 'schlüssel', 'null\u0000byte', '“quoted”', 'a\u00a0b'])(
		'the key %j is refused before anything is sent',
		(apiKey) => {
			expect(validateSecret(readCredential({ ...values, apiKey }))).toMatch(/^holds/);
		},
	);

	test.each(['abc', 'sk_live-123.456', 'a+b/c==', '!"#$%&~'])('the key %s is taken', (apiKey) => {
		expect(validateSecret(readCredential({ ...values, apiKey }))).toBeUndefined();
	});
});
