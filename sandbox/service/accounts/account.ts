import { Type, type Static } from '@sinclair/typebox';
import { exactly } from '../contract/schemas';
import { leadOfRow } from '../data/leads';
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
	/** Credits that requests in flight have set aside (`setsCreditsAside`), by balance. */
	readonly setAside: Balances;
	/** Credits spent so far, by balance. */
	readonly spent: Balances;
	/**
	 * Numbers of the leads that were charged, in order, one per credit; one that was charged twice
	 * is here twice. The second row of a lead (`twoRowsEvery`) is another thing to pay for than its
	 * first: it is here as `~lead`, so that having both is no double payment.
	 */
	readonly chargedLeads: number[];
	/** The account with its `leadsChargedTwice`, and `chargedLeads` as a count: it may be long. */
	toJSON(): object;
}

/**
 * Sets credits aside for a request, as far as there are any.
 * @returns how many, and how to give them back; undefined where the account sets none aside
 */
export function setAside(account: Account, balance: keyof Balances, wanted: number) {
	if (account.behaviour.setsCreditsAside !== true) return undefined;
	const credits = Math.min(wanted, account[balance] - account.setAside[balance]);
	account.setAside[balance] += credits;
	return { credits, release: () => (account.setAside[balance] -= credits) };
}

/**
 * Takes one credit per row from a balance and notes which leads they were for.
 * @throws RangeError when the balance is too low; callers cut the page to the balance before
 */
export function charge(account: Account, balance: keyof Balances, leads: readonly number[]): void {
	if (leads.length > account[balance])
		throw new RangeError(`${leads.length} credits are due, ${account[balance]} are left`);
	account[balance] -= leads.length;
	account.spent[balance] += leads.length;
	for (const lead of leads) account.chargedLeads.push(lead);
}

/** The leads with a row that the account paid for more than once, each named once. */
export function leadsChargedTwice(account: Account): number[] {
	const seen = new Set<number>();
	const twice = new Set<number>();
	for (const row of account.chargedLeads)
		if (seen.has(row)) twice.add(leadOfRow(row));
		else seen.add(row);
	return [...twice];
}
