import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import { refusal, sendAnswer } from './answer';
import { exchange } from './exchange';
import type { LoggedRequest } from './log/requestLog';
import type { State } from './state';

/** Bytes of the largest body: 100,000 long URLs fit in. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** The HTTP side of a service, not listening yet. */
export function buildServer(state: State) {
	const server = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
	const logged = new WeakMap<FastifyRequest, LoggedRequest>();

	server.addHook('onRequest', (request, reply, done) => {
		logged.set(request, watch(state, request, reply));
		done();
	});
	// Whoever has the answer finds its status in the log, even before the connection is done.
	server.addHook('onSend', (request, { statusCode }, _payload, done) => {
		const entry = logged.get(request);
		if (entry !== undefined) entry.status = statusCode;
		done();
	});

	// Every path of the service lands here: unknown ones are logged and meet faults like the others.
	server.setNotFoundHandler((request, reply) => {
		const entry = logged.get(request);
		return entry === undefined
			? sendAnswer(reply, refusal(404, 'Not found'))
			: exchange(state, entry, request, reply);
	});

	server.setErrorHandler<FastifyError>((error, _request, reply) =>
		sendAnswer(reply, refusal(error.statusCode ?? 500, error.message)),
	);
	return server;
}

/** Logs a request from its arrival to the end of its answer, or of its connection. */
function watch(state: State, request: FastifyRequest, { raw }: FastifyReply): LoggedRequest {
	const path = request.url.split('?', 1)[0] ?? request.url;
	const entry = state.log.arrived(request.method, path, request.headers);
	raw.once('close', () => {
		const isCutHere = entry.faults.some((kind) => kind.startsWith('lose'));
		entry.aborted = !raw.writableFinished && !isCutHere && !state.closing.aborted;
		entry.status = raw.writableFinished ? raw.statusCode : null;
		state.log.ended();
	});
	return entry;
}
