import type { Account, AccountOptions } from './account';

/** The credits of an account that wasn't given any number. */
const DEFAULT_CREDITS = 1_000_000;

/** The accounts that every service starts with. */
const BUILT_IN: readonly AccountOptions[] = [
	{ id: 'plenty' },
	{ id: 'few', apiCredits: 60, subscriptionCredits: 60 },
	{ id: 'none', apiCredits: 0, subscriptionCredits: 0 },
];

/** A secret of an account: which balance it spends, and where it is taken, depend on its kind. */
export interface Owner {
	account: Account;
	secret: 'apiKey' | 'sessionToken';
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
	create(options: AccountOptions = {}): Account {
		const {
			id = `account-${this.byId.size + 1}`,
			apiKey = `sandbox-key-${id}`,
			sessionToken = `sandbox-session-${id}`,
			apiCredits = DEFAULT_CREDITS,
			subscriptionCredits = DEFAULT_CREDITS,
			...behaviour
		} = options;
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
		this.bySecret.set(apiKey, { account, secret: 'apiKey' });
		this.bySecret.set(sessionToken, { account, secret: 'sessionToken' });
		return account;
	}

	/** Every account, oldest first. */
	all(): Account[] {
		return [...this.byId.values()];
	}

	/** The account that this API key or session token opens. */
	ownerOf(secret: string): Owner | undefined {
		return this.bySecret.get(secret);
	}

	/** The account with this id, API key or session token. */
	find(idOrSecret: string): Account | undefined {
		return this.byId.get(idOrSecret) ?? this.ownerOf(idOrSecret)?.account;
	}
}
