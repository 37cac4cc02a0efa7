/** The two balances of an account (contract: "What the service does"), in credits. */
export interface Balances {
	apiCredits: number;
	subscriptionCredits: number;
}

/** How the service treats one account: its defaults keep to the contract, each field bends it. */
export interface Behaviour {
	/** The account sees only the first so many matching leads: the size of its database. */
	leads?: number;
	/** Pages hold at most so many rows, and answers say so in `per_page`. */
	clampPerPage?: number;
	/** Pages hold at most so many rows, and answers still repeat the size that was asked for. */
	silentClamp?: number;
	/** False leaves `per_page` out of the answers. */
	answersPerPage?: boolean;
	/** Page sizes above `size` are refused with this status. */
	refusesPerPageAbove?: { size: number; status: 400 | 413 | 422 };
	/** Rows beyond `max_results` are served (and charged) all the same. */
	ignoresMaxResults?: boolean;
	/** A page cut short by a low balance names a next page instead of looking like the end. */
	saysMoreWhenShort?: boolean;
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
	/** Numbers of the leads that were charged, in order; one that was charged twice is here twice. */
	readonly chargedLeads: number[];
}

/** The credits of an account that wasn't given any number. */
export const DEFAULT_CREDITS = 1_000_000;

/**
 * Takes one credit per lead from a balance and notes which leads they were for.
 * @throws RangeError when the balance is too low; callers cut the page to the balance before
 */
export function charge(account: Account, balance: keyof Balances, leads: readonly number[]): void {
	if (leads.length > account[balance])
		throw new RangeError(`${leads.length} credits are due, ${account[balance]} are left`);
	account[balance] -= leads.length;
	account.spent[balance] += leads.length;
	for (const lead of leads) account.chargedLeads.push(lead);
}

/** The leads that the account paid for more than once, each named once. */
export function leadsChargedTwice(account: Account): number[] {
	const seen = new Set<number>();
	const twice = new Set<number>();
	for (const lead of account.chargedLeads) (seen.has(lead) ? twice : seen).add(lead);
	return [...twice];
}
