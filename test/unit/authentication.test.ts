/** Which header carries which secret where (contract, "Authentication"). */
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

test.each([
	['bearer', KEY, [PREVIEW, SEARCH, LOOK_UP]],
	['xApiKey', KEY, [PREVIEW, SEARCH, values.baseUrl, `${LOOK_UP}/v2/api/public/search`]],
	['xApiKey', X_API_KEY, [LOOK_UP, `${LOOK_UP}?trace=1`, '/api/linkedin/lookup']],
	['sessionToken', TOKEN, [PREVIEW, SEARCH, LOOK_UP]],
])('%s sends the header %j, from HTTP Request too', async (authentication, header, addresses) => {
	const chosen = { ...values, authentication };
	const { authenticate } = new LeadSearchApi();
	for (const url of addresses) {
		expect(authenticationHeader(readCredential(chosen), url)).toEqual(header);
		const others = { headers: { Accept: 'application/json' }, timeout: 5 };
		const headers = { ...others.headers, ...header };
		expect(await authenticate(chosen, { url, ...others })).toEqual({ url, ...others, headers });
		// That node names the address otherwise, which the type of its options doesn't tell.
		const theirs = { ...others, uri: url } as unknown as { url: string };
		expect(await authenticate(chosen, theirs)).toEqual({ ...theirs, headers });
	}
});

describe('The credential, as typed in', () => {
	test.each([
		['the-key', 'the-key', ' the-key\n', 'Bearer the-key', '\tBEARER   the-key '],
		['my-bearer key', 'my-bearer key'],
	])('holds the key %s', (key, ...pasted) => {
		for (const apiKey of pasted) expect(readCredential({ ...values, apiKey }).secret).toBe(key);
	});

	test('is Bearer unless something else is chosen, and may miss anything', () => {
		for (const authentication of [undefined, null, '', 'nonsense', 7]) {
			expect(readCredential({ authentication })).toEqual({
				baseUrl: undefined,
				authentication: 'bearer',
				secret: '',
				creditCeiling: 0,
			});
		}
	});

	test.each([
		['bearer', 'API Key', 'apiKey'],
		['xApiKey', 'API Key', 'apiKey'],
		['sessionToken', 'Session Token', 'sessionToken'],
	])('with %s is refused by the label of the field that holds the secret', (kind, label, name) => {
		const { properties } = new LeadSearchApi();
		expect(properties.find((field) => field.name === name)?.displayName).toBe(label);
		const credential = readCredential({ ...values, authentication: kind, [name]: '' });
		expect(() => checkCredential(credential)).toThrow(`'${label}' is empty`);
	});

	test.each<[string | undefined, string[]]>([
		["'API Key' is empty", ['']],
		[
			"'API Key' holds a space, a line break or a character that no key has",
			['two words', 'line\nbreak', 'schlüssel', 'null\u0000byte', '“quoted”', 'a\u00a0b'],
		],
		[undefined, ['abc', 'sk_live-123.456', 'a+b/c==', '!"#$%&~']],
	])('%s: %j', (problem, keys) => {
		for (const apiKey of keys) {
			const check = () => checkCredential(readCredential({ ...values, apiKey }));
			if (problem === undefined) expect(check).not.toThrow();
			else expect(check).toThrow(problem);
		}
	});

	test.each<[unknown, number]>([
		[undefined, Infinity],
		[null, Infinity],
		[0, Infinity],
		[500, 500],
		['500', 500],
	])('with a Credit Ceiling of %j allows %d credits', (creditCeiling, ceiling) => {
		const credential = readCredential({ ...values, creditCeiling });
		expect(checkCredential(credential)).toEqual({ baseUrl: values.baseUrl, ceiling });
	});

	test.each([-1, 1.5, 'many', '', NaN, true])('is refused with a ceiling of %j', (ceiling) => {
		const credential = readCredential({ ...values, creditCeiling: ceiling });
		expect(() => checkCredential(credential)).toThrow(/^'Credit Ceiling' is (?:empty|.+, not a whole number from 0)$/);
	});
});
