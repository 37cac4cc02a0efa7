import type { Account, Behaviour } from './accounts/account';
import { charge } from './accounts/account';
import { balanceOf, type Credential } from './accounts/credential';
import { answerChecks, complaints } from './contract/check';
import { PREVIEW_PATH } from './contract/paths';
import type { PreviewAnswer } from './contract/types';
import type { LeadBook } from './data/leadBook';
import { endpoints } from './endpoints';
import { bend, type Sent } from './endpoints/bend';
import type { Admission, Caller, Endpoint } from './endpoints/endpoint';
import type { Refusal } from './endpoints/page';
import { shaped, type PreviewShape } from './endpoints/previewShape';
import type { KeptAnswers } from './keptAnswers';

/** An answer that left its schema, and so became a 500. */
export interface SchemaBreach {
	path: string;
	/** Status of the answer that was meant. */
	status: number;
	/** What doesn't fit. */
	problems: string;
}

/** What a service is made of, as far as handling a request goes. */
export interface Shop {
	book: LeadBook;
	previewShape: PreviewShape;
	/** How previews are answered: they have no account. */
	previewBehaviour: Behaviour;
	breaches: SchemaBreach[];
	/** Answers to send again; every answer is worked out anew without it. */
	kept?: KeptAnswers;
}

/** A request that was handled: its answer is ready and charged. */
export interface Handled extends Omit<Sent, 'status'> {
	status: number;
	/** Numbers of its rows (data/rowNumber.ts), even when it was bent and holds none of them. */
	leads: readonly number[];
	/** Place of the first row in the whole result, from 0. */
	from: number;
	/** Credits. */
	charged: number;
}

/** Answers a request by the contract, charges for it, and keeps the answer to its schema. */
export function handle(shop: Shop, path: string, credential: Credential, body: unknown): Handled {
	const endpoint = endpoints.get(path);
	if (endpoint === undefined) return refused(shop, path, { status: 404, message: 'Not found' });
	if (endpoint.admits === null)
		return finish(shop, endpoint, body, {
			balance: Infinity,
			behaviour: shop.previewBehaviour,
		});

	const payer = admitted(endpoint.admits, credential);
	if (payer === undefined)
		return refused(shop, path, { status: 401, message: 'Missing or invalid credentials' });
	const { account, balance } = payer;
	// Behaviours bend answers, so an account with any gets none of those kept for others.
	const kept = Object.keys(account.behaviour).length === 0 ? shop.kept : undefined;
	const ready = kept?.find(path, body);
	if (ready !== undefined && ready.leads.length <= account[balance]) {
		charge(account, balance, ready.leads);
		const { bytes, leads, from } = ready;
		return { status: 200, body: bytes, leads, from, charged: leads.length };
	}
	const { behaviour } = account;
	const handled = finish(shop, endpoint, body, { balance: account[balance], behaviour });
	if (handled.status >= 300) return handled;
	kept?.keep(path, body, account[balance], handled);
	charge(account, balance, handled.leads);
	return { ...handled, charged: handled.leads.length };
}

interface Payer {
	account: Account;
	balance: ReturnType<typeof balanceOf>;
}

function admitted(admits: readonly Admission[], credential: Credential): Payer | undefined {
	const { account, secret, headerStyle } = credential;
	if (account === undefined || secret === undefined || headerStyle === null) return undefined;
	return admits.includes(`${headerStyle}:${secret}`)
		? { account, balance: balanceOf(secret) }
		: undefined;
}

function finish(shop: Shop, endpoint: Endpoint, question: unknown, caller: Caller): Handled {
	const { path, checkAnswer } = endpoint;
	const answer = endpoint.answer(question, shop.book, caller);
	if ('message' in answer) return refused(shop, path, answer);
	if (!checkAnswer(answer.body)) {
		const problems = complaints(checkAnswer, 'answer');
		shop.breaches.push({ path, status: answer.status, problems });
		return refused(shop, path, {
			status: 500,
			message: `The answer left its schema: ${problems}`,
		});
	}
	const sent = bend(answer.body, caller.behaviour);
	if (path === PREVIEW_PATH && (caller.behaviour.answerShape ?? 'contract') === 'contract')
		sent.body = shaped(sent.body as PreviewAnswer, shop.previewShape);
	return { ...answer, ...sent, charged: 0 };
}

function refused(shop: Shop, path: string, { status, message }: Refusal): Handled {
	const body = { success: false, message };
	if (!answerChecks.error(body))
		shop.breaches.push({ path, status, problems: complaints(answerChecks.error, 'answer') });
	return { status, body, leads: [], from: 0, charged: 0 };
}
