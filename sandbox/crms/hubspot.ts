/** HubSpot: contacts by email ("Contacts API v1"), as n8n's HubSpot node 2.2 writes them. */
import type { FastifyInstance } from 'fastify';

import { hosts } from './proxy';
import { admits, Customers, isEmail, newSecret, type Fields, type Quota } from './site';

export interface Portal extends Quota {
	/** The service key. */
	readonly secret: string;
	/** Properties of each contact, by email in lower case. */
	readonly contacts: Map<string, Record<string, string>>;
	/** The primary email of a contact, by another email of that contact in lower case. */
	readonly primaryEmails: Map<string, string>;
	/** Emails that were written to, in order. */
	readonly written: string[];
	/** Emails that the stand-in rejects as invalid. */
	readonly refusedEmails: Set<string>;
}

/** HubSpot's own properties for which a lead has a value. */
const known = [
	'email',
	'firstname',
	'lastname',
	'jobtitle',
	'company',
	'city',
	'state',
	'country',
	'phone',
	'mobilephone',
	'website',
	'hs_linkedin_url',
	'lifecyclestage',
	'hs_lead_status',
];

const constraints = { host: hosts.hubspot };

/** Adds HubSpot to a server. */
export function serveHubSpot(server: FastifyInstance) {
	const portals = new Customers<Omit<Portal, keyof Quota>>();

	server.get('/account-info/v3/details', { constraints }, (request, reply) =>
		portals.find(request.headers.authorization)
			? reply.send({ portalId: 1, accountType: 'STANDARD' })
			: reply.code(401).send(unauthorized),
	);

	server.post<{ Params: { email: string }; Body: Fields }>(
		'/contacts/v1/contact/createOrUpdate/email/:email',
		{ constraints },
		(request, reply) => {
			const portal = portals.find(request.headers.authorization);
			if (!portal) return reply.code(401).send(unauthorized);
			if (!admits(portal, reply, tooMany)) return reply;
			const sent = request.params.email.toLowerCase();
			const email = portal.primaryEmails.get(sent) ?? sent;
			const { properties } = request.body as { properties?: readonly Property[] };
			const wrong = wrongIn(portal, email, properties);
			if (wrong !== undefined)
				return reply.code(400).send({ ...invalid, validationResults: [wrong] });
			const contact = portal.contacts.get(email);
			const values = (properties ?? []).map(({ property, value }) => [property, value] as const);
			portal.contacts.set(email, { ...contact, email, ...Object.fromEntries<string>(values) });
			portal.written.push(sent);
			const vid = [...portal.contacts.keys()].indexOf(email) + 1;
			return reply.send({ vid, isNew: contact === undefined });
		},
	);

	server.get<{ Params: { vid: string } }>(
		'/contacts/v1/contact/vid/:vid/profile',
		{ constraints },
		(request, reply) => {
			const portal = portals.find(request.headers.authorization);
			if (!portal) return reply.code(401).send(unauthorized);
			if (!admits(portal, reply, tooMany)) return reply;
			const vid = Number(request.params.vid);
			const contact = [...portal.contacts.values()][vid - 1] ?? {};
			const values = Object.entries(contact).map(([name, value]) => [name, { value }] as const);
			const others = [...portal.primaryEmails].filter(([, primary]) => primary === contact.email);
			const emails = [contact.email, ...others.map(([other]) => other)];
			const identities = emails.map((value) => ({ type: 'EMAIL', value }));
			const properties = Object.fromEntries(values);
			return reply.send({ vid, properties, 'identity-profiles': [{ vid, identities }] });
		},
	);

	const addPortal = (): Portal =>
		portals.add({
			secret: newSecret(),
			contacts: new Map(),
			primaryEmails: new Map(),
			written: [],
			refusedEmails: new Set(),
		});
	return { addPortal, portals: () => portals.all() };
}

interface Property {
	readonly property: string;
	readonly value: string;
}

function wrongIn(
	{ refusedEmails }: Portal,
	email: string,
	properties: readonly Property[] | undefined,
) {
	if (!isEmail(email) || refusedEmails.has(email))
		return refused('INVALID_EMAIL', 'email', `Email address ${email} is invalid`);
	const one = properties?.find(({ property }) => !known.includes(property));
	return (
		one &&
		refused('PROPERTY_DOESNT_EXIST', one.property, `Property "${one.property}" does not exist`)
	);
}

const refused = (error: string, name: string, message: string) => {
	return { isValid: false, error, name, message };
};

const unauthorized = {
	status: 'error',
	message: 'Authentication credentials not found',
	category: 'INVALID_AUTHENTICATION',
};
const tooMany = {
	status: 'error',
	message: 'You have reached your ten_secondly_rolling limit.',
	errorType: 'RATE_LIMIT',
	policyName: 'TEN_SECONDLY_ROLLING',
};
const invalid = { status: 'error', message: 'Property values were not valid' };
