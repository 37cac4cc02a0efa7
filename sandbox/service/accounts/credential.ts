import type { IncomingHttpHeaders } from 'node:http';
import type { Balances } from './account';
import type { AccountStore, Owner } from './accountStore';

/** The header that carried a credential. */
export type HeaderStyle = 'bearer' | 'xApiKey';

/** What a request showed to be let in (contract: "Authentication"). */
export interface Credential {
	/** Null when the request carried none. */
	headerStyle: HeaderStyle | null;
	/** Whose secret it is, whether or not the endpoint takes it this way; undefined: nobody's. */
	owner: Owner | undefined;
}

/** Reads the credential of a request; a Bearer token comes before an X-API-Key. */
export function credentialOf(headers: IncomingHttpHeaders, accounts: AccountStore): Credential {
	const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
	const xApiKey = headers['x-api-key'];
	if (bearer !== undefined) return { headerStyle: 'bearer', owner: accounts.ownerOf(bearer) };
	if (typeof xApiKey === 'string')
		return { headerStyle: 'xApiKey', owner: accounts.ownerOf(xApiKey) };
	return { headerStyle: null, owner: undefined };
}

/** The balance that a secret spends (contract: "Authentication"). */
export function balanceOf(secret: Owner['secret']): keyof Balances {
	return secret === 'apiKey' ? 'apiCredits' : 'subscriptionCredits';
}
