/** The stores that the ready-made workflows write to. Each has three leads, and ways to make it fail. */
import { randomUUID } from 'node:crypto';

import { credentialData, type Quota } from '../../sandbox/crms/index';
import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import type { Execution, Fields, SavedCredential, SavedWorkflow } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadAt, matching, type AccountOptions } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { atNight, crmsOf, importWorkflow, poll, readWorkflow, startPoll } from './fixture';
import type { Import } from './fixture';

/** Returns the first leads of a country. All leads in Canada among them have a work email. */
export const leadsOf = (country: string) =>
	Array.from(matching({ person_location_country: [country] }).slice(0, 12), leadAt);

const filters = { personLocationCountry: 'Canada' };
export const canadianLeads = leadsOf(filters.personLocationCountry);
const urls = canadianLeads.map(({ linkedin_url: url }) => url);
const emails = canadianLeads.map(({ work_email: email }) => (email ?? '').toLowerCase());

export type Down = 'refuses' | 'hangs' | undefined;

export interface Store {
	/** The node that pays or sends. */
	readonly pays: string;
	readonly trigger: string;
	readonly credentials: readonly SavedCredential[];
	readonly parameters: Readonly<Record<string, Fields>>;
	/** The leads by the key that `done` returns: URLs or emails. */
	readonly leadKeys: readonly string[];
	/** Returns the URLs or emails of the leads that are done, in the order of the store. */
	readonly done: () => Promise<readonly string[]>;
	/** Returns the number of rows that are marked as claimed or done. */
	readonly marked: () => Promise<number>;
	/** Makes the store refuse bought leads, or never respond. Undefined repairs it. */
	readonly breakDown: (kind: Down) => Promise<unknown>;
	/** Makes the store refuse one lead, or none if it is undefined. */
	readonly refuse: (person: string | undefined) => Promise<unknown>;
	/** Adds three more leads, if the workflow doesn't get them automatically. */
	readonly add?: (from: number) => Promise<unknown>;
	/** Reconnects the store after a restart. */
	readonly reconnect?: () => Promise<unknown>;
	/** Prepares the data table of an imported workflow. */
	readonly attach?: (workflow: SavedWorkflow) => Promise<unknown>;
	/** The name of the data table in n8n's database. */
	readonly storage?: () => string;
	/** Moves the claims of earlier runs to the day before. */
	readonly age?: () => Promise<unknown>;
}

/**
 * Describes a table in n8n's PostgreSQL, with database triggers that refuse to write a row, or delay it.
 *
 * @param isDone the condition of a row that was written back. The row's name is "new"
 */
function tableIn(n8n: TestN8n, table: () => string, key: string, isDone: string) {
	const set = async (name: string, condition: string | undefined, action: string) => {
		const add = `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
				AS $$ BEGIN ${action}; RETURN NEW; END $$;
			CREATE OR REPLACE TRIGGER ${name} BEFORE INSERT OR UPDATE ON ${table()} FOR EACH ROW
				WHEN (${condition}) EXECUTE FUNCTION ${name}()`;
		await query(
			n8n.server.database,
			condition === undefined
				? `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep';
					DROP TRIGGER IF EXISTS ${name} ON ${table()}`
				: add,
		);
	};
	const select = async (columns: string, condition: string) =>
		await query(
			n8n.server.database,
			`SELECT ${columns} FROM ${table()} AS new WHERE ${condition} ORDER BY id`,
		);
	return {
		select,
		done: async () => (await select(key, isDone)).map((row) => String(row[key])),
		breakDown: async (kind: Down) => {
			const action = kind === 'hangs' ? 'PERFORM pg_sleep(600)' : "RAISE 'The table is closed'";
			await set('is_down', kind && isDone, action);
		},
		refuse: async (person: string | undefined) => {
			const condition = person && `${isDone} AND NEW.${key} = '${person}'`;
			await set('refuses', condition, "RAISE 'No room for this one'");
		},
	};
}

