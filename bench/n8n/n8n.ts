import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createUserFolder, N8nClient, packPackage, startN8n } from '../../sandbox/n8n';
import { until } from '../../sandbox/until';
import type { Case } from '../cases';
import type { Outcome } from '../figures';
import { workflowOf, type Worker } from './workflows';

/** How to start the n8n of the bench. */
export interface N8nOptions {
	/** For n8n's data; it is made anew. */
	readonly folder: string;
	/** The `dist` folder of another build of the node. */
	readonly baseline?: string;
	/** Folder for a profile of n8n's processor time in each run. */
	readonly profiles?: string;
}

/**
 * Starts a real n8n with the packed package in it; the owner and the credentials are made, the
 * workflows of the bench when they are run.
 */
export async function startBenchN8n(
	{ folder, baseline, profiles }: N8nOptions,
	{ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
) {
	const reportFile = join(folder, 'report.json');
	await rm(folder, { recursive: true, force: true });
	await createUserFolder(folder, await packPackage(folder));
	const n8n = await startN8n({
		userFolder: folder,
		env: {
			EXTERNAL_HOOK_FILES: join(__dirname, 'inside.cjs'),
			// n8n takes one folder: Plain Loop's here, or another build's, whose node is CUSTOM.leadSearch.
			N8N_CUSTOM_EXTENSIONS: baseline === undefined ? __dirname : join(baseline, 'nodes'),
			// Saving 100,000 items would be most of the work.
			EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
			EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
			BENCH_REPORT_FILE: reportFile,
			...(profiles && { BENCH_PROFILES: profiles }),
		},
	});
	const client = new N8nClient(n8n.url);
	await client.setupOwner();
	const access = { baseUrl, apiKey, authentication: 'bearer' };
	const header = { name: 'Authorization', value: `Bearer ${apiKey}` };
	const credentials = {
		leadSearchApi: await client.createCredential('leadSearchApi', 'Lead Search', access),
		httpHeaderAuth: await client.createCredential('httpHeaderAuth', 'Header', header),
	};
	const active = new Set<string>();

	return {
		/**
		 * Has a subject do some work.
		 * @throws Error when the workflow fails
		 */
		async run(subject: Worker, { kind, leads }: Case, urls: readonly string[]) {
			const workflow = workflowOf(subject, kind, baseUrl, credentials);
			const { name } = workflow;
			if (!active.has(name)) await client.activate(await client.createWorkflow(workflow));
			active.add(name);
			await rm(reportFile, { force: true });
			// 404 until n8n has got it ready, 503 after work that left n8n no time for its database.
			await until('n8n takes what comes to the webhook', async () => {
				const answer = await fetch(`${n8n.url}/webhook/${name}`, {
					method: 'POST',
					// No connection is kept, so that none is found closed after a long run.
					headers: { 'content-type': 'application/json', connection: 'close' },
					body: JSON.stringify({ leads, urls }),
				});
				return answer.ok;
			});
			const read = () => readFile(reportFile, 'utf8').catch(() => undefined);
			const report = await until('the run ends', read, { timeout: 600_000 });
			const { error, ...outcome } = JSON.parse(report) as Outcome & { error?: string };
			if (error !== undefined) throw new Error(`The workflow failed: ${error}`);
			return outcome;
		},
		stop: () => n8n.stop(),
	};
}
