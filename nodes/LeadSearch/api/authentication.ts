/** Chooses the authentication header for each endpoint (contract, "Authentication"). */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS } from './contract';

export interface LeadSearchCredential {
	/**
	 * The kind of secret, and the header for it. Search gets a Bearer header even with `xApiKey`. A session token works
	 * only for lookup. API keys spend API credits, and a session token spends subscription credits.
	 */
	authentication: 'bearer' | 'xApiKey' | 'sessionToken';
	/** The API key or the session token, without "Bearer" before it; an empty string if it is missing. */
	secret: string;
}

/** Reads the credential `leadSearchApi` as the user entered it. `checkCredential` checks whether it is valid. */
export function readCredential(values: Record<string, unknown>): LeadSearchCredential {
	const { authentication: selected, apiKey, sessionToken } = values;
	const authentication =
		selected === 'xApiKey' || selected === 'sessionToken' ? selected : 'bearer';
	const pasted = authentication === 'sessionToken' ? sessionToken : apiKey;
	const secret = typeof pasted === 'string' ? pasted.trim().replace(/^bearer\s+/i, '') : '';
	return { authentication, secret };
}

/**
 * Returns the header that authenticates a request. The service accepts `X-API-Key` only for lookup.
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

/** A request to sign. n8n's HTTP Request node sends older options: `uri`, and two fields of its own for redirects. */
export interface RequestToSign extends IHttpRequestOptions {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

/**
 * Adds the authentication header, and turns off redirects, because n8n would send the header to the new host.
 *
 * @throws Error with a message for the user if the request goes to another origin than the credential's Base URL
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

function readOrigin(address: unknown, base?: string): string | undefined {
	if (typeof address !== 'string' || !URL.canParse(address.trim(), base)) return undefined;
	const { protocol, origin } = new URL(address.trim(), base);
	return /^https?:$/.test(protocol) ? origin : undefined;
}