/** Describes the data table of a workflow. The workflow's own node creates it. */
function dataTable(n8n: TestN8n, name: string, mark: string, isDone = 'true') {
	let storage = '';
	const table = tableIn(n8n, () => storage, 'linkedin_url', isDone);
	return {
		...table,
		credentials: [],
		leadKeys: urls,
		storage: () => storage,
		marked: async () => (await table.select('id', `${mark} IS NOT NULL`)).length,
		attach: async ({ id }: SavedWorkflow) => {
			const tableNode = readWorkflow(name).nodes.find(
				({ parameters }) => 'tableName' in parameters,
			);
			if (!tableNode) throw new Error(`${name} has no table`);
			const text = String(tableNode.parameters.tableName);
			const tableName = text.replace(/^=/, '').replace('{{ $workflow.id }}', id);
			const create = { ...tableNode, parameters: { ...tableNode.parameters, tableName } };
			const execution = await n8n.client.execute(chain('Make the table', [manualTrigger, create]));
			storage = `"data_table_user_${execution.items(tableNode.name)[0]?.json.id as string}"`;
		},
	};
}

/** All nights of a test are on one day, so a night may buy leads after the leads of a day are bought. */
const triggerParameters = {
	'Next leads every day': { filters, leadsPerPoll: 3, maxCreditsPerDay: 1_000 },
};

/** Creates the credential of a CRM's customer, and describes the CRM's outages. */
async function customer(n8n: TestN8n, quota: Quota, type: string, access: Fields, free = 0) {
	return {
		leadKeys: emails,
		credentials: [await n8n.client.createCredential(type, `${type} ${randomUUID()}`, access)],
		/** The outage starts after `free` requests. */
		breakDown: (kind: Down) => {
			const outage = kind === 'hangs' ? kind : 'tooMany';
			Object.assign(quota, { outage, requestsLeft: kind ? free : Infinity });
			return Promise.resolve();
		},
	};
}

const refusing = (refused: Set<string>) => (one: string | undefined) => {
	refused.clear();
	return Promise.resolve(one !== undefined && refused.add(one));
};

const nextLeads = { trigger: 'Next leads every day' };

