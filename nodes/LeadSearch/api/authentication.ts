/** Which header carries which secret to which endpoint (contract, "Authentication"), and nowhere else. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS } from './contract';

export interface LeadSearchCredential {
	/** A session token spends subscription credits, and works for lookup only. */
	authentication: 'bearer' | 'xApiKey' | 'sessionToken';
	/** The API key or the session token. */
	secret: string;
}

/** @param values of the credential `leadSearchApi`, as typed in; any may be missing */
export function readCredential(values: Record<string, unknown>): LeadSearchCredential {
	const { authentication: selected, apiKey, sessionToken } = values;
	const authentication =
		selected === 'xApiKey' || selected === 'sessionToken' ? selected : 'bearer';
	const pasted = authentication === 'sessionToken' ? sessionToken : apiKey;
	const secret = typeof pasted === 'string' ? pasted.trim().replace(/^bearer\s+/i, '') : '';
	return { authentication, secret };
}

/** `X-API-Key` works for lookup only, Bearer for all. @param url absolute or a path, maybe with a query */
export function authenticationHeader(
	{ authentication, secret }: LeadSearchCredential,
	url: string,
): Record<string, string> {
	const [address = ''] = url.split(/[?#]/);
	return authentication === 'xApiKey' && address.endsWith(ENDPOINTS.lookUp.path)
		? { 'X-API-Key': secret }
		: { Authorization: `Bearer ${secret}` };
}

/** n8n's HTTP Request node has the address in `uri`, and reads other fields for redirects than other nodes. */
export interface RequestToSign extends IHttpRequestOptions {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

/**
 * Adds the header to a request to the origin (scheme, host and port) of the credential's Base URL. The
 * request follows no redirect: n8n would carry the header along, `X-API-Key` whatever the node is set to.
 *
 * @param values of the credential, as typed in
 * @throws Error for a request to elsewhere, in words for people
 */
export function signRequest(
	values: Record<string, unknown>,
	request: RequestToSign,
): IHttpRequestOptions {
	const { headers, baseURL, uri = request.url } = request;
	const [origin, credentialOrigin] = [readOrigin(uri, baseURL), readOrigin(values.baseUrl)];
	if (origin === undefined || origin !== credentialOrigin) {
		throw new Error(
			`The Lead Search credential is for ${credentialOrigin ?? "its 'Base URL'"} alone, and this request goes to ${origin ?? 'no web address'}. Set the URL to one of the service's, or choose another credential; where the service has moved, change 'Base URL' in the credential.`,
		);
	}
	const noRedirect = {
		...{ disableFollowRedirect: true, followRedirect: false, followAllRedirects: false },
		maxRedirects: 0,
	};
	const header = authenticationHeader(readCredential(values), uri);
	return { ...request, ...noRedirect, headers: { ...headers, ...header } };
}

/** @returns undefined for what is no address of http or https */
function readOrigin(address: unknown, base?: string): string | undefined {
	if (typeof address !== 'string' || !URL.canParse(address.trim(), base)) return undefined;
	const { protocol, origin } = new URL(address.trim(), base);
	return /^https?:$/.test(protocol) ? origin : undefined;
}
