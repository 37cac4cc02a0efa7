import { leadOfRow } from '../data/rowNumber';

/** The two balances of an account (contract: "What the service does"), in credits. */
export interface Balances {
	apiCredits: number;
	subscriptionCredits: number;
}

/** How an answer is built: as the contract has it, or as `Behaviour.answerShape` says. */
export const ANSWER_SHAPES = [
	'contract',
	'otherName',
	'bareArray',
	'nullRows',
	'nullWhenEmpty',
	'emptyBody',
	'noContent',
	'html',
] as const;

/** How the service treats one account: its defaults keep to the contract, each field bends it. */
export interface Behaviour {
	/** The account sees only the first so many matching leads: the size of its database. */
	leads?: number;
	/** Pages hold at most so many rows, and answers say so in `per_page`. */
	clampPerPage?: number;
	/** Pages hold at most so many rows, and answers still repeat the size that was asked for. */
	silentClamp?: number;
	/** From this page number on, pages are counted by this size and hold at most so many rows. */
	laterClamp?: { fromPage: number; size: number };
	/** Pages hold so many rows, whatever `_per_page` asks for. */
	fixedPerPage?: number;
	/** `per_page` repeats the size that was asked for, whatever size the pages have. */
	echoesPerPage?: boolean;
	/** `per_page` is the number of rows in the answer, which can be 0. */
	perPageIsCount?: boolean;
	/** False leaves `per_page` out of the answers. */
	answersPerPage?: boolean;
	/** Page sizes above `size` are refused with this status. */
	refusesPerPageAbove?: { size: number; status: 400 | 413 | 422 };
	/** Rows beyond `max_results` are served (and charged) all the same. */
	ignoresMaxResults?: boolean;
	/** A page cut short by a low balance names a next page instead of looking like the end. */
	saysMoreWhenShort?: boolean;
	/** An answer that leaves the balance at zero looks like the end, even when its page is full. */
	deniesMoreAtZero?: boolean;
	/** With a balance of zero everything is refused with 402, requests that would cost nothing too. */
	refusesAllAtZero?: boolean;
	/**
	 * Every page number gets the rows of the first page. 'echo': the rest of the answer fits the
	 * page asked for; 'one': it is page 1 throughout.
	 */
	ignoresPage?: 'echo' | 'one';
	/** Page numbers behind the last page get its rows again; `page` is the one asked for. */
	repeatsLastPage?: boolean;
	/**
	 * Pages hold so many of the following rows, too; the next page starts where it always does.
	 * `max_results` still holds.
	 */
	sendsExtra?: number;
	/**
	 * What a page of a lookup is a part of. 'urls': page n is about URLs (n - 1) * size + 1 to
	 * n * size of the list and holds the rows found for them; `max_results`, `total_count`,
	 * `total_pages` and `has_more` count URLs as well.
	 */
	lookupPagesBy?: 'rows' | 'urls';
	/** A lookup answers leads whose number is a multiple of it under another `linkedin_url`. */
	renamesEvery?: number;
	/**
	 * A lookup answers leads whose number is a multiple of it with two rows, each for a credit and
	 * each counted by `max_results`.
	 */
	twoRowsEvery?: number;
	/** A lookup of no URL is refused with this status. */
	refusesEmptyLookup?: 400 | 402 | 422;
	/** Fields left out of the answer. */
	omits?: string[];
	/** Fields left out of every row. */
	omitsRowFields?: string[];
	/**
	 * 'otherName': the rows are where the other endpoint has them. 'bareArray': nothing but the rows.
	 * 'nullRows': null instead of the rows; 'nullWhenEmpty': only when there are none. 'emptyBody',
	 * 'noContent' (status 204) and 'html' hold no row. All are charged like the answer they replace.
	 */
	answerShape?: (typeof ANSWER_SHAPES)[number];
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
	 * is here twice. The second row of a lead (`twoRowsEvery`) is another thing to pay for than its
	 * first: it is here as `~lead`, so that having both is no double payment.
	 */
	readonly chargedLeads: number[];
}

/** The credits of an account that wasn't given any number. */
export const DEFAULT_CREDITS = 1_000_000;

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
