import type { Account, AccountOptions, Balances, Behaviour } from '../accounts/account';
import { checkCredits, type AccountBook } from '../accounts/accountBook';
import type { PreviewShape } from '../endpoints/previewShape';
import type { Fault } from '../faults/fault';
import type { AddedFault, FaultBook } from '../faults/faultBook';
import type { SchemaBreach, Shop } from '../handle';
import type { LoggedRequest, RequestLog } from '../log/requestLog';

/** Which logged requests to give; every field that is there must fit. */
export interface RequestQuery {
	/** Id, API key or session token. */
	account?: string;
	/** The whole path. */
	path?: string;
	/** Only requests with a higher `seq`. */
	since?: number;
}

/** The back door of a service: what tests set up and look at. */
export class Admin {
	constructor(
		private readonly parts: {
			shop: Shop;
			accounts: AccountBook;
			faults: FaultBook;
			log: RequestLog;
		},
	) {}

	/** Every account, the built-in ones first. */
	accounts(): Account[] {
		return this.parts.accounts.all();
	}

	/**
	 * Opens an account with a key and a token of its own, so that tests don't meet in a ledger.
	 * @throws RangeError when its id, key or token is taken
	 */
	createAccount(options?: AccountOptions): Account {
		return this.parts.accounts.create(options);
	}

	/** @throws RangeError when no account has this id, API key or session token */
	account(idOrSecret: string): Account {
		const account = this.parts.accounts.find(idOrSecret);
		if (account === undefined) throw new RangeError('There is no such account');
		return account;
	}

	/** Sets one balance or both to so many credits. */
	setCredits(idOrSecret: string, balances: Partial<Balances>): Account {
		const account = this.account(idOrSecret);
		const {
			apiCredits = account.apiCredits,
			subscriptionCredits = account.subscriptionCredits,
		} = balances;
		checkCredits({ apiCredits, subscriptionCredits });
		return Object.assign(account, { apiCredits, subscriptionCredits });
	}

	/** Changes how the service treats the account from now on; what isn't named stays. */
	setBehaviour(idOrSecret: string, behaviour: Behaviour): Account {
		const account = this.account(idOrSecret);
		Object.assign(account.behaviour, behaviour);
		return account;
	}

	/** Lets something go wrong with the requests that it fits. */
	addFault(fault: Fault): AddedFault {
		return this.parts.faults.add(fault);
	}

	/** Takes every fault back. */
	clearFaults(): void {
		this.parts.faults.clear();
	}

	/** The requests that the log still has (the last 20,000), oldest first. */
	requests({ account, path, since = 0 }: RequestQuery = {}): LoggedRequest[] {
		const id = account === undefined ? undefined : this.account(account).id;
		return this.parts.log
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
		return this.parts.log.when(wanted);
	}

	/** Waits until every answer is out and every connection that was cut is noted. */
	idle(): Promise<void> {
		return this.parts.log.idle();
	}

	/** Forgets the logged requests; balances, ledgers and the count go on. */
	clearRequests(): void {
		this.parts.log.clear();
	}

	/** From now on every preview answers in this shape. */
	setPreviewShape(shape: PreviewShape): void {
		this.parts.shop.previewShape = shape;
	}

	/** From now on every preview is answered this way; what isn't named follows the contract. */
	setPreviewBehaviour(behaviour: Behaviour): void {
		this.parts.shop.previewBehaviour = behaviour;
	}

	/** Answers of the service's own that left their schema; a sound service has none. */
	schemaBreaches(): SchemaBreach[] {
		return [...this.parts.shop.breaches];
	}
}
