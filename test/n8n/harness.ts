import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { chain, N8nClient, node, startN8n, startSandbox } from '../../sandbox/n8n/index';
import type { N8n, Sandbox, SandboxOptions, Workflow, WorkflowNode } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';

export { credentialOf, leadSearch } from '../../sandbox/n8n/index';

/** A mock service, an n8n, and a client that is logged in to n8n as its owner. */
export type RunningN8n = Pick<Sandbox, 'client' | 'server' | 'service'>;

export interface TestN8n extends RunningN8n {
	/** The stand-ins for CRMs, if the test file uses them. */
	readonly crms: Sandbox['crms'];
	/** Returns everything that n8n has saved so far, with the database's rows as XML. Tests search it for secrets. */
	everythingSaved(): Promise<Buffer>;
	/** Ends n8n and starts it again with the same data. It replaces `client` and `server`. */
	restart(): Promise<void>;
}

/**
 * Starts a mock service and an n8n for the tests and hooks of a test file. Call it once, at the top of the file or of a
 * `describe`.
 *
 * @param env settings for n8n in addition to the usual ones
 */
export function useN8n(env: SandboxOptions['env'] = {}, options: SandboxOptions = {}): TestN8n {
	const n8n = {} as TestN8n & Sandbox;
	let restarts = 0;
	const stops: Array<() => Promise<unknown>> = [];
	beforeAll(async () => {
		Object.assign(n8n, await startSandbox({ env, ...options }));
		stops.push(() => n8n.server.stop(), n8n.close);
	});
	afterAll(async () => {
		for (const stop of stops) await stop();
	});
	return Object.assign(n8n, {
		everythingSaved: () => everythingSavedBy(n8n.server),
		async restart() {
			const { userFolder, logFile, stop } = n8n.server;
			await stop();
			restarts += 1;
			// The next n8n starts a new log, and `everythingSaved` must include this one, too.
			await rename(logFile, join(userFolder, `n8n-before-restart-${restarts}.log`));
			const server = await startN8n({ ...options, env: { ...n8n.crms?.env, ...env }, userFolder });
			Object.assign(n8n, { server, client: new N8nClient(server.url) });
			await n8n.client.logIn();
		},
	});
}

/** The folders that no run writes to: the package itself, n8n's files for browsers, and the database's files. */
const notSaved = /(^|[\\/])(nodes|\.cache|postgres)([\\/]|$)/;

async function everythingSavedBy({ userFolder, database }: N8n): Promise<Buffer> {
	const paths = await readdir(userFolder, { recursive: true });
	const saved = paths.filter((path) => !notSaved.test(path)).map((path) => join(userFolder, path));
	// Folders can't be read, and log files and temporary files may be removed meanwhile.
	const contents = await Promise.all(
		saved.map((path) => readFile(path).catch(() => Buffer.alloc(0))),
	);
	const everyTable = "SELECT schema_to_xml('public', true, false, '')::text AS xml";
	const [rows] = await query(database, everyTable);
	return Buffer.concat([...contents, Buffer.from(String(rows?.xml))]);
}

/** Creates a workflow of nodes one after the other, and of a loop in which `body` gets one item of the last node at a time. */
export function looped(
	name: string,
	before: readonly WorkflowNode[],
	body: WorkflowNode,
): Workflow {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
	const { connections, ...workflow } = chain(name, [...before, loop, body]);
	const to = (next: string) => [{ node: next, type: 'main', index: 0 }];
	// All outputs lead back to the loop, including the error output.
	const back = body.onError === 'continueErrorOutput' ? [to('Loop'), to('Loop')] : [to('Loop')];
	const newConnections = { Loop: { main: [[], to(body.name)] }, [body.name]: { main: back } };
	return { ...workflow, connections: { ...connections, ...newConnections } };
}

/** Connects an agent of a workflow with its model and its tools, by the type of the connection. */
export function withTools(
	{ nodes, connections, ...workflow }: Workflow,
	agent: string,
	parts: Readonly<Record<string, readonly WorkflowNode[]>>,
): Workflow {
	const newConnections = Object.entries(parts).flatMap(([type, tools]) =>
		tools.map(({ name }) => [name, { [type]: [[{ node: agent, type, index: 0 }]] }] as const),
	);
	const added = Object.values(parts).flat();
	return {
		...workflow,
		nodes: [...nodes, ...added.map((tool) => ({ position: [0, 0], ...tool }))],
		connections: { ...connections, ...Object.fromEntries(newConnections) },
	};
}
