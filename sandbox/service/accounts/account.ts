import type { Behaviour } from './behaviour';

/** The two balances of an account (contract: "What the service does"), in credits. */
export interface Balances {
	apiCredits: number;
	subscriptionCredits: number;
}

/** What a new account may be given; whatever is left out is made up. */
export interface AccountOptions extends Partial<Balances>, Behaviour {
	id?: string;
	apiKey?: string;
	sessionToken?: string;
}

/** An account and its ledger; the object changes as requests are charged. */
export interface Account extends Balances {
	readonly id: string;
	readonly apiKey: string;
	readonly sessionToken: string;
	readonly behaviour: Behaviour;
	/** Credits spent so far, by balance. */
	readonly spent: Balances;
	/**
	 * Numbers of the leads that were charged, in order, one per credit; one that was charged twice
	 * is here twice. The second row of a profile (`twiceEvery`) is here as `~lead`.
	 */
	readonly chargedLeads: number[];
}

/** The leads with a row that the account paid for more than once, each named once. */
export function leadsChargedTwice(account: Account): number[] {
	const seen = new Set<number>();
	const twice = new Set<number>();
	for (const row of account.chargedLeads)
		if (seen.has(row)) twice.add(row < 0 ? ~row : row);
		else seen.add(row);
	return [...twice];
}
