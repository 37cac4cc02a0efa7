import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { chain, N8nClient, node, startN8n, startSandbox } from '../../sandbox/n8n/index';
import type { N8n, Sandbox, SandboxOptions, Workflow, WorkflowNode } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';

export { credentialOf, leadSearch } from '../../sandbox/n8n/index';

/** A lead service, the n8n itself, and a client that is logged in to it as its owner. */
export type RunningN8n = Pick<Sandbox, 'client' | 'server' | 'service'>;

export interface TestN8n extends RunningN8n {
	/** The stand-ins for CRMs, if a test has asked for them. */
	readonly crms: Sandbox['crms'];
	/** Everything that n8n has written so far, with the database's rows as XML. Tests search it for secrets. */
	everythingSaved(): Promise<Buffer>;
	/** Ends n8n and starts it again with the same data; `client` and `server` are others then. */
	restart(): Promise<void>;
}

/**
 * Gives a test file a lead service and an n8n of its own, for its tests and hooks. Call it once, at
 * the top of the file or of a `describe`.
 * @param env settings for n8n in addition to the usual ones.
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
			// The next one starts a new log, and `everythingSaved` is about this one too.
			await rename(logFile, join(userFolder, `n8n-before-restart-${restarts}.log`));
			const server = await startN8n({ ...options, env: { ...n8n.crms?.env, ...env }, userFolder });
			Object.assign(n8n, { server, client: new N8nClient(server.url) });
			await n8n.client.logIn();
		},
	});
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

/** Nodes one after the other, and a loop over the items of the last, of which a node gets one at a time. */
export function looped(
	name: string,
	before: readonly WorkflowNode[],
	body: WorkflowNode,
): Workflow {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
	const { connections, ...workflow } = chain(name, [...before, loop, body]);
	const to = (next: string) => [{ node: next, type: 'main', index: 0 }];
	// The leads of all outputs, the error output included.
	const back = body.onError === 'continueErrorOutput' ? [to('Loop'), to('Loop')] : [to('Loop')];
	const tied = { Loop: { main: [[], to(body.name)] }, [body.name]: { main: back } };
	return { ...workflow, connections: { ...connections, ...tied } };
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
