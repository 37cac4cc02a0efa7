import Fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import type { Admin } from './admin/admin';
import { ADMIN_PREFIX, adminRoutes } from './admin/routes';
import { exchange, type Exchanges } from './exchange';
import type { LoggedRequest } from './log/requestLog';

/** Bytes of the largest body: 100,000 long URLs fit in. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** The HTTP side of a service, not listening yet. */
export function buildServer(parts: Exchanges, admin: Admin): FastifyInstance {
	const server = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
	const logged = new WeakMap<FastifyRequest, LoggedRequest>();

	server.addContentTypeParser(
		'application/json',
		{ parseAs: 'string' },
		(_request, body, done) => {
			try {
				done(null, JSON.parse(body.toString()));
			} catch {
				done(Object.assign(new Error('The body is not JSON'), { statusCode: 400 }));
			}
		},
	);

	server.addHook('onRequest', (request, reply, done) => {
		if (!request.url.startsWith(ADMIN_PREFIX))
			logged.set(request, watch(parts, request, reply));
		done();
	});

	// Every path of the service lands here: unknown ones are logged and meet faults like the others.
	server.setNotFoundHandler((request, reply) => {
		const entry = logged.get(request);
		if (entry === undefined)
			return reply.code(404).send({ success: false, message: 'Not found' });
		return exchange(parts, entry, request, reply);
	});

	server.setErrorHandler<FastifyError | RangeError>((error, request, reply) => {
		const status = error instanceof RangeError ? 400 : (error.statusCode ?? 500);
		const entry = logged.get(request);
		if (entry !== undefined) entry.status = status;
		return reply.code(status).send({ success: false, message: error.message });
	});

	void server.register(
		(scope, _options, done) => {
			adminRoutes(scope, admin);
			done();
		},
		{ prefix: ADMIN_PREFIX },
	);
	return server;
}

/** Logs a request from its arrival to the end of its answer, or of its connection. */
function watch(parts: Exchanges, request: FastifyRequest, reply: FastifyReply): LoggedRequest {
	const path = request.url.split('?', 1)[0] ?? request.url;
	const entry = parts.log.arrived(request.method, path, request.headers);
	reply.raw.once('close', () => {
		if (!reply.raw.writableFinished) {
			const cutHere = entry.faults.some((kind) => kind.startsWith('lose'));
			entry.aborted = !cutHere && !parts.closing.aborted;
			entry.status = null;
		}
		parts.log.ended(entry);
	});
	return entry;
}
