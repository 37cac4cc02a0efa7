/** What the ready-made workflows write into: each with three people, ways to break it, and what came of them. */
import { randomUUID } from 'node:crypto';

import { credentialData, type Quota } from '../../sandbox/crms/index';
import { chain, manualTrigger } from '../../sandbox/n8n/index';
import type { Execution, Fields, SavedCredential, Workflow } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadAt, matching, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { crmsOf, dropTable, importForNights, importWorkflow, poll } from './fixture';
import { readTable, readWorkflow, storageOf } from './fixture';

const found = { personLocationCountry: 'Canada' };
/** All of them have a work email. */
const people = Array.from(matching({ person_location_country: ['Canada'] }).slice(0, 12), leadAt);
const urls = people.map(({ linkedin_url: url }) => url);
const emails = people.map(({ work_email: email }) => (email ?? '').toLowerCase());

export type Down = 'refuses' | 'hangs' | undefined;

export interface Store {
	/** The nodes that pay or send, and that start it. */
	readonly pays: string;
	readonly trigger: string;
	readonly credentials: readonly SavedCredential[];
	readonly parameters: Readonly<Record<string, Fields>>;
	readonly options?: AccountOptions;
	/** As `done` names them. */
	readonly people: readonly string[];
	/** Those who are done, by URL or email, in the order of the store. */
	readonly done: () => Promise<readonly string[]>;
	/** How many are marked as done. */
	readonly marked: () => Promise<number>;
	/** What is bought is not written, once it is: it is refused, or waits without end. */
	readonly breakDown: (how: Down) => Promise<unknown>;
	/** Nothing about this person is written; undefined for nobody. */
	readonly refuse: (person: string | undefined) => Promise<unknown>;
	/** Adds three more people, where they don't come by themselves. */
	readonly add?: (from: number) => Promise<unknown>;
	/** Where it is after a restart. */
	readonly reconnect?: () => Promise<unknown>;
}

