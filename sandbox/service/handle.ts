import { charge } from './accounts/account';
import { balanceOf, type Credential } from './accounts/accountStore';
import { compile, violations } from './contract/check';
import { errorAnswer } from './contract/schemas';
import { bend } from './endpoints/bend';
import type { Caller, Endpoint } from './endpoints/endpoint';
import { lookup } from './endpoints/lookup';
import type { Refusal } from './endpoints/page';
import { preview } from './endpoints/preview';
import { search } from './endpoints/search';
import type { Answer } from './faults/send';
import type { State } from './state';

/** A request that was handled: its answer is ready and charged. */
export interface Handled extends Answer {
	/** Numbers of its rows (data/rowNumber.ts), even when it was bent and holds none of them. */
	leads: readonly number[];
	/** Place of the first row in the whole result, from 0. */
	from: number;
	/** Credits. */
	charged: number;
}

const isErrorAnswer = compile(errorAnswer);
/** All are POST. */
const endpoints: readonly Endpoint[] = [preview, search, lookup];

type Handling = Pick<State, 'store' | 'anonymous' | 'breaches'> & Partial<Pick<State, 'ready'>>;

/**
 * Answers a request by the contract, charges for it, and keeps the answer to its schema.
 * @param spendable credits that are there for it: the balance unless given
 */
export function handle(
	state: Handling,
	path: string,
	{ headerStyle, owner }: Credential,
	body: unknown,
	spendable?: number,
): Handled {
	const endpoint = endpoints.find((one) => one.path === path);
	if (endpoint === undefined) return refused(state, path, { status: 404, message: 'Not found' });
	if (endpoint.admits === null)
		return finish(state, endpoint, body, { balance: Infinity, behaviour: state.anonymous });
	if (!owner || !headerStyle || !endpoint.admits.includes(`${headerStyle}:${owner.secret}`))
		return refused(state, path, { status: 401, message: 'Missing or invalid credentials' });

	const { account } = owner;
	const balance = balanceOf(owner);
	// An account that bends its answers gets none of those kept for others.
	const isPlain = Object.keys(account.behaviour).every((name) => name === 'limits');
	const ready = isPlain ? state.ready : undefined;
	const known = ready?.find(path, body);
	if (known !== undefined && known.leads.length <= account[balance]) {
		charge(account, balance, known.leads);
		return { status: 200, ...known, charged: known.leads.length };
	}
	const caller = { balance: spendable ?? account[balance], behaviour: account.behaviour };
	const handled = finish(state, endpoint, body, caller);
	if (handled.status >= 300) return handled;
	ready?.keep(path, body, account[balance], handled);
	charge(account, balance, handled.leads);
	return { ...handled, charged: handled.leads.length };
}

function finish(state: Handling, endpoint: Endpoint, question: unknown, caller: Caller): Handled {
	const { path, isAnswer } = endpoint;
	const answer = endpoint.serve(question, state.store, caller);
	if ('message' in answer) return refused(state, path, answer);
	if (!isAnswer(answer.body)) {
		const problems = violations(isAnswer, 'answer');
		state.breaches.push({ path, status: 200, problems });
		return refused(state, path, {
			status: 500,
			message: `The answer left its schema: ${problems}`,
		});
	}
	const { leads, from } = answer;
	return { ...bend(answer.body, caller.behaviour), leads, from, charged: 0 };
}

function refused(state: Handling, path: string, { status, message }: Refusal): Handled {
	const body = { success: false, message };
	if (!isErrorAnswer(body))
		state.breaches.push({ path, status, problems: violations(isErrorAnswer, 'answer') });
	return { status, body, leads: [], from: 0, charged: 0 };
}
