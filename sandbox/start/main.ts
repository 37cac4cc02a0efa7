/** `npm start`: tries the package in a real n8n, with a mock of the lead service. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';

import { addressOf, columnsOfLeads, credentialData, startCrms } from '../crms/index';
import type { Crms } from '../crms/index';
import { buildPackage, chain, createUserFolder, isBuilt, leadSearch } from '../n8n/index';
import { manualTrigger, N8nClient, packPackage, startN8n, testLogin } from '../n8n/index';
import type { Execution, Fields, Login, SavedCredential, SavedWorkflow } from '../n8n/index';
import { homeFolder, projectFolder } from '../paths';
import { query, startPostgres, type Connection } from '../postgres';
import { stopAllServers, whenInterrupted } from '../server-process';
import { startService, TOP_UP_PATH, urlsMatching, type LeadService } from '../service/index';
import { say } from './progress';

interface Options {
	readonly once: boolean;
	readonly crms: boolean;
	readonly port: number;
}

const accountId = 'plenty';
const shownLeads = 8;
const shownFields = ['full_name', 'job_title', 'company', 'work_email'];
/** Port of the mock service. It is fixed, so that credentials and nodes that the user created work at the next start. */
const servicePort = 5690;
const userFolder = join(homeFolder, 'n8n');
const crmDatabase = 'crm';

/**
 * Builds the package, starts a mock of the lead service and an n8n with the package, runs a workflow with a search,
 * prints the leads, and keeps the editor running for the user.
 *
 * @returns the exit code
 */
export async function main({ once, crms, port }: Options): Promise<number> {
	const interrupted = whenInterrupted().then(() => 'interrupted' as const);
	const work = tryPackage(port, crms);
	// After an interrupt, the unfinished work fails. That needs no message.
	work.catch(() => undefined);
	try {
		const result = await Promise.race([work, interrupted]);
		if (result === 'interrupted') return 0;
		if (once) return result.leads > 0 ? 0 : 1;
		welcome(result);
		const ended = await Promise.race([interrupted, result.n8n.ended]);
		if (ended === 'interrupted') return 0;
		say(`n8n ended with exit code ${ended}; see ${result.n8n.logFile}`);
		return 1;
	} finally {
		say('Stopping');
		await stopAllServers();
	}
}

async function tryPackage(port: number, withCrms: boolean) {
	await mkdir(homeFolder, { recursive: true });
	say('Starting PostgreSQL');
	// Its data is kept for the next start.
	const { connection: database } = await startPostgres(join(userFolder, 'postgres'));
	if (!(await isBuilt())) {
		say('Building the package');
		await buildPackage();
	}
	say('Installing the package in n8n');
	await createUserFolder(userFolder, await packPackage(homeFolder));
	say('Starting the lead service');
	const freePort = await getPort({ host: '127.0.0.1', port: servicePort });
	const service = await startService({ port: freePort });
	say(`  it listens on ${service.baseUrl}`);
	if (freePort !== servicePort)
		say(
			`  port ${servicePort} is not free: your own credentials and nodes with that port don't work this time`,
		);
	if (withCrms) say('Starting the mocks of HubSpot, Google Sheets and Pipedrive');
	const contacts = async () =>
		await query({ ...database, database: crmDatabase }, 'SELECT * FROM contacts ORDER BY id');
	const crms = withCrms
		? await startCrms(homeFolder, { leadService: service, contacts })
		: undefined;
	say('Starting n8n (10 to 40 seconds)');
	// Without this setting, schedules would use n8n's default time zone, New York.
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	// n8n's list of time zones has no 'UTC'.
	const zone = timeZone === 'UTC' ? 'Etc/UTC' : timeZone;
	const env = { GENERIC_TIMEZONE: zone, ...crms?.env };
	const n8n = await startN8n({ userFolder, database, port, env });
	if (n8n.port !== port) say(`  port ${port} is not free, so n8n listens on ${n8n.port}`);
	const client = new N8nClient(n8n.url);
	const login = await logIn(client);
	const workflow = await saveExample(client, service);
	const crmsMessage = crms && crmsText(await saveCrmCredentials(client, crms), crms.page);
	if (withCrms) await saveContacts(client, database);
	say(`Running the workflow "${workflow.name}"`);
	const execution = await client.waitForExecution(await client.run(workflow));
	const leads = report(execution, service);
	return { n8n, login, workflow, service, crmsMessage, leads };
}

/** Creates the owner of a new n8n, or logs in as the owner of an earlier start. */
async function logIn(client: N8nClient): Promise<Login> {
	const file = join(userFolder, 'login.json');
	if (!existsSync(file)) {
		// n8n requires a capital letter and a digit.
		const password = `Leads-1-${randomBytes(6).toString('hex')}`;
		await writeFile(file, JSON.stringify({ ...testLogin, password }), { mode: 0o600 });
	}
	try {
		const login = JSON.parse(await readFile(file, 'utf8')) as Login;
		if (!(await client.setupOwner(login))) await client.logIn(login);
		return login;
	} catch (cause) {
		const message = `Could not log in to n8n with ${file}. To start again without data, remove ${userFolder}`;
		throw new Error(message, { cause });
	}
}

