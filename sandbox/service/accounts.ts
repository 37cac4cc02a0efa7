/** Accounts of the mock service: balances, secrets and charges. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Limits } from './limits';
import type { Deviation, Readings } from './model';

/** Balances in credits. */
export interface Balances {
	apiCredits: number;
	subscriptionCredits: number;
}

/** How the service treats an account. By default, it follows the contract. */
export interface Behaviour {
	/** Number of leads that a search can match: the size of the account's database. */
	leads?: number;
	/** Positions, in the list of matching leads, that the database does not have yet. Change it to let lists grow. */
	absent?: readonly number[];
	/** Number of consecutive leads whose order differs in each request, as in a database that sorts by a value with ties. */
	ties?: number;
	/** Fields that each lead has in addition to the contract's. */
	extraFields?: Readonly<Record<string, unknown>>;
	readings?: Partial<Readings>;
	deviation?: Deviation;
	limits?: Limits;
}

/** Options of a new account. */
export interface AccountOptions extends Partial<Balances>, Behaviour {
	id?: string;
	apiKey?: string;
	sessionToken?: string;
}

/** An account. */
export interface Account extends Balances {
	readonly id: string;
	readonly apiKey: string;
	readonly sessionToken: string;
	readonly behaviour: Behaviour;
	readonly spent: Balances;
	/**
	 * Numbers of the charged leads in order, one per credit, so a lead that was charged twice occurs twice. The second row
	 * of a profile (`twiceEvery`) is `~lead`.
	 */
	readonly chargedLeads: number[];
}

export type Credential = ReturnType<AccountStore['credentialOf']>;

/** Returns the leads that the account paid for more than once, deduplicated. */
export function leadsChargedTwice({ chargedLeads }: Account): number[] {
	const seen = new Set<number>();
	const duplicates = chargedLeads.filter((row) => seen.size === seen.add(row).size);
	return [...new Set(duplicates.map((row) => (row < 0 ? ~row : row)))];
}

/** All accounts. Three exist from the start: `plenty`, `few` and `none`. */
export class AccountStore {
	private readonly byName = new Map<string, Account>();

	constructor() {
		this.create({ id: 'plenty' });
		this.create({ id: 'few', apiCredits: 60, subscriptionCredits: 60 });
		this.create({ id: 'none', apiCredits: 0, subscriptionCredits: 0 });
	}

	/** Creates an account. @throws RangeError if its ID, key or token is taken */
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

	/** Finds an account by ID, API key or session token. */
	find(name: string): Account | undefined {
		return this.byName.get(name);
	}

	/** Reads the credential of a request (contract, "Authentication"). Bearer takes precedence over X-API-Key. */
	credentialOf(headers: IncomingHttpHeaders) {
		const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
		const xApiKey = headers['x-api-key'];
		const text = bearer ?? (typeof xApiKey === 'string' ? xApiKey : undefined);
		const header = bearer === undefined ? 'xApiKey' : 'bearer';
		const owner = text === undefined ? undefined : this.find(text);
		return {
			/** The header with the secret, or null if the request has none. */
			headerStyle: text === undefined ? null : header,
			/** The account of the secret, even if the endpoint doesn't accept it in this header; undefined if unknown. */
			account: owner?.id === text ? undefined : owner,
			/** Which secret of the account it is. It decides which balance is spent. */
			secret: owner?.sessionToken === text ? 'sessionToken' : 'apiKey',
		} as const;
	}
}
