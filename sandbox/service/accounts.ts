import type { IncomingHttpHeaders } from 'node:http';
import type { Limits } from './limits';
import type { Deviation, Readings } from './model';

/** In credits. */
export interface Balances {
	apiCredits: number;
	subscriptionCredits: number;
}

/** How the service treats an account; without any of it, as the contract says. */
export interface Behaviour {
	/** The account sees only the first so many matching leads: the size of its database. */
	leads?: number;
	/** Positions, in the list of matching leads, that the database does not have yet. Change it to let lists grow. */
	absent?: readonly number[];
	readings?: Partial<Readings>;
	deviation?: Deviation;
	limits?: Limits;
}

export interface AccountOptions extends Partial<Balances>, Behaviour {
	id?: string;
	apiKey?: string;
	sessionToken?: string;
}

export interface Account extends Balances {
	readonly id: string;
	readonly apiKey: string;
	readonly sessionToken: string;
	readonly behaviour: Behaviour;
	readonly spent: Balances;
	/**
	 * Numbers of the leads that were charged, in order, one per credit; one that was charged twice is
	 * here twice. The second row of a profile (`twiceEvery`) is here as `~lead`.
	 */
	readonly chargedLeads: number[];
}

export type Credential = ReturnType<AccountStore['credentialOf']>;

/** The leads with a row that the account paid for more than once, each named once. */
export function leadsChargedTwice({ chargedLeads }: Account): number[] {
	const seen = new Set<number>();
	const duplicates = chargedLeads.filter((row) => seen.size === seen.add(row).size);
	return [...new Set(duplicates.map((row) => (row < 0 ? ~row : row)))];
}

export class AccountStore {
	private readonly byName = new Map<string, Account>();

	constructor() {
		this.create({ id: 'plenty' });
		this.create({ id: 'few', apiCredits: 60, subscriptionCredits: 60 });
		this.create({ id: 'none', apiCredits: 0, subscriptionCredits: 0 });
	}

	/** @throws RangeError when its id, key or token is taken */
	create({
		id = `account-${this.all().length + 1}`,
		apiKey = `sandbox-key-${id}`,
		sessionToken = `sandbox-session-${id}`,
		apiCredits = 1_000_000,
		subscriptionCredits = 1_000_000,
		...behaviour
	}: AccountOptions = {}): Account {
		const names = [id, apiKey, sessionToken];
		for (const name of names) if (this.find(name)) throw new RangeError(`${name} is taken`);
		const spent = { apiCredits: 0, subscriptionCredits: 0 };
		const fields = { id, apiKey, sessionToken, apiCredits, subscriptionCredits };
		const account: Account = { ...fields, behaviour, spent, chargedLeads: [] };
		for (const name of names) this.byName.set(name, account);
		return account;
	}

	all(): Account[] {
		return [...new Set(this.byName.values())];
	}

	/** The account with this id, API key or session token. */
	find(name: string): Account | undefined {
		return this.byName.get(name);
	}

	/** Reads the credential of a request (contract: "Authentication"); Bearer comes first. */
	credentialOf(headers: IncomingHttpHeaders) {
		const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
		const xApiKey = headers['x-api-key'];
		const text = bearer ?? (typeof xApiKey === 'string' ? xApiKey : undefined);
		const header = bearer === undefined ? 'xApiKey' : 'bearer';
		const owner = text === undefined ? undefined : this.find(text);
		return {
			/** The header that carried it; null when the request had none. */
			headerStyle: text === undefined ? null : header,
			/** Whose secret it is, whether or not the endpoint takes it this way; undefined: nobody's. */
			account: owner?.id === text ? undefined : owner,
			/** Which secret of the account it is, and so which balance it spends. */
			secret: owner?.sessionToken === text ? 'sessionToken' : 'apiKey',
		} as const;
	}
}
