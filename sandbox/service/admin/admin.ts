import type { Account, AccountOptions, Balances } from '../accounts/account';
import type { Behaviour } from '../accounts/behaviour';
import type { Fault } from '../faults/fault';
import type { AddedFault } from '../faults/faultStore';
import type { LoggedRequest } from '../log/requestLog';
import type { SchemaBreach, State } from '../state';

/** Which logged requests to give; every field that is there must fit. */
export interface RequestQuery {
	/** Id, API key or session token. */
	account?: string;
	/** The whole path. */
	path?: string;
	/** Only requests with a higher `seq`. */
	since?: number;
}

/** Where a preview answer can keep its rows: the contract doesn't say. */
const PREVIEW_SHAPES = {
	preview_data: 'contract',
	data: 'otherName',
	leads: 'leads',
	results: 'results',
	array: 'bareArray',
	unrecognisable: 'unrecognisable',
} as const satisfies Record<string, Behaviour['answerShape']>;
export type PreviewShape = keyof typeof PREVIEW_SHAPES;

/** What tests set up in a service, and what they look at. */
export class Admin {
	constructor(private readonly state: State) {}

	/** Every account, the built-in ones first. */
	accounts(): Account[] {
		return this.state.accounts.all();
	}

	/**
	 * Opens an account with a key and a token of its own, so that tests don't share a ledger.
	 * @throws RangeError when its id, key or token is taken
	 */
	createAccount(options?: AccountOptions): Account {
		return this.state.accounts.create(options);
	}

	/** @throws RangeError when no account has this id, API key or session token */
	account(idOrSecret: string): Account {
		const account = this.state.accounts.find(idOrSecret);
		if (account === undefined) throw new RangeError('There is no such account');
		return account;
	}

	/** Sets one balance or both to so many credits. */
	setCredits(idOrSecret: string, balances: Partial<Balances>): Account {
		return Object.assign(this.account(idOrSecret), balances);
	}

	/** Changes how the service treats the account from now on; what isn't named stays. */
	setBehaviour(idOrSecret: string, behaviour: Behaviour): Account {
		const account = this.account(idOrSecret);
		Object.assign(account.behaviour, behaviour);
		return account;
	}

	/** Lets something go wrong with the requests that it fits. */
	addFault(fault: Fault): AddedFault {
		return this.state.faults.add(fault);
	}

	/** Takes every fault back. */
	clearFaults(): void {
		this.state.faults.clear();
	}

	/** The requests that the log still has (the last 20,000), oldest first. */
	requests({ account, path, since = 0 }: RequestQuery = {}): LoggedRequest[] {
		const id = account === undefined ? undefined : this.account(account).id;
		return this.state.log
			.all()
			.filter(
				(request) =>
					request.seq > since &&
					(id === undefined || request.account === id) &&
					(path === undefined || request.path === path),
			);
	}

	/** The first request, logged already or still to come, that the predicate wants. */
	whenRequest(wanted: (request: LoggedRequest) => boolean): Promise<LoggedRequest> {
		return this.state.log.when(wanted);
	}

	/** Waits until every answer is out and every connection that was cut is noted. */
	idle(): Promise<void> {
		return this.state.log.idle();
	}

	/** From now on every preview has its rows there, and follows the contract otherwise. */
	setPreviewShape(shape: PreviewShape): void {
		this.setPreviewBehaviour({ answerShape: PREVIEW_SHAPES[shape] });
	}

	/**
	 * From now on every preview is answered this way, and unknown credentials have these limits;
	 * what isn't named follows the contract.
	 */
	setPreviewBehaviour(behaviour: Behaviour): void {
		this.state.anonymous = behaviour;
	}

	/** Answers of the service's own that left their schema; a sound service has none. */
	schemaBreaches(): SchemaBreach[] {
		return [...this.state.breaches];
	}
}
