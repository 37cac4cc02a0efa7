/** The mock service over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Account, AccountStore, Behaviour, Credential } from './accounts';
import * as contract from './contract';
import { chargesFirst, isSending, type FaultAction, type FaultStore } from './faults';
import { matching, shuffledTies, profileAt, rowsOf } from './leads';
import { Limiter } from './limits';
import type { LoggedRequest, RequestLog } from './log';
import { respond, readPaging, charge, reject, type ModelResponse, type Request } from './model';
import { sendResponse, sendFault } from './sendFault';
import { addTopUpPage } from './topUpPage';

/** The state of a mock service. */
export interface State {
	readonly accounts: AccountStore;
	readonly faults: FaultStore;
	readonly log: RequestLog;
	/** Behaviour for requests without an account: all previews, and unknown credentials. */
	anonymous: Behaviour;
	readonly closing: AbortSignal;
	/** Cached responses by request. Undefined if responses aren't cached. */
	readonly responseCache: Map<string, ModelResponse> | undefined;
}

interface Endpoint {
	name: Request['endpoint'];
	/** Accepted credentials as header:secret; null if the endpoint needs no credential and is free. */
	accepts: readonly string[] | null;
	validate: (body: unknown) => string | undefined;
}

const lookUpCredentials = ['bearer:apiKey', 'bearer:sessionToken', 'xApiKey:apiKey'];
const endpoints: Readonly<Record<string, Endpoint>> = {
	[contract.PREVIEW_PATH]: endpoint('preview', null, contract.previewRequest),
	[contract.SEARCH_PATH]: endpoint('search', ['bearer:apiKey'], contract.searchRequest),
	[contract.LOOKUP_PATH]: endpoint('lookUp', lookUpCredentials, contract.lookupRequest),
};

function endpoint(name: Endpoint['name'], admits: Endpoint['accepts'], schema: object): Endpoint {
	return { name, accepts: admits, validate: contract.createValidator(schema, 'body') };
}

const BODY_LIMIT = 64 * 1024 * 1024;

/** Builds the HTTP server of a mock service. */
export function buildServer(state: State) {
	const server = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
	const limiters = new Map<Account | undefined, Limiter>();

	addTopUpPage(server, state.accounts);
	// Unknown paths are logged too, and can have faults.
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
		state.log.notifyWaiters();

		const delay = faults.reduce((sum, one) => sum + (one.kind === 'latency' ? one.ms : 0), 0);
		const { closing } = state;
		if (delay > 0) await sleep(delay, undefined, { signal: closing }).catch(() => undefined);
		if (closing.aborted) return reply.hijack();
		const sending = faults.find(isSending);
		let normal = reject(429, 'Too many requests');
		if (wait === undefined) {
			const isHandled = sending === undefined || chargesFirst(sending);
			const emptyResponse: ModelResponse = { status: 200, body: {}, rows: [], charged: 0 };
			normal = isHandled ? handle(state, endpoint, credential, request.body) : emptyResponse;
		}
		logged.rows = normal.rows.length;
		logged.charged = normal.charged;
		const sentReply = sending
			? sendFault(sending, reply, normal, closing)
			: sendResponse(reply, applyMerges(normal, faults));
		// Set the status now, because a client with the response may read the log before the connection is closed.
		logged.status = sentReply?.statusCode ?? null;
		return reply;
	});

	server.setErrorHandler<FastifyError>((error, _request, reply) =>
		sendResponse(reply, reject(error.statusCode ?? 500, error.message)),
	);
	return server;
}

/** Logs a request, and its end: the response is sent, or the connection is closed. */
function logArrival(
	state: State,
	{ method, headers, body }: FastifyRequest,
	{ raw }: FastifyReply,
	path: string,
	{ account, headerStyle }: Credential,
): LoggedRequest {
	const endpoint = endpoints[path];
	const paging = endpoint && readPaging(endpoint.name, body);
	const requestedPage = { page: paging?.page ?? null, perPage: paging?.size ?? null };
	const owner = { account: account?.id ?? null, headerStyle };
	const logged = state.log.add({ method, path, headers, body, ...owner, ...requestedPage });
	raw.once('close', () => {
		if (!raw.writableFinished) logged.status = null;
		state.log.end();
	});
	return logged;
}

function handle(
	{ anonymous, responseCache }: State,
	endpoint: Endpoint | undefined,
	{ headerStyle, account: owner, secret }: Credential,
	body: unknown,
): ModelResponse {
	if (endpoint === undefined) return reject(404, 'Not found');
	const { name, accepts, validate } = endpoint;
	const payer = accepts?.includes(`${headerStyle}:${secret}`) ? owner : undefined;
	if (accepts !== null && payer === undefined) return reject(401, 'Missing or invalid credentials');
	const problem = validate(body);
	if (problem !== undefined) return reject(400, `Bad request: ${problem}`);

	const balance = secret === 'apiKey' ? 'apiCredits' : 'subscriptionCredits';
	const { leads, absent, ties, extraFields, readings, deviation } = payer?.behaviour ?? anonymous;
	const leadsOf = (filters: contract.Filters) => {
		const all = matching(filters).subarray(0, leads);
		const present = absent ? all.filter((_, position) => !absent.includes(position)) : all;
		return rowsOf(ties ? shuffledTies(present, ties) : present, extraFields);
	};
	const credits = payer?.[balance] ?? Infinity;
	const profiles = { get: profileAt };
	const service = { readings, deviation, credits, leads: leadsOf, profiles };
	const cacheKey = JSON.stringify(responseCache && [name, body, extraFields]);
	let response = responseCache?.get(cacheKey);
	if (response === undefined) {
		response = respond(service, { endpoint: name, body } as Request);
		responseCache?.set(cacheKey, { ...response, body: Buffer.from(JSON.stringify(response.body)) });
	}
	if (payer) {
		const ledger = { credits, charged: payer.chargedLeads };
		charge(ledger, response);
		payer[balance] = ledger.credits;
		payer.spent[balance] += response.charged;
	}
	return response;
}

/** Applies faults of the kind `merge`. Only responses with status 200 have fields to change. */
function applyMerges(normal: ModelResponse, faults: readonly FaultAction[]): ModelResponse {
	const merges = faults.flatMap((fault) => (fault.kind === 'merge' ? [fault.merge] : []));
	if (merges.length === 0 || normal.status !== 200 || Array.isArray(normal.body)) return normal;
	return { ...normal, body: Object.assign({}, normal.body, ...merges) as object };
}
