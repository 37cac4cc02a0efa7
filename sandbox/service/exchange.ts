import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountBook } from './accounts/accountBook';
import { credentialOf, type Credential } from './accounts/credential';
import { DEFAULT_PER_PAGE } from './contract/paths';
import type { FaultAction } from './faults/fault';
import type { FaultBook } from './faults/faultBook';
import { chargesFirst, sendAnswer, sendFault, type Answer, type SendingFault } from './faults/send';
import { handle, type Shop } from './handle';
import type { LoggedRequest, RequestLog } from './log/requestLog';

/** What an exchange draws on. */
export interface Exchanges {
	shop: Shop;
	accounts: AccountBook;
	faults: FaultBook;
	log: RequestLog;
	/** Milliseconds that every request waits before it is handled. */
	latencyMs: number;
	/** Aborts when the service closes. */
	closing: AbortSignal;
}

/** Answers one request: logs it, lets it meet its faults, handles and charges it. */
export async function exchange(
	parts: Exchanges,
	logged: LoggedRequest,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const credential = credentialOf(request.headers, parts.accounts);
	Object.assign(logged, pageAsked(logged.path, request.body));
	const faults = parts.faults.meet({ ...logged, accountNames: namesOf(credential) });
	const kinds = faults.map(({ kind }) => kind);
	parts.log.understood(logged, credential, request.body, kinds);

	const delay = faults.reduce(
		(sum, fault) => sum + (fault.kind === 'latency' ? fault.ms : 0),
		parts.latencyMs,
	);
	if (delay > 0) await sleep(delay, undefined, { signal: parts.closing }).catch(() => undefined);
	if (parts.closing.aborted) return reply.hijack();

	const sending = faults.find(isSending);
	const answer =
		sending === undefined || chargesFirst(sending)
			? spoilt(
					answerTo(shopFor(parts.shop, faults), logged, credential, request.body),
					faults,
				)
			: { status: 200, body: {} };
	logged.status = sentStatus(sending, answer);
	if (sending === undefined) return sendAnswer(reply, answer);
	await sendFault(sending, reply, answer, parts.closing);
	return reply;
}

/** A fault that changes or cuts the answer needs one that isn't ready to be sent. */
function shopFor(shop: Shop, faults: readonly FaultAction[]): Shop {
	const isPlain = faults.every(({ kind }) => kind === 'latency');
	return isPlain ? shop : { ...shop, kept: undefined };
}

function answerTo(
	shop: Shop,
	logged: LoggedRequest,
	credential: Credential,
	body: unknown,
): Answer {
	const handled =
		logged.method === 'POST'
			? handle(shop, logged.path, credential, body)
			: handle(shop, '', credential, body);
	const { from, leads, charged } = handled;
	logged.rows = leads.length;
	logged.charged = charged;
	if (handled.status < 300) logged.range = { from, to: from + leads.length };
	return handled;
}

/** Merges and patches change good answers only: a 402 or an HTML page has no fields to bend. */
function spoilt(answer: Answer, faults: readonly FaultAction[]): Answer {
	if (answer.status !== 200 || Buffer.isBuffer(answer.body)) return answer;
	const changed = faults.reduce((soFar: unknown, fault) => {
		if (fault.kind === 'patch') return fault.patch(soFar);
		if (fault.kind !== 'merge' || Array.isArray(soFar)) return soFar;
		return { ...Object(soFar), ...fault.merge };
	}, answer.body);
	return { ...answer, body: changed };
}

function isSending(fault: FaultAction): fault is SendingFault {
	return fault.kind !== 'latency' && fault.kind !== 'merge' && fault.kind !== 'patch';
}

function sentStatus(fault: SendingFault | undefined, answer: Answer): number | null {
	switch (fault?.kind) {
		case undefined:
		case 'wrongEncoding':
		case 'hugeHeaders':
			return answer.status;
		case 'status':
			return fault.status;
		case 'redirect':
			return fault.status ?? 302;
		case 'hang':
		case 'loseBeforeAnswer':
		case 'loseAfterAnswer':
		case 'loseMidAnswer':
			return null;
		default:
			return 200;
	}
}

function namesOf({ account }: Credential): string[] {
	return account === undefined ? [] : [account.id, account.apiKey, account.sessionToken];
}

function pageAsked(path: string, body: unknown): Pick<LoggedRequest, 'page' | 'perPage'> {
	const known: Readonly<Record<string, number>> = DEFAULT_PER_PAGE;
	const usual = known[path];
	if (usual === undefined) return { page: null, perPage: null };
	const { _page, _per_page } = Object(body) as { _page?: unknown; _per_page?: unknown };
	return {
		page: typeof _page === 'number' ? _page : 1,
		perPage: typeof _per_page === 'number' ? _per_page : usual,
	};
}
