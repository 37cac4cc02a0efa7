/** What the ready-made workflows write into: each with three people, ways to break it, and what came of them. */
import { randomUUID } from 'node:crypto';

import { credentialData, type Quota } from '../../sandbox/crms/index';
import { chain, manualTrigger } from '../../sandbox/n8n/index';
import type { Execution, Fields, SavedCredential } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadAt, matching, type AccountOptions } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { publish } from '../n8n/production';
import { asAtNight, crmsOf, dropTable, importWorkflow, poll, readTable } from './fixture';
import { readWorkflow, startPoll, storagesOf, type Import } from './fixture';

const found = { personLocationCountry: 'Canada' };
const canadians = matching({ person_location_country: ['Canada'] });
/** All of them have a work email. */
export const people = Array.from(canadians.slice(0, 12), leadAt);
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

/**
 * A table in n8n's PostgreSQL, with triggers that refuse what is written, or wait with it.
 * @param isDone which rows were written back, of those named "new"
 */
function tableIn(n8n: TestN8n, table: string, key: string, isDone: string, order = 'id') {
	const set = async (name: string, condition: string | undefined, action: string) => {
		const add = `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
				AS $$ BEGIN ${action}; RETURN NEW; END $$;
			CREATE OR REPLACE TRIGGER ${name} BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW
				WHEN (${condition}) EXECUTE FUNCTION ${name}()`;
		await query(
			n8n.server.database,
			condition === undefined
				? `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep';
					DROP TRIGGER IF EXISTS ${name} ON ${table}`
				: add,
		);
	};
	const select = `SELECT ${key} FROM ${table} AS new WHERE ${isDone} ORDER BY ${order}`;
	const done = async () =>
		(await query(n8n.server.database, select)).map((row) => String(row[key]));
	return {
		done,
		marked: async () => (await done()).length,
		breakDown: async (how: Down) => {
			const action = how === 'hangs' ? 'PERFORM pg_sleep(600)' : "RAISE 'The table is closed'";
			await set('is_down', how && isDone, action);
		},
		refuse: async (person: string | undefined) => {
			const condition = person && `${isDone} AND NEW.${key} = '${person}'`;
			await set('refuses', condition, "RAISE 'No room for this one'");
		},
	};
}

/** A data table, made anew by the workflow's own node. */
export async function dataTable(
	n8n: TestN8n,
	workflow: string,
	table: string,
	isDone = 'true',
	order?: string,
) {
	await dropTable(n8n, table);
	const { nodes } = readWorkflow(workflow);
	const made = nodes.filter(({ parameters }) => parameters.tableName === table);
	await n8n.client.execute(chain('Make the table', [manualTrigger, ...made]));
	const storage = (await storagesOf(n8n, table)).join();
	return { ...tableIn(n8n, storage, 'linkedin_url', isDone, order), credentials: [], people: urls };
}

/** What a customer of a CRM has of it, and what becomes of polls of three leads that are sent there. */
async function customer(n8n: TestN8n, quota: Quota, type: string, access: Fields, free = 0) {
	return {
		...{ trigger: 'Next leads every day', people: emails },
		credentials: [await n8n.client.createCredential(type, `${type} ${randomUUID()}`, access)],
		parameters: polls,
		/** After so many requests. */
		breakDown: (how: Down) => {
			const outage = how === 'hangs' ? how : 'tooMany';
			Object.assign(quota, { outage, requestsLeft: how ? free : Infinity });
			return Promise.resolve();
		},
	};
}

const polls = { 'Next leads every day': { filters: found, leadsPerPoll: 3 } };

/** Has a CRM refuse one alone. */
const refusing = (refused: Set<string>) => (one: string | undefined) => {
	refused.clear();
	return Promise.resolve(one !== undefined && refused.add(one));
};

