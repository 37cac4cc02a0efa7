/** Which header carries which secret to which endpoint (contract, "Authentication"). */
import { ENDPOINTS } from './contract';

export type AuthenticationKind = 'bearer' | 'xApiKey' | 'sessionToken';

/** The values of the credential `leadSearchApi`, as typed in. */
export interface LeadSearchCredential {
	baseUrl: string;
	authentication: AuthenticationKind;
	apiKey: string;
	sessionToken: string;
	/** The most credits that an execution may spend, as typed in; 0 for any number. */
	creditCeiling: unknown;
}

/** Reads the decrypted values of the credential; what is missing becomes empty or the default. */
export function readCredential(values: Record<string, unknown>): LeadSearchCredential {
	const text = (value: unknown) => (typeof value === 'string' ? value : '');
	const kind = values.authentication;
	return {
		baseUrl: text(values.baseUrl),
		authentication: kind === 'xApiKey' || kind === 'sessionToken' ? kind : 'bearer',
		apiKey: withoutBearer(text(values.apiKey)),
		sessionToken: withoutBearer(text(values.sessionToken)),
		creditCeiling: values.creditCeiling ?? 0,
	};
}

/** The secret that the credential sends. */
export function secretOf(credential: LeadSearchCredential): string {
	return credential.authentication === 'sessionToken'
		? credential.sessionToken
		: credential.apiKey;
}

/** The field that holds the secret, by its label. */
export function secretLabel(credential: LeadSearchCredential): 'API Key' | 'Session Token' {
	return credential.authentication === 'sessionToken' ? 'Session Token' : 'API Key';
}

/** @returns what is wrong with the secret before anything is sent, for people; undefined when nothing */
export function validateSecret(credential: LeadSearchCredential): string | undefined {
	const secret = secretOf(credential);
	if (secret === '') return 'is empty';
	return /^[\x21-\x7e]+$/.test(secret)
		? undefined
		: 'holds a space, a line break or a character that no key has';
}

/** @returns the most credits that an execution may spend, Infinity without; undefined for no whole number */
export function readCeiling({ creditCeiling }: LeadSearchCredential): number | undefined {
	// Expressions may give a number as text.
	const isText = typeof creditCeiling === 'string' && creditCeiling.trim() !== '';
	const ceiling = isText ? Number(creditCeiling) : creditCeiling;
	if (typeof ceiling !== 'number' || !Number.isInteger(ceiling) || ceiling < 0) return undefined;
	return ceiling === 0 ? Infinity : ceiling;
}

/**
 * The header for a request.
 *
 * Public search takes an API key as Bearer only; `X-API-Key` works for lookup.
 *
 * @param url address of the request, absolute or a path; people who send one themselves may add a query
 */
export function authenticationHeader(
	credential: LeadSearchCredential,
	url: string,
): Record<string, string> {
	const [address = ''] = url.split(/[?#]/);
	const endpoint = Object.values(ENDPOINTS).find(({ path }) => address.endsWith(path));
	return credential.authentication === 'xApiKey' && endpoint?.takesXApiKey
		? { 'X-API-Key': credential.apiKey }
		: { Authorization: `Bearer ${secretOf(credential)}` };
}

function withoutBearer(pasted: string): string {
	return pasted.trim().replace(/^bearer\s+/i, '');
}
