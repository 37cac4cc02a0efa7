import type { FastifyInstance } from 'fastify';
import type { ValidateFunction } from 'ajv';
import { leadsChargedTwice, type Account } from '../accounts/account';
import { complaints } from '../contract/check';
import { checkFault } from '../faults/schema';
import type { Admin, RequestQuery } from './admin';
import { checks } from './schemas';

/** Where the back door is; requests to it are neither logged nor met by faults. */
export const ADMIN_PREFIX = '/_admin';

/** An account as JSON: `chargedLeads` as a count, since it may be long. */
export type AccountView = Omit<Account, 'chargedLeads'> & {
	chargedLeads: number;
	leadsChargedTwice: number[];
};

function view(account: Account): AccountView {
	return {
		...account,
		chargedLeads: account.chargedLeads.length,
		leadsChargedTwice: leadsChargedTwice(account),
	};
}

/** @throws RangeError, which the server answers with status 400 */
function checked<T>(check: ValidateFunction<T>, body: unknown): T {
	if (!check(body)) throw new RangeError(complaints(check, 'body'));
	return body;
}

interface ById {
	Params: { id: string };
}

/** The back door over HTTP, for a service that runs as a process of its own. */
export function adminRoutes(server: FastifyInstance, admin: Admin): void {
	server.get('/health', () => ({ rssBytes: process.memoryUsage.rss() }));

	server.get('/accounts', () => admin.accounts().map(view));
	server.post('/accounts', (request, reply) => {
		void reply.code(201);
		return view(admin.createAccount(checked(checks.account, request.body ?? {})));
	});
	server.get<ById>('/accounts/:id', ({ params }) => view(admin.account(params.id)));
	server.post<ById>('/accounts/:id/credits', ({ params, body }) =>
		view(admin.setCredits(params.id, checked(checks.balances, body))),
	);
	server.post<ById>('/accounts/:id/behaviour', ({ params, body }) =>
		view(admin.setBehaviour(params.id, checked(checks.behaviour, body))),
	);

	server.get<{ Querystring: Partial<Record<keyof RequestQuery, string>> }>(
		'/requests',
		({ query: { since, ...query } }) => admin.requests({ ...query, since: Number(since ?? 0) }),
	);
	server.delete('/requests', (_request, reply) => {
		admin.clearRequests();
		return reply.code(204).send();
	});

	server.post('/faults', (request, reply) => {
		admin.addFault(checked(checkFault, request.body));
		return reply.code(204).send();
	});
	server.delete('/faults', (_request, reply) => {
		admin.clearFaults();
		return reply.code(204).send();
	});

	server.post('/preview-shape', (request, reply) => {
		admin.setPreviewShape(checked(checks.previewShape, request.body).shape);
		return reply.code(204).send();
	});
	server.post('/preview-behaviour', (request, reply) => {
		admin.setPreviewBehaviour(checked(checks.behaviour, request.body));
		return reply.code(204).send();
	});
	server.get('/schema-breaches', () => admin.schemaBreaches());
}
