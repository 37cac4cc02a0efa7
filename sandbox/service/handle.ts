import { charge } from './accounts/account';
import type { Credential } from './accounts/accountStore';
import { MOST_RESULTS } from './contract/paths';
import { bend } from './endpoints/bend';
import type { Caller } from './endpoints/endpoint';
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

const endpoints = [preview, search, lookup];
type Endpoint = (typeof endpoints)[number];

/**
 * Answers a request by the contract, charges for it, and keeps the answer to its schema.
 * @param mayBeReady whether an answer will do that is ready to be sent
 * @param spendable credits that are there for it: the balance unless given
 */
export function handle(
	state: State,
	path: string,
	{ headerStyle, owner }: Credential,
	body: unknown,
	mayBeReady: boolean,
	spendable?: number,
): Handled {
	const endpoint = endpoints.find((one) => one.path === path);
	if (endpoint === undefined) return refused({ status: 404, message: 'Not found' });
	if (endpoint.admits === null)
		return finish(state, endpoint, body, { balance: Infinity, behaviour: state.anonymous });
	if (!owner || !headerStyle || !endpoint.admits.includes(`${headerStyle}:${owner.secret}`))
		return refused({ status: 401, message: 'Missing or invalid credentials' });

	const { account, balance } = owner;
	// An account that bends its answers gets none of those kept for others.
	const isPlain = Object.keys(account.behaviour).every((name) => name === 'limits');
	const ready = mayBeReady && isPlain ? state.ready : undefined;
	const question = ready === undefined ? '' : textOf(path, body);
	const known = ready?.get(question);
	if (known !== undefined && known.leads.length <= account[balance]) {
		charge(account, balance, known.leads);
		return known;
	}
	const caller = { balance: spendable ?? account[balance], behaviour: account.behaviour };
	const answer = finish(state, endpoint, body, caller);
	if (answer.status >= 300) return answer;
	const handled = { ...answer, charged: answer.leads.length };
	// A balance that could have cut the page makes its answer unfit for others.
	if (account[balance] >= MOST_RESULTS)
		ready?.set(question, { ...handled, body: Buffer.from(JSON.stringify(handled.body)) });
	charge(account, balance, handled.leads);
	return handled;
}

/** The same text for questions whose fields differ in their order only. */
function textOf(path: string, question: unknown): string {
	const fields = Object.entries(Object(question) as object);
	return JSON.stringify([path, fields.sort(([one], [other]) => (one < other ? -1 : 1))]);
}

function finish(state: State, endpoint: Endpoint, question: unknown, caller: Caller): Handled {
	const { path, wrongInAnswer } = endpoint;
	const answer = endpoint.serve(question, caller);
	if ('message' in answer) return refused(answer);
	const problems = wrongInAnswer(answer.body);
	if (problems !== undefined) {
		state.breaches.push({ path, problems });
		return refused({ status: 500, message: `The answer left its schema: ${problems}` });
	}
	const { rows: leads, from } = answer.page;
	return { ...bend(answer.body, caller.behaviour), leads, from, charged: 0 };
}

function refused({ status, message }: Refusal): Handled {
	return { status, body: { success: false, message }, leads: [], from: 0, charged: 0 };
}
