/** Pipedrive: persons of API v2, as the ready-made workflow uses them. API v1 is gone. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { hosts } from './proxy';
import { admits, Customers, isEmail, newSecret, unknownKey } from './site';
import type { Fields, Quota } from './site';

export interface Company extends Quota {
	/** The API token. */
	readonly secret: string;
	readonly persons: Person[];
	/** Emails that it takes for invalid, whatever they look like. */
	readonly refusedEmails: Set<string>;
}

interface Person {
	readonly id: number;
	readonly name: string;
	readonly emails: readonly string[];
}

interface Search {
	readonly term?: string;
	readonly exact_match?: string;
	readonly fields?: string;
	readonly limit?: string;
}

const constraints = { host: hosts.pipedrive };
const searchKeys = ['api_token', 'term', 'exact_match', 'fields', 'limit', 'cursor'];

/** Adds Pipedrive to a server. */
export function servePipedrive(server: FastifyInstance) {
	const companies = new Customers<Omit<Company, keyof Quota>>();

	const allowed = (request: FastifyRequest, reply: FastifyReply): Company | undefined => {
		const company = companies.find((request.query as { api_token?: string }).api_token);
		if (!company) void refuse(reply, 401, 'unauthorized access');
		else if (admits(company, reply, bodyOf(429, 'request over limit'))) return company;
		return undefined;
	};

	server.get('/v1/*', { constraints }, (_request, reply) =>
		refuse(reply, 410, 'This API version is no longer available'),
	);

	/** Finds exact matches of emails, and nothing else. */
	server.get('/api/v2/persons/search', { constraints }, (request, reply) => {
		const company = allowed(request, reply);
		if (!company) return reply;
		const { term = '', exact_match: exact, fields, limit = '100' } = request.query as Search;
		const strange = unknownKey(request.query, searchKeys);
		if (strange !== undefined) return refuse(reply, 400, `${strange} is not allowed`);
		if (term === '' || exact !== 'true' || fields !== 'email')
			return refuse(reply, 400, 'The sandbox searches emails for exact matches only');
		const found = company.persons.filter(({ emails }) =>
			emails.some((email) => email.toLowerCase() === term.toLowerCase()),
		);
		const items = found.slice(0, Number(limit)).map(({ id, name, emails }) => ({
			result_score: 1,
			item: { id, type: 'person', name, emails, primary_email: emails[0] },
		}));
		return reply.send({ success: true, data: { items } });
	});

	server.post<{ Body: Fields }>('/api/v2/persons', { constraints }, (request, reply) => {
		const company = allowed(request, reply);
		if (!company) return reply;
		const body = request.body as unknown as NewPerson;
		const wrong = wrongIn(body, company);
		if (wrong !== undefined) return refuse(reply, 400, `Validation failed: ${wrong}`);
		const { name, emails = [] } = body;
		const id = company.persons.length + 1;
		const person = { id, name, emails: emails.map(({ value }) => value) };
		company.persons.push(person);
		return reply.code(201).send({ success: true, data: { ...person, emails } });
	});

	server.get<{ Params: { id: string } }>(
		'/api/v2/persons/:id',
		{ constraints },
		(request, reply) => {
			const company = allowed(request, reply);
			if (!company) return reply;
			const person = company.persons.find(({ id }) => String(id) === request.params.id);
			if (!person) return refuse(reply, 404, 'Person not found');
			const emails = person.emails.map((value) => ({ value }));
			return reply.send({ success: true, data: { ...person, emails } });
		},
	);

	const addCompany = (): Company =>
		companies.add({ secret: newSecret(), persons: [], refusedEmails: new Set() });
	return { addCompany, companies: () => companies.all() };
}

interface NewPerson {
	readonly name: string;
	readonly emails?: ReadonlyArray<{ readonly value: string }>;
}

function wrongIn(body: NewPerson, { refusedEmails }: Company): string | undefined {
	const { name, emails = [] } = body;
	const strange = unknownKey(body, ['name', 'emails']);
	if (strange !== undefined) return `${strange} is not allowed`;
	if (typeof name !== 'string' || name === '') return 'name is required';
	const bad = emails.find(({ value }) => !isEmail(value) || refusedEmails.has(value));
	return bad && `emails: ${bad.value} is not a valid email`;
}

function refuse(reply: FastifyReply, code: number, error: string) {
	return reply.code(code).send(bodyOf(code, error));
}

const bodyOf = (errorCode: number, error: string) => ({ success: false, error, errorCode });
