import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from './accounts/accountStore';
import { refusal, sendAnswer, type Answer } from './answer';
import { PREVIEW_PATH } from './contract/schemas';
import { chargesFirst, isSending, type FaultAction } from './faults/fault';
import { sendFault } from './faults/send';
import { endpoints, handle, type Served } from './handle';
import { Limiter } from './limits/limits';
import type { LoggedRequest } from './log/requestLog';
import { askedIn } from './model';
import type { State } from './state';

/** Answers one request: logs it, limits it, injects its faults, handles and charges it. */
export async function exchange(
	state: State,
	logged: LoggedRequest,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const { body } = request;
	const endpoint = endpoints.find(({ path }) => path === logged.path);
	const credential = state.accounts.credentialOf(request.headers);
	const { owner, headerStyle } = credential;
	if (endpoint) {
		const { page, size: perPage } = askedIn(endpoint.name, body);
		Object.assign(logged, { page, perPage });
	}
	const { accepted, headers } = admit(state, logged.path, credential, reply);
	const faults = accepted ? state.faults.inject(logged, owner?.account) : [];
	const kinds = faults.map(({ kind }) => kind);
	const account = owner?.account.id ?? null;
	state.log.understood(logged, { account, headerStyle, body, faults: kinds });
	reply.headers(headers);

	const delays = faults.map((fault) => (fault.kind === 'latency' ? fault.ms : 0));
	const delay = delays.reduce((sum, ms) => sum + ms, 0);
	if (delay > 0) await sleep(delay, undefined, { signal: state.closing }).catch(() => undefined);
	if (state.closing.aborted) return reply.hijack();
	if (!accepted) return sendAnswer(reply, refusal(429, 'Too many requests'));

	const sending = faults.find(isSending);
	// A fault that changes or cuts the answer needs one that isn't ready to be sent.
	const isPlain = kinds.every((kind) => kind === 'latency');
	const called = logged.method === 'POST' ? endpoint : undefined;
	const served: Served =
		sending === undefined || chargesFirst(sending)
			? handle(state, called, credential, body, isPlain)
			: { status: 200, body: {} };
	logged.rows = served.rows?.length ?? 0;
	logged.charged = served.charged ?? 0;
	const answer = changed(served, faults);
	if (sending === undefined) return sendAnswer(reply, answer);
	sendFault(sending, reply, answer, state.closing);
	return reply;
}

/** Puts the request before the limits of its account; it counts until its answer is out. */
function admit(state: State, path: string, { owner }: Credential, { raw }: FastifyReply) {
	const account = path === PREVIEW_PATH ? undefined : owner?.account;
	const { limits = {} } = account?.behaviour ?? state.anonymous;
	const id = account?.id ?? '';
	const limiter = state.limiters.get(id) ?? new Limiter(state.now);
	state.limiters.set(id, limiter);
	const admission = limiter.admit(limits);
	if (admission.accepted)
		raw.once('close', () => {
			limiter.release();
		});
	return admission;
}

/** Merges change good answers only: a 402 or an HTML page has no fields to change. */
function changed(answer: Answer, faults: readonly FaultAction[]): Answer {
	const { status, body } = answer;
	if (status !== 200 || Buffer.isBuffer(body) || Array.isArray(body)) return answer;
	const laidOver = faults.map((fault) => (fault.kind === 'merge' ? fault.merge : {}));
	return { ...answer, body: Object.assign({}, body, ...laidOver) as object };
}