/** Saves the example workflow and its credential. Later starts reset both. */
async function saveExample(client: N8nClient, service: LeadService): Promise<SavedWorkflow> {
	const { apiKey } = service.admin.account(accountId);
	const data = { baseUrl: service.baseUrl, apiKey, authentication: 'bearer' };
	const credential = await saveCredential(client, 'leadSearchApi', 'Lead Search account', data);
	const filters = { personLocationCountry: 'Iceland', jobTitleSeniority: 'owner, cxo' };
	const search = leadSearch({ filters, limit: 10 }, credential);
	const workflow = chain('Find decision makers in Iceland', [manualTrigger, search]);
	const workflows = await client.call<SavedWorkflow[]>('GET', '/workflows');
	const saved = workflows.find((one) => one.name === workflow.name);
	return await (saved
		? client.updateWorkflow(saved.id, workflow)
		: client.createWorkflow(workflow));
}

/** Saves a credential. If one with this name exists, its data is reset. */
async function saveCredential(client: N8nClient, type: string, name: string, data: Fields) {
	const credentials = await client.call<SavedCredential[]>('GET', '/credentials');
	const known = credentials.find((one) => one.name === name && one.type === type);
	if (known === undefined) return await client.createCredential(type, name, data);
	await client.call('PATCH', `/credentials/${known.id}`, { type, name, data });
	return known;
}

/** Saves a credential for each CRM. CRMs are empty at every start. @returns the URL of the sheet */
async function saveCrmCredentials(client: N8nClient, crms: Crms): Promise<string> {
	const { hubspot, google, pipedrive } = crms;
	const people = urlsMatching({ person_location_country: ['Iceland'] }).slice(0, 10);
	const rows = people.map((url, index) => [`Person ${index + 1}`, url]);
	const spreadsheet = google.addSpreadsheet([columnsOfLeads, ...rows], 'Leads', 'sandbox');
	const secrets: ReadonlyArray<readonly [type: string, name: string, data: Fields]> = [
		['hubspotAppToken', 'HubSpot Service Key', { appToken: hubspot.addPortal().secret }],
		['pipedriveApi', 'Pipedrive', { apiToken: pipedrive.addCompany().secret }],
		['googleSheetsOAuth2Api', 'Google Sheets', credentialData(spreadsheet)],
	];
	// n8n's default names, so that imported workflows use these credentials.
	for (const [type, name, data] of secrets)
		await saveCredential(client, type, `${name} account`, data);
	return addressOf(spreadsheet);
}

/** Creates an empty table of contacts for the workflow crm-sync-postgres, and a credential for it. */
async function saveContacts(client: N8nClient, n8n: Connection): Promise<void> {
	const [there] = await query(n8n, `SELECT 1 FROM pg_database WHERE datname = '${crmDatabase}'`);
	// A database of its own, without n8n's tables.
	if (there === undefined) await query(n8n, `CREATE DATABASE ${crmDatabase}`);
	const access = { ...n8n, database: crmDatabase };
	const urls = urlsMatching({ person_location_country: ['Iceland'] }).slice(10, 20);
	await query(
		access,
		`DROP TABLE IF EXISTS contacts;
		CREATE TABLE contacts (
			id serial PRIMARY KEY, linkedin_url text, email text UNIQUE, phone text,
			looked_up_at timestamptz, lookup_note text
		);
		INSERT INTO contacts (linkedin_url) VALUES ${urls.map((url) => `('${url}')`).join(', ')}`,
	);
	await saveCredential(client, 'postgres', 'Postgres account', { ...access, ssl: 'disable' });
}

/** Prints the leads and the cost. @returns the number of leads */
function report(execution: Execution, { admin }: LeadService): number {
	if (execution.status !== 'success') {
		const { message = 'no reason given', description } = execution.error ?? {};
		say(`The workflow ended with "${execution.status}": ${message}`);
		if (description) say(`  ${description}`);
	}
	const leads = (execution.runs['Lead Search']?.at(-1)?.outputs[0] ?? []).map(({ json }) => json);
	if (leads.length > 0) console.table(leads.slice(0, shownLeads), shownFields);
	const { spent, apiCredits } = admin.account(accountId);
	const requests = admin.requests({ account: accountId }).length;
	say(
		`${count(leads.length)} leads, ${count(requests)} requests, ` +
			`${count(spent.apiCredits)} credits spent, ${count(apiCredits)} left`,
	);
	return leads.length;
}

function count(number: number): string {
	return number.toLocaleString('en');
}

function welcome(result: Awaited<ReturnType<typeof tryPackage>>): void {
	const { n8n, login, workflow, service, crmsMessage = '' } = result;
	const keys = service.admin
		.accounts()
		.map(({ apiKey, apiCredits }) => `${apiKey}  ${count(apiCredits)} credits`);
	process.stdout.write(`
n8n
  Editor     ${n8n.url}/workflow/${workflow.id}
  Login      ${login.email}
  Password   ${login.password}
  Workflow   ${workflow.name}

Lead service (invented leads; it has the same address at the next start, and full credits again)
  Base URL   ${service.baseUrl}
  API keys   ${keys.join('\n             ')}
  Top up     ${service.baseUrl}${TOP_UP_PATH} (shows all balances; one click adds 1,000 made-up credits)

${crmsMessage}Ctrl-C stops.
`);
}

function crmsText(sheet: string, page: string): string {
	return `CRMs (mocks of HubSpot, Google Sheets and Pipedrive, at their real addresses; empty again at the next start)
  Try it     import a workflow from ${join(projectFolder, 'workflows')}
  Sheet      ${sheet} (tab Sheet1)
  Written    ${page} (data that n8n has written to the CRMs, and its cost)
  Contacts   a table in PostgreSQL, with the columns that crm-sync-postgres needs
  Credentials for all of them are saved in n8n.

`;
}
