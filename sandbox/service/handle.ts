import { charge } from './accounts/account';
import type { Credential } from './accounts/accountStore';
import { refusal } from './answer';
import { MOST_RESULTS } from './contract/schemas';
import type { Served } from './endpoints/endpoint';
import { lookup } from './endpoints/lookup';
import { preview } from './endpoints/preview';
import { search } from './endpoints/search';
import type { State } from './state';

/** The endpoints of the contract. */
export const endpoints = [preview, search, lookup];

/**
 * Answers a request by the contract and charges for it.
 * @param endpoint undefined for requests that are to none of them
 * @param mayBeReady whether an answer will do that is ready to be sent
 * @param spendable credits that are there for it: the balance unless given
 */
export function handle(
	{ anonymous, breaches, ready: kept }: State,
	endpoint: (typeof endpoints)[number] | undefined,
	{ headerStyle, owner }: Credential,
	body: unknown,
	mayBeReady: boolean,
	spendable?: number,
): Served {
	if (endpoint === undefined) return refusal(404, 'Not found');
	const { path, admits, serve } = endpoint;
	if (admits === null) return serve(body, Infinity, anonymous, breaches);
	if (!owner || !headerStyle || !admits.includes(`${headerStyle}:${owner.secret}`))
		return refusal(401, 'Missing or invalid credentials');

	const { account, balance } = owner;
	// An account that bends its answers gets none of those kept for others.
	const isPlain = Object.keys(account.behaviour).every((name) => name === 'limits');
	const ready = mayBeReady && isPlain ? kept : undefined;
	const question = ready === undefined ? '' : textOf(path, body);
	let served = ready?.get(question);
	if (served?.page === undefined || served.page.rows.length > account[balance]) {
		served = serve(body, spendable ?? account[balance], account.behaviour, breaches);
		// A balance that could have cut the page makes its answer unfit for others.
		if (served.page !== undefined && account[balance] >= MOST_RESULTS)
			ready?.set(question, { ...served, body: Buffer.from(JSON.stringify(served.body)) });
	}
	if (served.page !== undefined) charge(account, balance, served.page.rows);
	return served;
}

/** The same text for questions whose fields differ in their order only. */
function textOf(path: string, question: unknown): string {
	const fields = Object.entries(Object(question) as object);
	return JSON.stringify([path, fields.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
