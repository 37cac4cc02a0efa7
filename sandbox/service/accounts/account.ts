import { Type, type Static } from '@sinclair/typebox';
import { exactly } from '../contract/schemas';
import { behaviour, type Behaviour } from './behaviour';

const credits = Type.Integer({ minimum: 0 });
const name = Type.Optional(Type.String({ minLength: 1 }));

/** The two balances of an account (contract: "What the service does"), in credits. */
const balances = exactly({ apiCredits: credits, subscriptionCredits: credits });
export type Balances = Static<typeof balances>;

/** New balances; what is left out stays. */
export const balanceChange = Type.Partial(balances);

/** What a new account may be given; whatever is left out is made up. */
export const accountOptions = exactly({
	...balanceChange.properties,
	...behaviour.properties,
	id: name,
	apiKey: name,
	sessionToken: name,
});
export type AccountOptions = Static<typeof accountOptions>;

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
	/** The account with its `leadsChargedTwice`, and `chargedLeads` as a count: it may be long. */
	toJSON(): object;
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
