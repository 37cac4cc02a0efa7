/**
 * Authentication (contract, "Authentication"): reads the credential and chooses the header for each endpoint. The
 * secret is only sent to the credential's own host.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS } from './contract';

/** The secret of a credential, and the way in which requests send it. */
export interface LeadSearchCredential {
	/**
	 * The user's choice in the credential. `bearer`: an API key in an Authorization header. `xApiKey`: an API key, in
	 * an X-API-Key header for lookup. `sessionToken`: a session token in an Authorization header, which works only
	 * for lookup. API keys spend API credits, and a session token spends subscription credits.
	 */
	authentication: 'bearer' | 'xApiKey' | 'sessionToken';
	/**
	 * The API key or the session token, without spaces around it and without "Bearer" before it. An empty string if
	 * it is missing.
	 */
	secret: string;
}

/**
 * Reads the secret, and the way to send it, from the fields of a credential. The function doesn't check whether they
 * are valid: `checkCredential` does.
 *
 * @param values fields of the credential `leadSearchApi` as the user entered them; any of them can be missing
 */
export function readCredential(values: Record<string, unknown>): LeadSearchCredential {
	const { authentication: selected, apiKey, sessionToken } = values;
	const authentication =
		selected === 'xApiKey' || selected === 'sessionToken' ? selected : 'bearer';
	const pasted = authentication === 'sessionToken' ? sessionToken : apiKey;
	const secret = typeof pasted === 'string' ? pasted.trim().replace(/^bearer\s+/i, '') : '';
	return { authentication, secret };
}

/**
 * Returns the header that authenticates a request. The service accepts `X-API-Key` only for lookup, so search always
 * gets a Bearer header.
 *
 * @param url absolute URL or path of the request; a query is ignored
 */
export function authenticationHeader(
	{ authentication, secret }: LeadSearchCredential,
	url: string,
): Record<string, string> {
	const [path = ''] = url.split(/[?#]/);
	return authentication === 'xApiKey' && path.endsWith(ENDPOINTS.lookUp.path)
		? { 'X-API-Key': secret }
		: { Authorization: `Bearer ${secret}` };
}

/**
 * The options of a request that needs the authentication header. Lead Search sends n8n's usual options. n8n's HTTP
 * Request node sends older ones: `uri` instead of `url`, and two fields of its own for redirects.
 */
export interface RequestToSign extends IHttpRequestOptions {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

/**
 * Adds the authentication header to a request. The request must go to the origin (scheme, host and port) of the
 * credential's Base URL, so that no other host gets the secret. The function also turns off redirects, because n8n
 * would send the header to the new host.
 *
 * @param values fields of the credential as the user entered them
 * @throws Error with a message for the user if the request goes to another origin
 */
export function signRequest(
	values: Record<string, unknown>,
	request: RequestToSign,
): IHttpRequestOptions {
	const { headers, baseURL, uri = request.url } = request;
	const origin = readOrigin(uri, baseURL);
	const credentialOrigin = readOrigin(values.baseUrl);
	if (origin === undefined || origin !== credentialOrigin) {
		throw new Error(
			`The Lead Search credential is only for ${credentialOrigin ?? "its 'Base URL'"}, but this request goes to ${origin ?? 'no web address'}. Use a URL of the lead service, or choose another credential. If the service has moved, change 'Base URL' in the credential.`,
		);
	}
	const noRedirect = {
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
		maxRedirects: 0,
	};
	const header = authenticationHeader(readCredential(values), uri);
	return { ...request, ...noRedirect, headers: { ...headers, ...header } };
}

/**
 * Returns the origin of an address, for example `https://example.com:8443`; undefined if the address isn't an http or
 * https URL.
 *
 * @param base the URL to which a relative address is relative
 */
function readOrigin(address: unknown, base?: string): string | undefined {
	if (typeof address !== 'string' || !URL.canParse(address.trim(), base)) return undefined;
	const { protocol, origin } = new URL(address.trim(), base);
	return /^https?:$/.test(protocol) ? origin : undefined;
}
