import type { IncomingHttpHeaders } from 'node:http';
import type { Account, Balances } from './account';
import type { AccountBook } from './accountBook';

/** The header that carried a credential. */
export type HeaderStyle = 'bearer' | 'xApiKey';

/** What a request showed to be let in (contract: "Authentication"). */
export interface Credential {
	/** Null when the request carried none. */
	headerStyle: HeaderStyle | null;
	/** The account whose secret it is, whether or not the endpoint takes it this way. */
	account: Account | undefined;
	/** Undefined when the secret is nobody's. */
	secret: 'apiKey' | 'sessionToken' | undefined;
}

/** Reads the credential of a request; a Bearer token comes before an X-API-Key. */
export function credentialOf(headers: IncomingHttpHeaders, accounts: AccountBook): Credential {
	const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
	const xApiKey = headers['x-api-key'];
	if (bearer !== undefined) return { headerStyle: 'bearer', ...owner(bearer, accounts) };
	if (typeof xApiKey === 'string') return { headerStyle: 'xApiKey', ...owner(xApiKey, accounts) };
	return { headerStyle: null, account: undefined, secret: undefined };
}

function owner(secret: string, accounts: AccountBook): Omit<Credential, 'headerStyle'> {
	const byKey = accounts.ofApiKey(secret);
	if (byKey !== undefined) return { account: byKey, secret: 'apiKey' };
	const byToken = accounts.ofSessionToken(secret);
	return { account: byToken, secret: byToken && 'sessionToken' };
}

/** The balance that a secret spends (contract: "Authentication"). */
export function balanceOf(secret: 'apiKey' | 'sessionToken'): keyof Balances {
	return secret === 'apiKey' ? 'apiCredits' : 'subscriptionCredits';
}