export const STORES = {
	'only-new-leads': (n8n: TestN8n): Promise<Store> => {
		const preview = { filters, limit: 3 };
		const table = dataTable(n8n, 'only-new-leads', 'lookup', "NEW.lookup LIKE '%found'");
		return Promise.resolve({
			...table,
			pays: 'Look up',
			trigger: 'Every Monday',
			parameters: { 'Preview for free': preview },
			add: () => Promise.resolve((preview.limit += 3)),
		});
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
		const table = tableIn(n8n, () => 'contacts', 'email', 'NEW.email IS NOT NULL');
		return {
			...table,
			pays: 'Look up',
			trigger: 'Every night',
			credentials: [crm],
			parameters: {},
			leadKeys: emails,
			add,
			age: () => inCrm("UPDATE contacts SET looked_up_at = looked_up_at - interval '1 day'"),
			reconnect: () =>
				n8n.client.call('PATCH', `/credentials/${crm.id}`, { ...crm, data: access() }),
			marked: async () => (await table.select('id', 'looked_up_at IS NOT NULL')).length,
		};
	},
	'google-sheets-enrichment': async (n8n: TestN8n) => {
		const rows: unknown[][] = [['linkedin_url', 'email', 'lookup']];
		const spreadsheet = crmsOf(n8n).google.addSpreadsheet(rows);
		const add = (from: number) =>
			Promise.resolve(rows.push(...urls.slice(from, from + 3).map((url) => [url])));
		await add(0);
		const access = credentialData(spreadsheet);
		const cells = (column: number) =>
			rows.slice(1).flatMap((row) => (row[column] ? [row[column] as string] : []));
		const refuse = refusing(spreadsheet.protectedCells);
		const documentId = { __rl: true, mode: 'id', value: spreadsheet.id };
		const sheetName = { __rl: true, mode: 'name', value: 'Sheet1' };
		return {
			// Reading takes three requests, and claiming three.
			...(await customer(n8n, spreadsheet, 'googleSheetsOAuth2Api', access, 6)),
			pays: 'Look up',
			trigger: 'Every night',
			rows,
			spreadsheet,
			add,
			parameters: { Rows: { documentId, sheetName } },
			done: () => Promise.resolve(cells(1)),
			marked: () => Promise.resolve(cells(2).length),
			refuse: (email: string | undefined) =>
				refuse(email && `Sheet1!B${emails.indexOf(email) + 2}`),
		};
	},
	'data-table-enrichment': async (n8n: TestN8n): Promise<Store> => {
		// A user makes this table, for example from a CSV file.
		const columns = ['linkedin_url', 'email', 'lookup', 'notes'];
		const parameters = {
			resource: 'table',
			operation: 'create',
			tableName: `Contacts ${randomUUID()}`,
			columns: { column: columns.map((column) => ({ name: column, type: 'string' })) },
		};
		const create = node('Contacts', 'n8n-nodes-base.dataTable', 1.1, parameters);
		const made = await n8n.client.execute(chain('Make the table', [manualTrigger, create]));
		const id = made.items('Contacts')[0]?.json.id as string;
		const storage = `"data_table_user_${id}"`;
		const add = async (from: number) => {
			const rows = urls.slice(from, from + 3).map((url) => `('${url}', '', 'mine')`);
			const statement = `INSERT INTO ${storage} (linkedin_url, email, notes) VALUES ${rows.join()}`;
			return await query(n8n.server.database, statement);
		};
		await add(0);
		const table = tableIn(n8n, () => storage, 'linkedin_url', "NEW.lookup = 'found'");
		return {
			...table,
			pays: 'Look up',
			trigger: 'Every night',
			credentials: [],
			parameters: { Rows: { dataTableId: { __rl: true, mode: 'list', value: id } } },
			leadKeys: urls,
			add,
			storage: () => storage,
			marked: async () => (await table.select('id', "COALESCE(lookup, '') <> ''")).length,
		};
	},
	'new-leads-to-data-table': (n8n: TestN8n): Promise<Store> =>
		Promise.resolve({
			...dataTable(n8n, 'new-leads-to-data-table', 'lead'),
			...nextLeads,
			pays: 'Save the lead',
			parameters: triggerParameters,
		}),
	'hubspot-contacts': async (n8n: TestN8n) => {
		const { marked, attach } = dataTable(n8n, 'hubspot-contacts', 'status');
		const portal = crmsOf(n8n).hubspot.addPortal();
		return {
			...(await customer(n8n, portal, 'hubspotAppToken', { appToken: portal.secret })),
			...nextLeads,
			marked,
			attach,
			portal,
			pays: 'Create or update contact',
			parameters: triggerParameters,
			done: () => Promise.resolve([...portal.contacts.keys()]),
			refuse: refusing(portal.refusedEmails),
		};
	},
	'pipedrive-persons': async (n8n: TestN8n) => {
		const { marked, attach } = dataTable(n8n, 'pipedrive-persons', 'status');
		const company = crmsOf(n8n).pipedrive.addCompany();
		return {
			...(await customer(n8n, company, 'pipedriveApi', { apiToken: company.secret })),
			...nextLeads,
			marked,
			attach,
			company,
			pays: 'Create person',
			parameters: triggerParameters,
			// The persons are sorted, because n8n sends several requests concurrently.
			done: () => {
				const stored = company.persons.map((person) => person.emails[0] ?? '');
				const indexOf = (email: string) => emails.indexOf(email);
				return Promise.resolve(stored.sort((one, other) => indexOf(one) - indexOf(other)));
			},
			refuse: refusing(company.refusedEmails),
		};
	},
};

export type StoreName = keyof typeof STORES;
export const storeNames = Object.keys(STORES) as StoreName[];

interface Options extends Pick<Import, 'parameters' | 'pinData'> {
	readonly account?: AccountOptions;
	readonly store?: Store;
	/** If it is false, a run reuses results of the run before. */
	readonly isNight?: boolean;
}

/**
 * Imports a workflow with a store. `night` runs it, without results of the run before. `start` starts it. Both publish a
 * workflow whose trigger polls, and run another workflow manually.
 */
export async function open(
	n8n: TestN8n,
	name: StoreName,
	{ account, isNight = true, ...options }: Options = {},
) {
	const store: Store = options.store ?? (await STORES[name](n8n));
	const { credentials, trigger } = store;
	const imported = await importWorkflow(n8n, name, {
		...options,
		credentials,
		how: { trigger },
		account: n8n.service.admin.createAccount(account),
		parameters: { ...store.parameters, ...options.parameters },
		...(isNight && { change: atNight }),
	});
	const { file, workflow } = imported;
	await store.attach?.(workflow);
	const change = (more: Fields) => n8n.client.updateWorkflow(workflow.id, { ...file, ...more });
	if (!trigger.startsWith('Next leads')) return { ...imported, change, store, night: imported.run };
	const start = () => startPoll(n8n, workflow);
	const night = (): Promise<Execution> => poll(n8n, workflow);
	return { ...imported, change, store, start, night };
}
