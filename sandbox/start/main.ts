import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import {
	createUserFolder,
	isBuilt,
	N8nClient,
	packPackage,
	startN8n,
	type Execution,
	type Login,
	type N8n,
} from '../n8n/index';
import { homeFolder } from '../paths';
import { InUseError, startPostgres, type Connection } from '../postgres';
import { stopAllServers } from '../server-process';
import { buildPackage } from './build';
import { saveCredential, saveWorkflow, searchNode } from './example';
import { whenInterrupted } from './interrupt';
import { leadTable } from './lead-table';
import { spendingOf, startLeadService, type RunningService } from './lead-service';
import { logIn } from './login';
import { say, step } from './steps';

/** What `npm start` was asked for. */
export interface StartOptions {
	/** End after the search. */
	readonly once: boolean;
	/** The editor's port, if it is free. */
	readonly port: number;
}

interface Sandbox {
	readonly service: RunningService;
	readonly n8n: N8n;
	readonly client: N8nClient;
	readonly login: Login;
}

const shownLeads = 8;
const userFolder = join(homeFolder, 'n8n');

/**
 * Tries the package: builds it, starts a mock of the lead service and n8n with the package installed,
 * runs a search in a workflow and shows the leads, and leaves the editor open to the user.
 *
 * @returns the exit code
 */
export async function main(options: StartOptions): Promise<number> {
	const interrupted = whenInterrupted().then(() => 'interrupted' as const);
	const work = tryPackage(options);
	// Once interrupted, what was under way fails, and nobody has to hear of it.
	work.catch(() => undefined);
	try {
		const result = await Promise.race([work, interrupted]);
		if (result === 'interrupted') return 0;
		if (options.once) return result.leads > 0 ? 0 : 1;
		return await serve(result, interrupted);
	} catch (error) {
		if (!(error instanceof InUseError)) throw error;
		process.stderr.write(
			`npm start is running already; stop that one first. ${error.message}\n`,
		);
		return 1;
	} finally {
		say('Stopping');
		await stopAllServers();
	}
}

interface Tried {
	readonly sandbox: Sandbox;
	readonly leads: number;
	readonly workflow: { readonly id: string; readonly name: string };
}

async function tryPackage(options: StartOptions): Promise<Tried> {
	await mkdir(homeFolder, { recursive: true });
	const { connection: database } = await step('Starting PostgreSQL', () =>
		// Its data stay from one start to the next.
		startPostgres(join(userFolder, 'postgres')),
	);
	if (!(await isBuilt())) await step('Building the package', buildPackage);
	await step('Installing it in a folder for n8n', async () => {
		await createUserFolder(userFolder, await packPackage(homeFolder));
	});
	const sandbox = await startSandbox(options, database);
	const { client, service } = sandbox;
	const credential = await saveCredential(client, service);
	const workflow = await saveWorkflow(client, credential);
	const execution = await step(`Running the workflow "${workflow.name}"`, async () =>
		client.waitForExecution(await client.run(workflow)),
	);
	const leads = await report(execution, service);
	return { sandbox, leads, workflow };
}

async function startSandbox(options: StartOptions, database: Connection): Promise<Sandbox> {
	const service = await step('Starting the lead service', startLeadService);
	say(`  it listens at ${service.baseUrl}`);
	const n8n = await step('Starting n8n (10 to 40 seconds)', () =>
		startN8n({ userFolder, database, port: options.port }),
	);
	if (n8n.port !== options.port) {
		say(`  port ${options.port} is taken, so it listens on ${n8n.port}`);
	}
	const client = new N8nClient(n8n.url);
	const login = await logIn(client, userFolder);
	return { service, n8n, client, login };
}

/** Shows what came of the search. Resolves with the number of leads. */
async function report(execution: Execution, service: RunningService): Promise<number> {
	if (execution.status !== 'success') {
		const { message = 'no reason given', description } = execution.error ?? {};
		say(`The workflow ended with "${execution.status}": ${message}`);
		if (description) say(`  ${description}`);
	}
	const leads = execution.runs[searchNode]?.at(-1)?.outputs[0] ?? [];
	const shown = leads.slice(0, shownLeads).map(({ json }) => json);
	if (shown.length > 0) {
		process.stdout.write(`\n${leadTable(shown, process.stdout.columns || 120)}\n`);
		process.stdout.write(`  the first ${shown.length} of ${count(leads.length)}\n\n`);
	}
	const { requests, charged, left } = await spendingOf(service);
	say(
		`${count(leads.length)} leads, ${count(requests)} requests, ` +
			`${count(charged)} credits spent, ${count(left)} left`,
	);
	return leads.length;
}

function count(number: number): string {
	return number.toLocaleString('en');
}

/** Leaves the editor open until the user stops it, or something ends by itself. */
async function serve(
	{ sandbox: { n8n, service, login }, workflow }: Tried,
	interrupted: Promise<'interrupted'>,
): Promise<number> {
	process.stdout.write(
		[
			'',
			`Editor     ${n8n.url}/workflow/${workflow.id}`,
			`Login      ${login.email}`,
			`Password   ${login.password}`,
			`Workflow   ${workflow.name}`,
			'',
			'Ctrl-C stops.',
			'',
		].join('\n'),
	);
	const reason = await Promise.race([
		interrupted,
		n8n.ended.then((code) => `n8n ended with exit code ${code}; see ${n8n.logFile}`),
		service.ended.then((code) => `The lead service ended with exit code ${code}`),
	]);
	if (reason === 'interrupted') return 0;
	say(reason);
	return 1;
}
