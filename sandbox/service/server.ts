import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Account, AccountStore, Behaviour, Credential } from './accounts';
import * as contract from './contract';
import { chargesFirst, isSending, type FaultAction, type FaultStore } from './faults';
import { matching, profileAt, rowsOf } from './leads';
import { Limiter } from './limits';
import type { LoggedRequest, RequestLog } from './log';
import { answer, askedIn, charge, refusal, type Answer, type Request } from './model';
import { sendAnswer, sendFault } from './sendFault';

export interface State {
	readonly accounts: AccountStore;
	readonly faults: FaultStore;
	readonly log: RequestLog;
	/** How requests without an account are treated: every preview, and unknown credentials. */
	anonymous: Behaviour;
	readonly closing: AbortSignal;
	/** Answers to send again, by question; every answer is worked out anew without it. */
	readonly ready: Map<string, Answer> | undefined;
}

interface Endpoint {
	name: Request['endpoint'];
	/** In which header it takes which secrets; null when it asks for none and charges nothing. */
	admits: readonly string[] | null;
	wrongIn: (body: unknown) => string | undefined;
}

const everybody = ['bearer:apiKey', 'bearer:sessionToken', 'xApiKey:apiKey'];
const endpoints: Readonly<Record<string, Endpoint>> = {
	[contract.PREVIEW_PATH]: endpoint('preview', null, contract.previewRequest),
	[contract.SEARCH_PATH]: endpoint('search', ['bearer:apiKey'], contract.searchRequest),
	[contract.LOOKUP_PATH]: endpoint('lookUp', everybody, contract.lookupRequest),
};

function endpoint(name: Endpoint['name'], admits: Endpoint['admits'], schema: object): Endpoint {
	return { name, admits, wrongIn: contract.checker(schema, 'body') };
}

const BODY_LIMIT = 64 * 1024 * 1024;

export function buildServer(state: State) {
	const server = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
	const limiters = new Map<Account | undefined, Limiter>();

	// Unknown paths are logged and meet faults like the others.
	server.all('*', async (request, reply) => {
		const path = request.url.split('?', 1)[0] ?? request.url;
		const endpoint = request.method === 'POST' ? endpoints[path] : undefined;
		const credential = state.accounts.credentialOf(request.headers);
		const logged = logArrival(state, request, reply, path, credential);
		const account = endpoint?.name === 'preview' ? undefined : credential.account;

		const limiter = limiters.get(account) ?? new Limiter();
		limiters.set(account, limiter);
		const { limits = {} } = (account ?? { behaviour: state.anonymous }).behaviour;
		const wait = limiter.admit(limits);
		if (wait === undefined) reply.raw.once('close', limiter.release);
		else if (limits.retryAfter) reply.header('Retry-After', String(wait));
		const faults = wait === undefined ? state.faults.inject(logged, credential.account) : [];
		logged.faults = faults.map(({ kind }) => kind);
		state.log.understood();

		const delay = faults.reduce((sum, one) => sum + (one.kind === 'latency' ? one.ms : 0), 0);
		const { closing } = state;
		if (delay > 0) await sleep(delay, undefined, { signal: closing }).catch(() => undefined);
		if (closing.aborted) return reply.hijack();
		const sending = faults.find(isSending);
		let normal = refusal(429, 'Too many requests');
		if (wait === undefined) {
			const isHandled = sending === undefined || chargesFirst(sending);
			const none: Answer = { status: 200, body: {}, rows: [], charged: 0 };
			normal = isHandled ? handle(state, endpoint, credential, request.body) : none;
		}
		logged.rows = normal.rows.length;
		logged.charged = normal.charged;
		const sent = sending
			? sendFault(sending, reply, normal, closing)
			: sendAnswer(reply, changed(normal, faults));
		// Whoever has the answer finds its status in the log, even before the connection is done.
		logged.status = sent?.statusCode ?? null;
		return reply;
	});

	server.setErrorHandler<FastifyError>((error, _request, reply) =>
		sendAnswer(reply, refusal(error.statusCode ?? 500, error.message)),
	);
	return server;
}

/** Logs a request, until the end of its answer or of its connection. */
function logArrival(
	state: State,
	{ method, headers, body }: FastifyRequest,
	{ raw }: FastifyReply,
	path: string,
	{ account, headerStyle }: Credential,
): LoggedRequest {
	const endpoint = endpoints[path];
	const asked = endpoint && askedIn(endpoint.name, body);
	const place = { page: asked?.page ?? null, perPage: asked?.size ?? null };
	const who = { account: account?.id ?? null, headerStyle };
	const logged = state.log.arrived({ method, path, headers, body, ...who, ...place });
	raw.once('close', () => {
		if (!raw.writableFinished) logged.status = null;
		state.log.ended();
	});
	return logged;
}

function handle(
	{ anonymous, ready }: State,
	endpoint: Endpoint | undefined,
	{ headerStyle, account: owner, secret }: Credential,
	body: unknown,
): Answer {
	if (endpoint === undefined) return refusal(404, 'Not found');
	const { name, admits, wrongIn } = endpoint;
	const payer = admits?.includes(`${headerStyle}:${secret}`) ? owner : undefined;
	if (admits !== null && payer === undefined) return refusal(401, 'Missing or invalid credentials');
	const wrong = wrongIn(body);
	if (wrong !== undefined) return refusal(400, `Bad request: ${wrong}`);

	const balance = secret === 'apiKey' ? 'apiCredits' : 'subscriptionCredits';
	const { leads, absent, readings, deviation } = payer?.behaviour ?? anonymous;
	const leadsOf = (filters: contract.Filters) => {
		const all = matching(filters).subarray(0, leads);
		return rowsOf(absent ? all.filter((_, position) => !absent.includes(position)) : all);
	};
	const credits = payer?.[balance] ?? Infinity;
	const profiles = { get: profileAt };
	const service = { readings, deviation, credits, leads: leadsOf, profiles };
	const question = JSON.stringify(ready && [name, body]);
	let given = ready?.get(question);
	if (given === undefined) {
		given = answer(service, { endpoint: name, body } as Request);
		ready?.set(question, { ...given, body: Buffer.from(JSON.stringify(given.body)) });
	}
	if (payer) {
		const ledger = { credits, charged: payer.chargedLeads };
		charge(ledger, given);
		payer[balance] = ledger.credits;
		payer.spent[balance] += given.charged;
	}
	return given;
}

/** Merges change good answers only: a 402 has no fields to change. */
function changed(normal: Answer, faults: readonly FaultAction[]): Answer {
	const merges = faults.flatMap((fault) => (fault.kind === 'merge' ? [fault.merge] : []));
	if (merges.length === 0 || normal.status !== 200 || Array.isArray(normal.body)) return normal;
	return { ...normal, body: Object.assign({}, normal.body, ...merges) as object };
}
