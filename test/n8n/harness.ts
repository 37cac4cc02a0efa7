import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
	createUserFolder,
	N8nClient,
	packPackage,
	startN8n,
	type Fields,
	type InstallationName,
	type N8n,
	type PackedPackage,
	type SavedCredential,
	type Workflow,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import { temporaryFolder } from '../../sandbox/paths';
import { query } from '../../sandbox/postgres';
import { startService, type Account, type LeadService } from '../../sandbox/service';

/** An n8n and a lead service. Only usable in tests and hooks, not while they are being defined. */
export interface RunningN8n {
	/** Logged in as the owner. */
	readonly client: N8nClient;
	/** The server itself: address, log file, user folder. */
	readonly server: Pick<N8n, 'url' | 'logFile' | 'userFolder' | 'database' | 'kill'>;
	readonly service: LeadService;
}

/** The n8n of a test file. */
export interface TestN8n extends RunningN8n {
	/** What n8n has written so far, the database's rows as XML, to search for what must not be there. */
	everythingSaved(): Promise<Buffer>;
	/**
	 * Ends n8n and starts it anew with the same data, so that nothing is left in its memory. Take
	 * `client` and `server` again afterwards.
	 */
	restart(): Promise<void>;
}

const startMilliseconds = 180_000;
const testMilliseconds = 60_000;

/**
 * Gives a test file a lead service and a real n8n of its own, with the built package installed as a
 * user would have it, in a folder that is removed afterwards. Call it once, at the top of the file or
 * of a `describe`.
 *
 * @param env settings for n8n beside the usual ones.
 * @param installation which n8n; the newest unless another one is named.
 * @param install installs the packed package in a folder that may not exist yet.
 */
export function useN8n(
	env: Readonly<Record<string, string>> = {},
	installation?: InstallationName,
	install: (userFolder: string, packed: PackedPackage) => Promise<void> = createUserFolder,
): TestN8n {
	let folder: string | undefined;
	let service: LeadService | undefined;
	let server: N8n | undefined;
	let client: N8nClient | undefined;
	let restarts = 0;

	async function start(userFolder: string): Promise<void> {
		server = await startN8n({ userFolder, env, ...(installation && { installation }) });
		client = new N8nClient(server.url);
	}

	jest.setTimeout(testMilliseconds);

	beforeAll(async () => {
		service = await startService();
		folder = await temporaryFolder();
		const userFolder = join(folder, 'user');
		await install(userFolder, await packPackage(folder));
		await start(userFolder);
		await started(client).setupOwner();
	}, startMilliseconds);

	afterAll(async () => {
		await server?.stop();
		await service?.close();
		if (folder !== undefined) await rm(folder, { recursive: true, force: true });
	}, startMilliseconds);

	return {
		get client() {
			return started(client);
		},
		get server() {
			return started(server);
		},
		get service() {
			return started(service);
		},
		everythingSaved: () => everythingSavedBy(started(server)),
		async restart() {
			const before = started(server);
			const { userFolder, logFile } = before;
			await before.stop();
			restarts += 1;
			// The next one begins its log anew, and `everythingSaved` is about this one too.
			await rename(logFile, join(userFolder, `n8n-before-restart-${restarts}.log`));
			await start(userFolder);
			await started(client).logIn();
		},
	};
}

/** The package itself, and n8n's own files for browsers, were not written by a run. */
const notSaved = /(^|[\\/])(nodes|\.cache|postgres)([\\/]|$)/;

async function everythingSavedBy({ userFolder, database }: N8n): Promise<Buffer> {
	const paths = await readdir(userFolder, { recursive: true });
	const saved = paths.filter((path) => !notSaved.test(path)).map((path) => join(userFolder, path));
	// Some are folders; log files are rotated, and temporary files go, while we look.
	const contents = await Promise.all(
		saved.map((path) => readFile(path).catch(() => Buffer.alloc(0))),
	);
	const everyTable = "SELECT schema_to_xml('public', true, false, '')::text AS xml";
	const [rows] = await query(database, everyTable);
	return Buffer.concat([...contents, Buffer.from(String(rows?.xml))]);
}

/** Saves the credential of an account, under a name of its own. */
export async function credentialOf(
	{ client, service }: Pick<RunningN8n, 'client' | 'service'>,
	{ apiKey, sessionToken }: Partial<Pick<Account, 'apiKey' | 'sessionToken'>>,
	authentication = 'bearer',
): Promise<SavedCredential> {
	return await client.createCredential('leadSearchApi', `Credential ${randomUUID()}`, {
		baseUrl: service.baseUrl,
		authentication,
		apiKey,
		sessionToken,
	});
}

/** A node that buys leads, unless other parameters are given. */
export function leadSearch(
	parameters: Fields,
	credential?: SavedCredential,
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return {
		name: 'Lead Search',
		type: 'n8n-nodes-lead-search.leadSearch',
		typeVersion: 1,
		parameters: { resource: 'lead', operation: 'buyLeads', ...parameters },
		...(credential && {
			credentials: { leadSearchApi: { id: credential.id, name: credential.name } },
		}),
		...more,
	};
}

/** Gives an agent of a workflow its model and its tools, by the type of the connection. */
export function withTools(
	{ nodes, connections, ...workflow }: Workflow,
	agent: string,
	parts: Readonly<Record<string, readonly WorkflowNode[]>>,
): Workflow {
	const tied = Object.entries(parts).flatMap(([type, tools]) =>
		tools.map(({ name }) => [name, { [type]: [[{ node: agent, type, index: 0 }]] }] as const),
	);
	const added = Object.values(parts).flat();
	return {
		...workflow,
		nodes: [...nodes, ...added.map((tool) => ({ position: [0, 0], ...tool }))],
		connections: { ...connections, ...Object.fromEntries(tied) },
	};
}

function started<T>(value: T | undefined): T {
	if (value === undefined) throw new Error('n8n is not running yet, or did not start');
	return value;
}
