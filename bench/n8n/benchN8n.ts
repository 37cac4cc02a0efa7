import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { request } from 'undici';

import { createUserFolder, N8nClient, packPackage, startN8n, type N8n } from '../../sandbox/n8n';
import { until } from '../../sandbox/until';
import type { BenchService } from '../service';
import type { Work } from '../work';
import { Probe, type RunReport } from './probe';
import {
	entryOf,
	orderFor,
	type Batching,
	type Entry,
	type NodeContestant,
	type Setup,
} from './workflows';

const owner = { email: 'owner@example.com', password: 'Lead-search-1' };
/** Milliseconds that a run may take. */
const longestRun = 300_000;

/** A real n8n with the packed package in it, and the workflows of the bench. */
export class BenchN8n {
	private readonly entries = new Map<string, Entry>();
	private n8n: N8n | undefined;
	private probe: Probe | undefined;
	private client: N8nClient | undefined;
	private setup: Omit<Setup, 'batching'> | undefined;

	/** @param folder for n8n's data; it is made anew. */
	constructor(
		private readonly folder: string,
		private readonly service: BenchService,
	) {}

	/** Installs the package and starts n8n; the owner and the credentials are made. */
	async start(): Promise<void> {
		await rm(this.folder, { recursive: true, force: true });
		await mkdir(this.folder, { recursive: true });
		await createUserFolder(this.folder, await packPackage(this.folder));
		const client = await this.launch();
		await client.setupOwner(owner);
		const { baseUrl, apiKey } = this.service;
		this.setup = {
			baseUrl,
			leadSearch: await client.createCredential('leadSearchApi', 'Lead Search', {
				baseUrl,
				authentication: 'bearer',
				apiKey,
			}),
			headerAuth: await client.createCredential('httpHeaderAuth', 'Header Auth', {
				name: 'Authorization',
				value: `Bearer ${apiKey}`,
			}),
		};
	}

	/** Ends this n8n and starts another one in the same folder: nothing is left in its memory. */
	async restart(): Promise<void> {
		await this.stop();
		const client = await this.launch();
		await client.logIn(owner);
	}

	async stop(): Promise<void> {
		await this.n8n?.stop();
		this.n8n = undefined;
	}

	/** Has a contestant do some work, in a process that has been settled. */
	async run(
		contestant: NodeContestant,
		work: Work,
		urls: readonly string[],
		batching: Batching,
	): Promise<RunReport & { readonly counted: readonly [string, ...string[]] }> {
		const entry = await this.entry(contestant, work.kind, batching);
		await this.trigger(entry.path, orderFor(work, urls));
		return { ...(await need(this.probe).nextRun(longestRun)), counted: entry.nodes };
	}

	/**
	 * Webhooks answer 404 until n8n has got them ready, a moment after it was started or told, and 503
	 * after work during which n8n had no time to look after its database.
	 */
	private async trigger(path: string, order: object): Promise<void> {
		await until('n8n takes what comes to the webhook', async () => {
			const { statusCode, body } = await request(`${this.running().url}/webhook/${path}`, {
				method: 'POST',
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

	/** What sees into the running n8n. */
	get inside(): Probe {
		return need(this.probe);
	}

	private async entry(
		contestant: NodeContestant,
		kind: Work['kind'],
		batching: Batching,
	): Promise<Entry> {
		const key = [
			contestant,
			kind,
			JSON.stringify(contestant === 'httpRequest' && batching),
		].join();
		const known = this.entries.get(key);
		if (known !== undefined) return known;
		const setup = { ...need(this.setup), batching };
		const path = `${contestant}-${kind}-${this.entries.size}`;
		const entry = entryOf(contestant, kind, setup, path);
		const client = need(this.client);
		await client.activate(await client.createWorkflow(entry.workflow));
		this.entries.set(key, entry);
		return entry;
	}

	private async launch(): Promise<N8nClient> {
		const file = join(this.folder, 'probe-address');
		await rm(file, { force: true });
		this.n8n = await startN8n({
			userFolder: this.folder,
			env: {
				EXTERNAL_HOOK_FILES: join(__dirname, 'inside.cjs'),
				N8N_CUSTOM_EXTENSIONS: join(__dirname, 'nodes'),
				BENCH_PROBE_FILE: file,
			},
		});
		this.probe = await Probe.find(file);
		this.client = new N8nClient(this.n8n.url);
		return this.client;
	}

	private running(): N8n {
		return need(this.n8n);
	}
}

function need<T>(value: T | undefined): T {
	if (value === undefined) throw new Error('n8n has not been started');
	return value;
}
