import { Type, type Static, type TSchema } from '@sinclair/typebox';
import {
	accountOptions,
	balanceChange,
	type Account,
	type AccountOptions,
	type Balances,
} from '../accounts/account';
import { behaviour, type Behaviour } from '../accounts/behaviour';
import { refusal, type Answer } from '../answer';
import { checker } from '../contract/check';
import { exactly } from '../contract/schemas';
import { anyFault, type Fault } from '../faults/fault';
import type { LoggedRequest } from '../log/requestLog';
import type { State } from '../state';

const text = Type.String();
const requestQuery = exactly({
	/** Id, API key or session token. */
	account: Type.Optional(text),
	/** The whole path. */
	path: Type.Optional(text),
	/** Only requests with a higher `seq`. */
	since: Type.Optional(Type.Integer({ minimum: 0 })),
});
/** Which logged requests to give; every field that is there must fit. */
export type RequestQuery = Static<typeof requestQuery>;

/** What tests set up in a service, and what they look at. */
export type Admin = ReturnType<typeof adminOf>;

/** Gives access to the state of a service. Unknown accounts are refused with a RangeError. */
export function adminOf(state: State) {
	const { accounts, faults, log } = state;
	/** The account with this id, API key or session token. */
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
		/** Every account, the built-in ones first. */
		accounts: () => accounts.all(),
		/** Opens an account; its id, key and token must be new. */
		createAccount: (options?: AccountOptions) => accounts.create(options),
		/** Sets one balance or both to so many credits. */
		setCredits: (idOrSecret: string, balances: Partial<Balances>): Account =>
			Object.assign(account(idOrSecret), balances),
		/** Changes how the service treats the account from now on; what isn't named stays. */
		setBehaviour: (idOrSecret: string, behaviour: Behaviour): Account => {
			Object.assign(account(idOrSecret).behaviour, behaviour);
			return account(idOrSecret);
		},
		/** Lets something go wrong with the requests that it fits. */
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
		/** Memory of the process, in bytes. */
		health: () => ({ rssBytes: process.memoryUsage.rss() }),
	};
}

/** Paths with it call the admin; such requests are neither logged nor limited, and meet no faults. */
export const ADMIN_PREFIX = '/_admin/';

/** The methods that are there over HTTP, and what arguments each takes. */
const ARGUMENTS = {
	account: Type.Tuple([text]),
	accounts: Type.Tuple([]),
	setPreviewBehaviour: Type.Tuple([behaviour]),
	createAccount: atMost(accountOptions),
	setCredits: Type.Tuple([text, balanceChange]),
	setBehaviour: Type.Tuple([text, behaviour]),
	addFault: Type.Tuple([anyFault]),
	clearFaults: Type.Tuple([]),
	requests: atMost(requestQuery),
	health: Type.Tuple([]),
};
const CHECKS = new Map(
	Object.entries(ARGUMENTS).map(([method, schema]) => [method, checker(schema, 'arguments')]),
);

/** One argument or none. */
function atMost(argument: TSchema) {
	return { ...Type.Tuple([argument]), minItems: 0 };
}

/**
 * Calls a method of the admin for a client of a service that runs as a process of its own.
 * @param args as they came: an array of the method's arguments, or nothing for none
 * @throws RangeError when the method refuses them
 */
export function callAdmin(admin: Admin, method: string, args: unknown = []): Answer {
	const check = CHECKS.get(method);
	if (check === undefined)
		return refusal(404, `No such method; there are ${[...CHECKS.keys()].join(', ')}`);
	const wrong = check(args);
	if (wrong !== undefined) return refusal(400, wrong);
	const call: (...args: never[]) => unknown = admin[method as keyof typeof ARGUMENTS];
	return { status: 200, body: call(...(args as never[])) ?? { success: true } };
}
