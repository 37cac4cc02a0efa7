/** The address that ready-made workflows name for the lead service, which leads to one that runs. */
import type { FastifyInstance } from 'fastify';

import { hosts } from './proxy';

const constraints = { host: hosts.leads };
const passedOn = ['authorization', 'x-api-key', 'content-type'];
const passedBack = ['content-type', 'retry-after', 'location'];

/**
 * Adds that address to a server.
 * @param baseUrl of the service that answers
 */
export function serveLeads(server: FastifyInstance, baseUrl: string): void {
	server.route({
		method: ['GET', 'POST'],
		url: '/*',
		constraints,
		handler: async ({ method, url, headers, body }, reply) => {
			const sent = passedOn.flatMap((name) => {
				const value = headers[name];
				return typeof value === 'string' ? [[name, value] as const] : [];
			});
			try {
				const answer = await fetch(baseUrl + url, {
					method,
					headers: Object.fromEntries(sent),
					body: body === undefined ? null : JSON.stringify(body),
					redirect: 'manual',
				});
				for (const name of passedBack) {
					const value = answer.headers.get(name);
					if (value !== null) void reply.header(name, value);
				}
				return await reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()));
			} catch {
				// The service cut the connection, and so does this.
				reply.hijack();
				reply.raw.destroy();
				return reply;
			}
		},
	});
}
