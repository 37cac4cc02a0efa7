import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { request } from 'undici';

import { createUserFolder, N8nClient, packPackage, startN8n } from '../../sandbox/n8n';
import { until } from '../../sandbox/until';
import type { Case } from '../cases';
import { entryOf, type Setup, type Worker } from './workflows';

/** What a run took, and what came out of it. */
export interface Work {
	readonly milliseconds: number;
	readonly items: number;
	/** Different LinkedIn URLs among the items. */
	readonly leads: number;
	/** Bytes above what n8n had before, at the peak and in the end; where the system tells. */
	readonly memory?: { readonly peak: number; readonly held: number };
}

/** A run of a workflow that has ended, as `inside.cjs` saw it. */
interface Report extends Pick<Work, 'memory'> {
	readonly status: string;
	readonly error?: string;
	/** Of each node n8n's own `executionTime`, and the items of the first output. */
	readonly nodes: ReadonlyArray<Omit<Work, 'memory'> & { readonly name: string }>;
}

/** How to start the n8n of the bench. */
export interface N8nOptions {
	/** For n8n's data; it is made anew. */
	readonly folder: string;
	readonly baseUrl: string;
	readonly apiKey: string;
	/** The `dist` folder of another build of the node. */
	readonly baseline: string | undefined;
	/** Folder for a profile of n8n's processor time in each run. */
	readonly profiles: string | undefined;
}

const longestRun = { timeout: 600_000 };

/**
 * Starts a real n8n with the packed package in it; the owner and the credentials are made, the
 * workflows of the bench when they are run.
 */
export async function startBenchN8n(options: N8nOptions) {
	const { folder, baseline, profiles, baseUrl, apiKey } = options;
	const custom = join(folder, 'custom');
	const reportFile = join(folder, 'report.json');
	await rm(folder, { recursive: true, force: true });
	await mkdir(custom, { recursive: true });
	await createUserFolder(folder, await packPackage(folder));
	// n8n loads the nodes that it finds there, another build's node as CUSTOM.leadSearch.
	await cp(join(__dirname, 'PlainLoop.node.js'), join(custom, 'PlainLoop.node.js'));
	if (baseline !== undefined)
		await cp(join(baseline, 'nodes'), join(custom, 'nodes'), { recursive: true });
	const n8n = await startN8n({
		userFolder: folder,
		env: {
			EXTERNAL_HOOK_FILES: join(__dirname, 'inside.cjs'),
			N8N_CUSTOM_EXTENSIONS: custom,
			BENCH_REPORT_FILE: reportFile,
			...(profiles && { BENCH_PROFILES: profiles }),
		},
	});
	const client = new N8nClient(n8n.url);
	await client.setupOwner();
	const access = { baseUrl, apiKey, authentication: 'bearer' };
	const header = { name: 'Authorization', value: `Bearer ${apiKey}` };
	const setup: Setup = {
		baseUrl,
		leadSearchApi: await client.createCredential('leadSearchApi', 'Lead Search', access),
		httpHeaderAuth: await client.createCredential('httpHeaderAuth', 'Header', header),
	};
	const active = new Set<string>();

	return {
		/**
		 * Has a subject do some work.
		 * @throws Error when the workflow fails
		 */
		async run(subject: Worker, { kind, leads }: Case, urls: readonly string[]): Promise<Work> {
			const { path, nodes: counted, workflow } = entryOf(subject, kind, setup);
			if (!active.has(path)) await client.activate(await client.createWorkflow(workflow));
			active.add(path);
			await rm(reportFile, { force: true });
			await trigger(`${n8n.url}/webhook/${path}`, { leads, urls });
			const read = () => readFile(reportFile, 'utf8').catch(() => undefined);
			const report = JSON.parse(await until('the run ends', read, longestRun)) as Report;
			const nodes = report.nodes.filter(({ name }) => counted.includes(name));
			const last = nodes.at(-1);
			if (report.status !== 'success' || last === undefined)
				throw new Error(`The workflow ended with ${report.status}: ${report.error ?? ''}`);
			const milliseconds = nodes.reduce((sum, node) => sum + node.milliseconds, 0);
			return { milliseconds, items: last.items, leads: last.leads, memory: report.memory };
		},
		stop: () => n8n.stop(),
	};
}

/**
 * Webhooks answer 404 until n8n has got them ready, a moment after it was started or told, and 503
 * after work during which n8n had no time to look after its database.
 */
async function trigger(url: string, order: object): Promise<void> {
	await until('n8n takes what comes to the webhook', async () => {
		const { statusCode, body } = await request(url, {
			method: 'POST',
			// No connection is kept, so that none is found closed after a long run.
			reset: true,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(order),
		});
		const answer = await body.text();
		if ([404, 503].includes(statusCode)) return false;
		if (statusCode === 200) return true;
		throw new Error(`The webhook answered ${statusCode}: ${answer}`);
	});
}
