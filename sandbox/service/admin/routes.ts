import type { FastifyPluginCallback } from 'fastify';
import {
	accountOptions,
	balanceChange,
	leadsChargedTwice,
	type Account,
	type AccountOptions,
	type Balances,
} from '../accounts/account';
import { behaviour, type Behaviour } from '../accounts/behaviour';
import { anyFault, type Fault } from '../faults/fault';
import type { Admin, RequestQuery } from './admin';

/** Where the admin routes are; requests to them are neither logged nor limited, and meet no faults. */
export const ADMIN_PREFIX = '/_admin';

/** `chargedLeads` as a count, since it may be long. */
function view(account: Account) {
	return {
		...account,
		chargedLeads: account.chargedLeads.length,
		leadsChargedTwice: leadsChargedTwice(account),
	};
}

interface ById {
	Params: { id: string };
}
interface Behaving {
	Body: Behaviour;
}

/** What `Admin` does, over HTTP, for a service that runs as a process of its own. */
export const adminRoutes: FastifyPluginCallback<{ admin: Admin }> = (server, { admin }, done) => {
	server.get('/health', () => ({ rssBytes: process.memoryUsage.rss() }));

	server.get('/accounts', () => admin.accounts().map(view));
	server.post<{ Body: AccountOptions }>(
		'/accounts',
		{ schema: { body: accountOptions } },
		({ body }, reply) => reply.code(201).send(view(admin.createAccount(body))),
	);
	server.get<ById>('/accounts/:id', ({ params }) => view(admin.account(params.id)));
	server.post<ById & { Body: Partial<Balances> }>(
		'/accounts/:id/credits',
		{ schema: { body: balanceChange } },
		({ params, body }) => view(admin.setCredits(params.id, body)),
	);
	server.post<ById & Behaving>(
		'/accounts/:id/behaviour',
		{ schema: { body: behaviour } },
		({ params, body }) => view(admin.setBehaviour(params.id, body)),
	);
	server.post<Behaving>(
		'/preview-behaviour',
		{ schema: { body: behaviour } },
		({ body }, reply) => {
			admin.setPreviewBehaviour(body);
			return reply.code(204).send();
		},
	);

	server.get<{ Querystring: Partial<Record<keyof RequestQuery, string>> }>(
		'/requests',
		({ query: { since, ...query } }) => admin.requests({ ...query, since: Number(since ?? 0) }),
	);

	server.post<{ Body: Fault }>('/faults', { schema: { body: anyFault } }, ({ body }, reply) => {
		admin.addFault(body);
		return reply.code(204).send();
	});
	server.delete('/faults', (_request, reply) => {
		admin.clearFaults();
		return reply.code(204).send();
	});

	server.get('/schema-breaches', () => admin.schemaBreaches());
	done();
};
