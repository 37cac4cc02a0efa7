import type { Account, AccountOptions, AccountStore, Balances, Behaviour } from './accounts';
import type { Fault, FaultStore } from './faults';
import type { LoggedRequest, RequestLog } from './log';

/** Which logged requests to give; every field that is there must fit. */
export interface RequestQuery {
	account?: string | undefined;
	path?: string;
	since?: number | undefined;
}

export interface AdminState {
	readonly accounts: AccountStore;
	readonly faults: FaultStore;
	readonly log: RequestLog;
	/** How requests without an account are treated: every preview, and unknown credentials. */
	anonymous: Behaviour;
}

/** What tests set up in a service, and look at. Unknown accounts are refused with a RangeError. */
export function adminOf(state: AdminState) {
	const { accounts, faults, log } = state;
	const account = (idOrSecret: string): Account => {
		const found = accounts.find(idOrSecret);
		if (found === undefined) throw new RangeError('There is no such account');
		return found;
	};
	return {
		account,
		/**
		 * From now on every preview is answered this way, and unknown credentials have these limits;
		 * what isn't named follows the contract.
		 */
		setPreviewBehaviour: (behaviour: Behaviour): void => {
			state.anonymous = behaviour;
		},
		accounts: () => accounts.all(),
		createAccount: (options?: AccountOptions) => accounts.create(options),
		setCredits: (idOrSecret: string, balances: Partial<Balances>): Account =>
			Object.assign(account(idOrSecret), balances),
		setBehaviour: (idOrSecret: string, behaviour: Behaviour): Account => {
			Object.assign(account(idOrSecret).behaviour, behaviour);
			return account(idOrSecret);
		},
		addFault: (fault: Fault) => faults.add(fault),
		clearFaults: () => {
			faults.clear();
		},
		/** The requests that the log still has (the last 20,000), oldest first. */
		requests: ({ account: owner, path, since = 0 }: RequestQuery = {}): LoggedRequest[] => {
			const id = owner === undefined ? undefined : account(owner).id;
			return log.requests.filter(
				(request) =>
					request.seq > since &&
					(id === undefined || request.account === id) &&
					(path === undefined || request.path === path),
			);
		},
		/** The first request, logged already or still to come, that the predicate wants. */
		whenRequest: (wanted: (request: LoggedRequest) => boolean) => log.when(wanted),
		/** Resolves when every answer is out and every connection that was cut is noted. */
		idle: () => log.idle(),
	};
}
