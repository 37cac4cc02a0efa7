import type { IncomingHttpHeaders } from 'node:http';
import type { Account, AccountOptions, Balances } from './account';

/** The credits of an account that wasn't given any number. */
const DEFAULT_CREDITS = 1_000_000;

/** The accounts that every service starts with. */
const BUILT_IN: readonly AccountOptions[] = [
	{ id: 'plenty' },
	{ id: 'few', apiCredits: 60, subscriptionCredits: 60 },
	{ id: 'none', apiCredits: 0, subscriptionCredits: 0 },
];

/** A secret of an account: where it is taken depends on its kind. */
export interface Owner {
	account: Account;
	secret: 'apiKey' | 'sessionToken';
	/** The balance that the secret spends (contract: "Authentication"). */
	balance: keyof Balances;
}

/** What a request showed to be let in (contract: "Authentication"). */
export interface Credential {
	/** The header that carried it; null when the request had none. */
	headerStyle: 'bearer' | 'xApiKey' | null;
	/** Whose secret it is, whether or not the endpoint takes it this way; undefined: nobody's. */
	owner: Owner | undefined;
}

/** Every account of a service, found by id, API key or session token. */
export class AccountStore {
	private readonly byId = new Map<string, Account>();
	private readonly bySecret = new Map<string, Owner>();

	constructor() {
		for (const options of BUILT_IN) this.create(options);
	}

	/**
	 * Opens an account.
	 * @throws RangeError when its id, key or token is taken
	 */
	create({
		id = `account-${this.byId.size + 1}`,
		apiKey = `sandbox-key-${id}`,
		sessionToken = `sandbox-session-${id}`,
		apiCredits = DEFAULT_CREDITS,
		subscriptionCredits = DEFAULT_CREDITS,
		...behaviour
	}: AccountOptions = {}): Account {
		for (const name of [id, apiKey, sessionToken])
			if (this.find(name) !== undefined) throw new RangeError(`${name} is taken`);
		const account: Account = {
			id,
			apiKey,
			sessionToken,
			apiCredits,
			subscriptionCredits,
			behaviour,
			spent: { apiCredits: 0, subscriptionCredits: 0 },
			chargedLeads: [],
		};
		this.byId.set(id, account);
		this.bySecret.set(apiKey, { account, secret: 'apiKey', balance: 'apiCredits' });
		const session = { secret: 'sessionToken', balance: 'subscriptionCredits' } as const;
		this.bySecret.set(sessionToken, { account, ...session });
		return account;
	}

	/** Every account, oldest first. */
	all(): Account[] {
		return [...this.byId.values()];
	}

	/** Reads the credential of a request; a Bearer token comes before an X-API-Key. */
	credentialOf(headers: IncomingHttpHeaders): Credential {
		const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
		const xApiKey = headers['x-api-key'];
		if (bearer !== undefined) return { headerStyle: 'bearer', owner: this.bySecret.get(bearer) };
		if (typeof xApiKey === 'string')
			return { headerStyle: 'xApiKey', owner: this.bySecret.get(xApiKey) };
		return { headerStyle: null, owner: undefined };
	}

	/** The account with this id, API key or session token. */
	find(idOrSecret: string): Account | undefined {
		return this.byId.get(idOrSecret) ?? this.bySecret.get(idOrSecret)?.account;
	}
}
