/** Starts the mock service in this process, and n8n and undici in processes of their own. */
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { credentialOf, findInstallation, startSandbox } from '../sandbox/n8n';
import { temporaryFolder } from '../sandbox/paths';
import { leadAt, LOOKUP_PATH, SEARCH_PATH } from '../sandbox/service';
import { until } from '../sandbox/until';
import { subjects, type Case, type Run, type Subject } from './report';
import { createWorkflow } from './workflows';

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** The result of a run. `different` is the number of distinct LinkedIn URLs in the items. */
type Outcome = Omit<Run, 'requests'> & { error?: string; items: number; different: number };

/** 60 texts of 500 characters. */
const longTexts = Object.fromEntries(
	Array.from({ length: 60 }, (_, field) => [
		`text_${field}`,
		`Notes on the company, part ${field}. `.repeat(20).slice(0, 500),
	]),
);

/** Starts all programs of the bench. */
export async function startEnvironment() {
	const folder = await temporaryFolder();
	const outcomeFile = join(folder, 'outcome.json');
	const sandbox = await startSandbox({
		cachesResponses: true,
		env: {
			EXTERNAL_HOOK_FILES: join(__dirname, 'inside.cjs'),
			N8N_CUSTOM_EXTENSIONS: join(__dirname, 'least'),
			// Saving 100,000 items would take most of the time.
			EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
			EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
			BENCH_OUTCOME_FILE: outcomeFile,
		},
	});
	const { client, server } = sandbox;
	const { baseUrl, admin } = sandbox.service;
	// More credits than a whole bench spends.
	const account = admin.createAccount({ apiCredits: 1_000_000_000 });
	const authorization = `Bearer ${account.apiKey}`;
	const header = { name: 'Authorization', value: authorization };
	const credentials = {
		leadSearchApi: await credentialOf(sandbox, account),
		httpHeaderAuth: await client.createCredential('httpHeaderAuth', 'Header', header),
	};
	const active = new Set<string>();

	async function runInN8n(subject: Subject, workload: Case, work: object): Promise<Outcome> {
		const workflow = createWorkflow(subject, workload, credentials);
		const { name } = workflow;
		if (!active.has(name)) await client.activate(await client.createWorkflow(workflow));
		active.add(name);
		await rm(outcomeFile, { force: true });
		// The status is 404 until the webhook is registered, and 503 after work that left n8n no time for its database.
		await until('the webhook responds', async () => {
			const response = await fetch(`${server.url}/webhook/${name}`, {
				method: 'POST',
				// Don't reuse connections, because they can be closed after a long run.
				headers: { 'content-type': 'application/json', connection: 'close' },
				body: JSON.stringify(work),
				// n8n can refuse a request before it has read the whole body. The connection is then lost.
			}).catch(() => undefined);
			if (response === undefined) return false;
			if (![200, 404, 503].includes(response.status)) throw new Error(await response.text());
			return response.ok;
		});
		const read = () => readFile(outcomeFile, 'utf8').catch(() => undefined);
		return JSON.parse(await until('the run ends', read, { timeout: 600_000 })) as Outcome;
	}

	const undici = execa.node(join(__dirname, 'undici.mjs'), [], {
		nodePath: findInstallation().node,
		nodeOptions: ['--expose-gc'],
	});

	async function runUndici(body: object, url: string, pages: number): Promise<Outcome> {
		undici.send({ url, authorization, body, inFlight: 8, pages });
		// If the process ends instead, it rejects with its output.
		const [outcome] = (await Promise.race([once(undici, 'message'), undici])) as [Outcome];
		return outcome;
	}

	return {
		/** Runs a case once. @throws Error if the result is not complete, because dropping leads would be faster */
		async run(subject: Subject, workload: Case): Promise<Run> {
			const { kind, leads, latencyMs, pageSize, isWide } = workload;
			const before = admin.requests().length;
			admin.clearFaults();
			admin.addFault({ kind: 'latency', ms: latencyMs, times: 'always' });
			admin.setBehaviour(account.id, { extraFields: isWide ? longTexts : undefined });
			const length = kind === 'search' ? 0 : leads;
			const inputs = Array.from({ length }, (_, item) =>
				// The mock ignores a filter that the contract doesn't name, so that it responds at once.
				kind === 'lookUp'
					? leadAt(item).linkedin_url
					: JSON.stringify({ company: `Company ${item}` }),
			);
			const url = baseUrl + (kind === 'lookUp' ? LOOKUP_PATH : SEARCH_PATH);
			const searched = { _include_raw: false, max_results: leads, _per_page: pageSize };
			const lookedUp = { linkedinUrls: inputs, onlyWithEmails: false, _per_page: pageSize };
			const body = kind === 'lookUp' ? lookedUp : searched;
			const outcome = await (subject === 'undici'
				? runUndici(body, url, Math.ceil(leads / pageSize))
				: runInN8n(subject, workload, { url, leads, inputs, pageSize }));
			await admin.idle();
			const requests = admin.requests().slice(before);
			const charged = requests.reduce((sum, request) => sum + request.charged, 0);
			const failed = requests.filter(({ status }) => status !== 200).length;
			const { items, different, error = '', ...took } = outcome;
			// All searches for one lead find the same lead.
			const distinct = kind === 'searchPerItem' ? 1 : leads;
			if (failed > 0 || different !== distinct || items !== leads || charged !== leads)
				throw new Error(
					`This run of ${subjects[subject]} is not valid: for ${leads} leads it returned ${items} items ` +
						`(${different} different) for ${charged} credits, and ${failed} requests failed. ${error}`,
				);
			return { ...took, requests: requests.length };
		},
		async stop(): Promise<void> {
			undici.disconnect();
			await sandbox.close();
			await rm(folder, { recursive: true });
		},
	};
}
