/** Which header carries which secret to which endpoint (contract, "Authentication"). */
import { ENDPOINTS } from './contract';

export interface LeadSearchCredential {
	/** A session token spends subscription credits, and works for lookup only. */
	authentication: 'bearer' | 'xApiKey' | 'sessionToken';
	/** The API key or the session token. */
	secret: string;
}

/** @param values of the credential `leadSearchApi`, as typed in; any may be missing */
export function readCredential(values: Record<string, unknown>): LeadSearchCredential {
	const { authentication: chosen, apiKey, sessionToken } = values;
	const authentication = chosen === 'xApiKey' || chosen === 'sessionToken' ? chosen : 'bearer';
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