/** Triggers of a table that refuse what is written, or wait with it. */
function triggersOf(n8n: TestN8n, tableOf: () => Promise<string>) {
	const set = async (name: string, condition: string | undefined, action: string) => {
		const table = await tableOf();
		await query(
			n8n.server.database,
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep';
			DROP TRIGGER IF EXISTS ${name} ON ${table};
			${
				condition === undefined
					? ''
					: `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
						AS $$ BEGIN ${action}; RETURN NEW; END $$;
					CREATE TRIGGER ${name} BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW
						WHEN (${condition}) EXECUTE FUNCTION ${name}()`
			}`,
		);
	};
	return {
		breakDown: async (how: Down, condition: string) => {
			const action = how === 'hangs' ? 'PERFORM pg_sleep(600)' : "RAISE 'The table is closed'";
			await set('is_down', how && condition, action);
		},
		refuse: async (condition: string | undefined) => {
			await set('refuses', condition, "RAISE 'No room for this one'");
		},
	};
}

/** Makes the data table of a workflow as that does. */
async function makeTable(n8n: TestN8n, workflow: string, node: string): Promise<void> {
	const make = readWorkflow(workflow).nodes.find(({ name }) => name === node);
	if (!make) throw new Error(`${workflow} has no node ${node}`);
	await n8n.client.execute(chain('Make the table', [manualTrigger, make]));
}

/** What breaks a customer's account with a CRM. */
const breaks = (quota: Quota, requestsLeft: number) => (how: Down) => {
	const outage = how === 'hangs' ? how : 'tooMany';
	Object.assign(quota, { outage, requestsLeft: how ? requestsLeft : Infinity });
	return Promise.resolve();
};

/** Polls of three leads each. */
const polls = { 'Next leads every day': { filters: found, leadsPerPoll: 3 } };

export const STORES = {
	'only-new-leads': async (n8n: TestN8n): Promise<Store> => {
		const table = 'Profiles in reach';
		await dropTable(n8n, table);
		await makeTable(n8n, 'only-new-leads', 'Table of profiles');
		const { breakDown, refuse } = triggersOf(n8n, () => storageOf(n8n, table));
		const rows = async () =>
			(await readTable(n8n, table)).filter(({ lookup }) => String(lookup).endsWith('found'));
		const { baseUrl } = n8n.service;
		const preview = { baseUrl, filters: found, limit: 3 };
		return {
			...{ pays: 'Look up', trigger: 'Every Monday', credentials: [], people: urls },
			parameters: { 'Preview for free': preview },
			done: async () => (await rows()).map((row) => String(row.linkedin_url)),
			marked: async () => (await rows()).length,
			breakDown: (how) => breakDown(how, "NEW.lookup LIKE '%found'"),
			refuse: (url) => refuse(url && `NEW.lookup LIKE '%found' AND NEW.linkedin_url = '${url}'`),
			add: () => {
				preview.limit += 3;
				return Promise.resolve();
			},
		};
	},
	'long-pull-in-batches': async (n8n: TestN8n): Promise<Store> => {
		const table = 'Leads in batches';
		await dropTable(n8n, table);
		await makeTable(n8n, 'long-pull-in-batches', 'Table of leads');
		const { breakDown, refuse } = triggersOf(n8n, () => storageOf(n8n, table));
		const rows = async () =>
			[...(await readTable(n8n, table))].sort(
				(one, other) => Number(one.place) - Number(other.place),
			);
		return {
			...{ pays: 'Search for leads', trigger: 'Start or go on', credentials: [] },
			...{ options: { leads: 6 }, people: urls.slice(0, 6) },
			parameters: { 'Search for leads': { filters: found, limit: 3 } },
			done: async () => (await rows()).map((row) => String(row.linkedin_url)),
			marked: async () => (await rows()).length,
			breakDown: (how) => breakDown(how, 'true'),
			refuse: (url) => refuse(url && `NEW.linkedin_url = '${url}'`),
		};
	},
	'crm-sync-postgres': async (n8n: TestN8n): Promise<Store> => {
		const inCrm = (statement: string) => query(n8n.server.database, statement);
		const add = async (from: number) => {
			const rows = urls.slice(from, from + 3).map((url) => `('${url}')`);
			await inCrm(`INSERT INTO contacts (linkedin_url) VALUES ${rows.join()}`);
		};
		await inCrm(
			`DROP TABLE IF EXISTS contacts;
			CREATE TABLE contacts (
				id serial PRIMARY KEY, linkedin_url text NOT NULL, email text, phone text,
				looked_up_at timestamptz, lookup_note text
			)`,
		);
		await add(0);
		const access = () => ({ ...n8n.server.database, ssl: 'disable' });
		const crm = await n8n.client.createCredential('postgres', `CRM ${randomUUID()}`, access());
		const { breakDown, refuse } = triggersOf(n8n, () => Promise.resolve('contacts'));
		const rows = () => inCrm('SELECT * FROM contacts ORDER BY id');
		return {
			...{ pays: 'Look up', trigger: 'Every night', credentials: [crm], parameters: {}, add },
			people: emails,
			reconnect: async () => {
				const data = { ...crm, data: access() };
				await n8n.client.call('PATCH', `/credentials/${crm.id}`, data);
			},
			done: async () =>
				(await rows()).flatMap(({ email }) => (typeof email === 'string' ? [email] : [])),
			marked: async () => (await rows()).filter((row) => row.looked_up_at !== null).length,
			breakDown: (how) => breakDown(how, 'NEW.email IS NOT NULL'),
			refuse: (email) => refuse(email && `NEW.email = '${email}'`),
		};
	},
	'google-sheets-enrichment': async (n8n: TestN8n): Promise<Store> => {
		const rows: unknown[][] = [['linkedin_url', 'email', 'lookup']];
		const spreadsheet = crmsOf(n8n).google.addSpreadsheet(rows);
		const add = (from: number) =>
			Promise.resolve(rows.push(...urls.slice(from, from + 3).map((url) => [url])));
		await add(0);
		const access = credentialData(spreadsheet);
		const type = 'googleSheetsOAuth2Api';
		const google = await n8n.client.createCredential(type, `Google ${randomUUID()}`, access);
		const url = `https://sheets.googleapis.com/v4/spreadsheets/${spreadsheet.id}/values/Sheet1`;
		const options = { batching: { batch: { batchSize: 1, batchInterval: 0 } } };
		return {
			...{ pays: 'Look up', trigger: 'Every night', credentials: [google], people: emails, add },
			parameters: { Rows: { url }, Claim: { options } },
			done: () =>
				Promise.resolve(
					rows
						.slice(1)
						.flatMap(([, email]) => (typeof email === 'string' && email !== '' ? [email] : [])),
				),
			marked: () => Promise.resolve(rows.slice(1).filter(([, , lookup]) => lookup).length),
			// What reading and claiming take, and no more.
			breakDown: breaks(spreadsheet, 4),
			refuse: (email) => {
				spreadsheet.protectedCells.clear();
				if (email !== undefined)
					spreadsheet.protectedCells.add(`Sheet1!B${emails.indexOf(email) + 2}`);
				return Promise.resolve();
			},
		};
	},
	'new-leads-to-data-table': async (n8n: TestN8n): Promise<Store> => {
		const table = 'Daily new leads';
		await dropTable(n8n, table);
		await makeTable(n8n, 'new-leads-to-data-table', 'Table of leads');
		const { breakDown, refuse } = triggersOf(n8n, () => storageOf(n8n, table));
		const rows = () => readTable(n8n, table);
		return {
			...{ pays: 'Save the lead', trigger: 'Next leads every day', people: urls },
			...{ credentials: [], parameters: polls },
			done: async () => (await rows()).map((row) => String(row.linkedin_url)),
			marked: async () => (await rows()).length,
			breakDown: (how) => breakDown(how, 'true'),
			refuse: (url) => refuse(url && `NEW.linkedin_url = '${url}'`),
		};
	},
	'hubspot-contacts': async (n8n: TestN8n): Promise<Store> => {
		const table = 'HubSpot leads';
		await dropTable(n8n, table);
		const portal = crmsOf(n8n).hubspot.addPortal();
		const access = { appToken: portal.secret };
		const type = 'hubspotAppToken';
		const hubspot = await n8n.client.createCredential(type, `HubSpot ${randomUUID()}`, access);
		return {
			...{ pays: 'Create or update contact', trigger: 'Next leads every day', people: emails },
			...{ credentials: [hubspot], parameters: polls },
			done: () => Promise.resolve([...portal.contacts.keys()]),
			marked: async () => (await readTable(n8n, table)).filter(({ status }) => status).length,
			breakDown: breaks(portal, 0),
			refuse: (email) => {
				portal.refusedEmails.clear();
				return Promise.resolve(email !== undefined && portal.refusedEmails.add(email));
			},
		};
	},
	'pipedrive-persons': async (n8n: TestN8n): Promise<Store> => {
		const company = crmsOf(n8n).pipedrive.addCompany();
		const access = { apiToken: company.secret };
		const type = 'pipedriveApi';
		const pipedrive = await n8n.client.createCredential(type, `Pipedrive ${randomUUID()}`, access);
		const tables = () =>
			query(n8n.server.database, "SELECT name FROM data_table WHERE name LIKE 'Pipedrive leads%'");
		for (const { name } of await tables()) await dropTable(n8n, String(name));
		return {
			...{ pays: 'Create person', trigger: 'Next leads every day', people: emails },
			...{ credentials: [pipedrive], parameters: polls },
			// It is asked for several at once.
			done: () => {
				const there = company.persons.map((person) => person.emails[0] ?? '');
				return Promise.resolve(emails.filter((email) => there.includes(email)));
			},
			marked: async () => {
				const rows = await Promise.all(
					(await tables()).map(({ name }) => readTable(n8n, String(name))),
				);
				return rows.flat().filter(({ status }) => status).length;
			},
			breakDown: breaks(company, 0),
			refuse: (email) => {
				company.refusedEmails.clear();
				return Promise.resolve(email !== undefined && company.refusedEmails.add(email));
			},
		};
	},
};

export type StoreName = keyof typeof STORES;
export const storeNames = Object.keys(STORES) as StoreName[];

interface How {
	readonly account?: AccountOptions;
	/** Makes another workflow of the file before it is imported. */
	readonly change?: (workflow: Workflow) => Workflow;
	readonly parameters?: Readonly<Record<string, Fields>>;
	readonly store?: Store;
}

/** Imports a workflow with a store of its own, unless one is given. `night` runs it a night after the one before. */
export async function open(n8n: TestN8n, name: StoreName, { account, change, ...how }: How = {}) {
	const store = how.store ?? (await STORES[name](n8n));
	const { credentials, trigger } = store;
	const options = {
		...{ credentials, account: n8n.service.admin.createAccount({ ...store.options, ...account }) },
		parameters: { ...store.parameters, ...how.parameters },
		...(change && { change }),
	};
	const isPolled = trigger.startsWith('Next leads');
	const isByHand = trigger.startsWith('Start');
	if (isPolled || isByHand) {
		const imported = await importWorkflow(n8n, name, options);
		const night = async (): Promise<Execution> =>
			isPolled ? await poll(n8n, imported.workflow) : await imported.run();
		const start = async () => {
			await n8n.client.activate(imported.workflow);
			await until('the poll has delivered its leads', async () =>
				(await n8n.client.executions(imported.workflow)).at(0),
			);
		};
		return { ...imported, ...(isPolled && { start }), store, night };
	}
	return { ...(await importForNights(n8n, name, trigger, options)), store };
}
