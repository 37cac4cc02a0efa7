/** Pipedrive: persons and organisations (search of API v1, the rest of v2), as n8n's Pipedrive node 2 uses them. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { hosts } from './proxy';
import { admits, Customers, isEmail, newSecret, unknownKey } from './site';
import type { Fields, Note, Quota } from './site';

export interface Company extends Quota {
	/** The API token. */
	readonly secret: string;
	readonly persons: Person[];
	readonly organizations: Organization[];
}

interface Person {
	readonly id: number;
	readonly name: string;
	readonly emails: readonly string[];
	readonly org_id: number | null;
}

interface Organization {
	readonly id: number;
	readonly name: string;
}

interface Search {
	readonly term?: string;
	readonly exact_match?: string;
	readonly fields?: string;
	readonly limit?: string;
}

const constraints = { host: hosts.pipedrive };
const searchKeys = ['api_token', 'term', 'exact_match', 'fields', 'limit', 'start'];

/** Adds Pipedrive to a server. */
export function servePipedrive(server: FastifyInstance, note: Note) {
	const companies = new Customers<Omit<Company, keyof Quota>>();

	const allowed = (request: FastifyRequest, reply: FastifyReply): Company | undefined => {
		const company = companies.find((request.query as { api_token?: string }).api_token);
		if (!company) void refuse(reply, 401, 'unauthorized access');
		else if (admits(company, reply, bodyOf(429, 'request over limit'))) return company;
		return undefined;
	};

	/** Searches exactly, by the texts of a record, as the search does when it is told to. */
	const search = <T extends { readonly id: number }>(
		kind: string,
		field: string,
		recordsOf: (company: Company) => readonly T[],
		textsOf: (record: T) => readonly string[],
		shownOf: (record: T, company: Company) => Fields,
	) => {
		server.get(`/v1/${kind}s/search`, { constraints }, (request, reply) => {
			const company = allowed(request, reply);
			if (!company) return reply;
			const { term = '', exact_match: exact, fields, limit = '100' } = request.query as Search;
			const strange = unknownKey(request.query, searchKeys);
			if (strange !== undefined) return refuse(reply, 400, `${strange} is not allowed`);
			if (term === '' || exact !== 'true' || fields !== field)
				return refuse(reply, 400, 'The sandbox searches one field for exact matches only');
			const found = recordsOf(company).filter((record) =>
				textsOf(record).some((text) => text.toLowerCase() === term.toLowerCase()),
			);
			const items = found.slice(0, Number(limit)).map((record) => ({
				result_score: 1,
				item: { id: record.id, type: kind, ...shownOf(record, company) },
			}));
			return reply.send({ success: true, data: { items } });
		});
	};
	search(
		'person',
		'email',
		({ persons }) => persons,
		({ emails }) => emails,
		({ name, emails, org_id }) => ({
			name,
			emails,
			primary_email: emails[0],
			organization: org_id,
		}),
	);
	search(
		'organization',
		'name',
		({ organizations }) => organizations,
		({ name }) => [name],
		({ name }) => ({ name }),
	);

	server.post<{ Body: Fields }>('/api/v2/organizations', { constraints }, (request, reply) => {
		const company = allowed(request, reply);
		if (!company) return reply;
		const { name } = request.body;
		const strange = unknownKey(request.body, ['name']);
		if (strange !== undefined)
			return refuse(reply, 400, `Validation failed: ${strange} is not allowed`);
		if (typeof name !== 'string' || name === '')
			return refuse(reply, 400, 'Validation failed: name is required');
		const organization = { id: company.organizations.length + 1, name };
		company.organizations.push(organization);
		note(`Pipedrive: organisation ${name} created`);
		return reply.code(201).send({ success: true, data: organization });
	});

	server.post<{ Body: Fields }>('/api/v2/persons', { constraints }, (request, reply) => {
		const company = allowed(request, reply);
		if (!company) return reply;
		const body = request.body as unknown as NewPerson;
		const wrong = wrongIn(body, company);
		if (wrong !== undefined) return refuse(reply, 400, `Validation failed: ${wrong}`);
		const { name, org_id = null, emails = [] } = body;
		const id = company.persons.length + 1;
		const person = { id, name, org_id, emails: emails.map(({ value }) => value) };
		company.persons.push(person);
		note(`Pipedrive: person ${name} created`);
		return reply.code(201).send({ success: true, data: { ...person, emails } });
	});

	const addCompany = (): Company =>
		companies.add({ secret: newSecret(), persons: [], organizations: [] });
	return { addCompany, companies: () => companies.all() };
}

interface NewPerson {
	readonly name: string;
	readonly org_id?: number;
	readonly emails?: ReadonlyArray<{ readonly value: string }>;
}

function wrongIn(body: NewPerson, { organizations }: Company): string | undefined {
	const { name, org_id: organization, emails = [] } = body;
	const strange = unknownKey(body, ['name', 'org_id', 'emails']);
	if (strange !== undefined) return `${strange} is not allowed`;
	if (typeof name !== 'string' || name === '') return 'name is required';
	if (organization !== undefined && !organizations.some(({ id }) => id === organization))
		return `org_id: ${String(organization)} not found`;
	const bad = emails.find(({ value }) => !isEmail(value));
	return bad && `emails: ${bad.value} is not a valid email`;
}

function refuse(reply: FastifyReply, code: number, error: string) {
	return reply.code(code).send(bodyOf(code, error));
}

const bodyOf = (errorCode: number, error: string) => ({ success: false, error, errorCode });
