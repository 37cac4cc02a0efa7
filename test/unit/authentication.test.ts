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

	test.each([undefined, null, '', 'nonsense', 7])('is Bearer where %j is chosen', (one) => {
		const credential = readCredential({ authentication: one });
		expect(credential).toEqual({ authentication: 'bearer', secret: '' });
	});

	const strange = 'holds a space, a line break or a character that no key has';
	test.each<[string, string, unknown[]]>([
		['apiKey', "'API Key' is empty", ['', undefined, 7]],
		['apiKey', strange, ['two words', 'line\nbreak', 'schlüssel', 'a\u0000b', '“a”', 'a\u00a0b']],
		['creditCeiling', 'not a whole number from 0', [-1, 1.5, 'many', NaN, true]],
		['creditCeiling', 'is empty', [null, undefined, '']],
		['authentication', 'which is none of its options', [null, undefined, '', 'basic']],
	])('is refused where its %s %s: %j', (name, problem, wrong) => {
		for (const value of wrong)
			expect(() => checkCredential({ ...values, [name]: value })).toThrow(problem);
	});

	test.each<[object, number]>([
		[{}, Infinity],
		[{ creditCeiling: 0 }, Infinity],
		...[500, '500'].map((creditCeiling): [object, number] => [{ creditCeiling }, 500]),
		...['abc', 'sk_live-123.456', 'a+b/c==', '!"#$%&~'].map((apiKey): [object, number] => [
			{ apiKey },
			Infinity,
		]),
	])('with %j is taken, and allows %d credits', (more, ceiling) => {
		const { baseUrl } = values;
		expect(checkCredential({ ...values, ...more })).toMatchObject({ baseUrl, ceiling });
	});
});
