import { DEFAULT_CREDITS, type Account, type AccountOptions } from './account';

/** The accounts that every service starts with. */
export const BUILT_IN: readonly AccountOptions[] = [
	{ id: 'plenty', apiCredits: 1_000_000, subscriptionCredits: 1_000_000 },
	{ id: 'few', apiCredits: 60, subscriptionCredits: 60 },
	{ id: 'none', apiCredits: 0, subscriptionCredits: 0 },
];

/** Every account of a service, found by id, API key or session token. */
export class AccountBook {
	private readonly byId = new Map<string, Account>();
	private readonly byApiKey = new Map<string, Account>();
	private readonly bySessionToken = new Map<string, Account>();

	constructor() {
		for (const options of BUILT_IN) this.create(options);
	}

	/**
	 * Opens an account.
	 * @throws RangeError when its id, key or token is taken, or its credits aren't whole numbers
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
		for (const secret of [id, apiKey, sessionToken])
			if (this.find(secret) !== undefined) throw new RangeError(`${secret} is taken`);
		checkCredits({ apiCredits, subscriptionCredits });
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
		this.byApiKey.set(apiKey, account);
		this.bySessionToken.set(sessionToken, account);
		return account;
	}

	/** Every account, oldest first. */
	all(): Account[] {
		return [...this.byId.values()];
	}

	/** The account that this API key opens. */
	ofApiKey(apiKey: string): Account | undefined {
		return this.byApiKey.get(apiKey);
	}

	/** The account that this session token opens. */
	ofSessionToken(token: string): Account | undefined {
		return this.bySessionToken.get(token);
	}

	/** The account with this id, API key or session token. */
	find(idOrSecret: string): Account | undefined {
		return (
			this.byId.get(idOrSecret) ??
			this.ofApiKey(idOrSecret) ??
			this.ofSessionToken(idOrSecret)
		);
	}
}

/** @throws RangeError when a balance isn't a whole number of credits */
export function checkCredits(balances: Readonly<Record<string, number>>): void {
	for (const [name, credits] of Object.entries(balances))
		if (!Number.isInteger(credits) || credits < 0)
			throw new RangeError(`${name} is a whole number of credits`);
}