export const STORES = {
	'only-new-leads': async (n8n: TestN8n): Promise<Store> => {
		const preview = { baseUrl: n8n.service.baseUrl, filters: found, limit: 3 };
		const isDone = "NEW.lookup LIKE '%found'";
		return {
			...(await dataTable(n8n, 'only-new-leads', 'Profiles in reach', isDone)),
			...{ pays: 'Look up', trigger: 'Every Monday' },
			parameters: { 'Preview for free': preview },
			add: () => Promise.resolve((preview.limit += 3)),
		};
	},
	'long-pull-in-batches': async (n8n: TestN8n): Promise<Store> => ({
		...(await dataTable(n8n, 'long-pull-in-batches', 'Leads in batches', 'true', 'place')),
		...{ pays: 'Search for leads', trigger: 'Start or go on' },
		...{ options: { leads: 6 }, people: urls.slice(0, 6) },
		parameters: { 'Search for leads': { filters: found, limit: 3 } },
	}),
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
		return {
			...tableIn(n8n, 'contacts', 'email', 'NEW.email IS NOT NULL'),
			...{ pays: 'Look up', trigger: 'Every night', credentials: [crm], parameters: {} },
			...{ people: emails, add },
			reconnect: () =>
				n8n.client.call('PATCH', `/credentials/${crm.id}`, { ...crm, data: access() }),
			marked: async () =>
				(await inCrm('SELECT 1 FROM contacts WHERE looked_up_at IS NOT NULL')).length,
		};
	},
	'google-sheets-enrichment': async (n8n: TestN8n) => {
		const rows = [['linkedin_url', 'email', 'lookup']];
		const spreadsheet = crmsOf(n8n).google.addSpreadsheet(rows);
		const add = (from: number) =>
			Promise.resolve(rows.push(...urls.slice(from, from + 3).map((url) => [url])));
		await add(0);
		const url = `https://sheets.googleapis.com/v4/spreadsheets/${spreadsheet.id}/values/Sheet1`;
		const options = { batching: { batch: { batchSize: 1, batchInterval: 0 } } };
		const access = credentialData(spreadsheet);
		const cells = (column: number) =>
			rows.slice(1).flatMap((row) => (row[column] ? [row[column]] : []));
		const refuse = refusing(spreadsheet.protectedCells);
		return {
			// It has so many requests left as reading and claiming take.
			...(await customer(n8n, spreadsheet, 'googleSheetsOAuth2Api', access, 4)),
			...{ pays: 'Look up', trigger: 'Every night', rows, add },
			parameters: { Rows: { url }, Claim: { options } },
			done: () => Promise.resolve(cells(1)),
			marked: () => Promise.resolve(cells(2).length),
			refuse: (email: string | undefined) =>
				refuse(email && `Sheet1!B${emails.indexOf(email) + 2}`),
		};
	},
	'new-leads-to-data-table': async (n8n: TestN8n): Promise<Store> => ({
		...(await dataTable(n8n, 'new-leads-to-data-table', 'Daily new leads')),
		...{ pays: 'Save the lead', trigger: 'Next leads every day', parameters: polls },
	}),
	'hubspot-contacts': async (n8n: TestN8n) => {
		const table = 'HubSpot leads';
		// Of two runs that make one table at once, n8n refuses one.
		await dataTable(n8n, 'hubspot-contacts', table);
		const portal = crmsOf(n8n).hubspot.addPortal();
		return {
			...(await customer(n8n, portal, 'hubspotAppToken', { appToken: portal.secret })),
			...{ pays: 'Create or update contact', portal },
			done: () => Promise.resolve([...portal.contacts.keys()]),
			marked: async () => (await readTable(n8n, table)).filter(({ status }) => status).length,
			refuse: refusing(portal.refusedEmails),
		};
	},
	'pipedrive-persons': async (n8n: TestN8n) => {
		const company = crmsOf(n8n).pipedrive.addCompany();
		await dropTable(n8n, 'Pipedrive leads%');
		return {
			...(await customer(n8n, company, 'pipedriveApi', { apiToken: company.secret })),
			...{ pays: 'Create person', company },
			// It is asked for several at once.
			done: () => {
				const there = company.persons.map((person) => person.emails[0] ?? '');
				const placeOf = (email: string) => emails.indexOf(email);
				return Promise.resolve(there.sort((one, other) => placeOf(one) - placeOf(other)));
			},
			marked: async () =>
				(await readTable(n8n, 'Pipedrive leads%')).filter(({ status }) => status).length,
			refuse: refusing(company.refusedEmails),
		};
	},
};

export type StoreName = keyof typeof STORES;
export const storeNames = Object.keys(STORES) as StoreName[];

interface How extends Pick<Import, 'change' | 'parameters' | 'pinData'> {
	readonly account?: AccountOptions;
	readonly store?: Store;
}

/**
 * Imports a workflow with a store of its own, unless one is given. `night` runs it a night after the one
 * before, `start` begins to, `run` does by hand: a trigger polls; other schedules are a web request, and no memory of the node's
 * reuses what was paid for.
 */
export async function open(n8n: TestN8n, name: StoreName, { account, ...how }: How = {}) {
	const store: Store = how.store ?? (await STORES[name](n8n));
	const { credentials, trigger } = store;
	const imported = await importWorkflow(n8n, name, {
		...{ ...how, credentials, how: { trigger } },
		account: n8n.service.admin.createAccount({ ...store.options, ...account }),
		parameters: { ...store.parameters, ...how.parameters },
	});
	const { file, workflow } = imported;
	if (trigger.startsWith('Start')) return { ...imported, store, night: imported.run };
	if (trigger.startsWith('Next leads')) {
		const start = () => startPoll(n8n, workflow);
		return { ...imported, store, start, night: (): Promise<Execution> => poll(n8n, workflow) };
	}
	const { run: night, start } = await publish(n8n, [], ({ nodes: [webhook] }) => ({
		...file,
		nodes: file.nodes.map((node) => {
			const { name: own, position } = node;
			return own === trigger ? { ...node, ...webhook, name: own, position } : asAtNight(node);
		}),
	}));
	return { ...imported, store, start, night };
}
