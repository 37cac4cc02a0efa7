/** n8n's queue mode for a test file, and searches that run in it. */
import { randomUUID } from 'node:crypto';

import {
	chain,
	N8nClient,
	startQueueMode,
	type QueueMode,
	type QueueModeOptions,
	type SavedCredential,
	type SavedWorkflow,
	type Worker,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import { startService, type LeadService } from '../../sandbox/service';
import { until } from '../../sandbox/until';

/** Queue mode and a lead service; only usable in tests and hooks. */
export interface QueueFixture {
	readonly mode: QueueMode;
	/** Logged in as the owner. */
	readonly client: N8nClient;
	readonly service: LeadService;
}

const startMilliseconds = 600_000;

/**
 * How soon a dead worker is noticed. With n8n's own settings (60, 10 and 30 seconds) the same
 * happens later.
 */
export const quickToNotice = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/** Sets up queue mode before the tests of a file, and takes it down after them. */
export function useQueueMode(options: QueueModeOptions): QueueFixture {
	let service: LeadService | undefined;
	let mode: QueueMode | undefined;
	let fixture: QueueFixture | undefined;
	jest.setTimeout(300_000);

	beforeAll(async () => {
		service = await startService();
		mode = await startQueueMode(options);
		const client = new N8nClient(mode.main.url);
		await client.setupOwner();
		fixture = { service, mode, client };
	}, startMilliseconds);

	afterAll(async () => {
		try {
			await mode?.stop();
		} finally {
			await service?.close();
		}
	}, startMilliseconds);

	function running(): QueueFixture {
		if (fixture === undefined) throw new Error('Queue mode is not up yet, or did not start');
		return fixture;
	}
	return {
		get mode() {
			return running().mode;
		},
		get client() {
			return running().client;
		},
		get service() {
			return running().service;
		},
	};
}

/** What takes long here: n8n notices a dead worker late. */
export const waitLong = { timeout: 120_000, interval: 200 };

/** Waits until an execution of a workflow has succeeded. */
export async function succeeded({ client }: QueueFixture, workflow: SavedWorkflow): Promise<void> {
	await until(
		`an execution of "${workflow.name}" has succeeded`,
		async () => (await client.summaries(workflow)).some(({ status }) => status === 'success'),
		waitLong,
	);
}

/** Prints a line about what is going on. */
export function say(text: string): void {
	process.stdout.write(`  ${text}\n`);
}

/** A node that searches. */
export function searchNode(
	{ id, name }: SavedCredential,
	parameters: Readonly<Record<string, unknown>>,
): WorkflowNode {
	return {
		name: 'Search for leads',
		type: 'n8n-nodes-lead-search.leadSearch',
		typeVersion: 1,
		parameters: { resource: 'lead', operation: 'buyLeads', ...parameters },
		credentials: { leadSearchApi: { id, name } },
	};
}

/** A workflow that a web request starts. */
export interface Hooked {
	readonly workflow: SavedWorkflow;
	/** Starts it; resolves as soon as the execution is in the queue. */
	start(): Promise<void>;
}

/** Publishes a workflow that starts with a webhook, and waits until n8n listens to that. */
export async function publishHooked(
	{ client, mode }: QueueFixture,
	nodes: readonly WorkflowNode[],
): Promise<Hooked> {
	const path = randomUUID();
	const webhook: WorkflowNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
	};
	const workflow = await client.createWorkflow(chain(`Hooked ${path}`, [webhook, ...nodes]));
	await client.activate(workflow);
	const url = `${mode.main.url}/webhook/${path}`;
	// n8n knows the path when it says that another method would do.
	await until(
		'n8n listens to the webhook',
		async () => (await (await fetch(url)).text()).includes('not registered for GET'),
		waitLong,
	);
	return {
		workflow,
		start: async () => {
			const { status } = await fetch(url, { method: 'POST' });
			if (status !== 200) throw new Error(`The webhook answered ${status}`);
		},
	};
}

/** Ends the worker that runs an execution, as if its machine went down. */
export async function killWorkerOf({ mode }: QueueFixture, execution: string): Promise<Worker> {
	for (const worker of mode.workers) {
		if (!(await worker.executions('started')).includes(execution)) continue;
		await worker.kill();
		return worker;
	}
	throw new Error(`No worker has begun execution ${execution}`);
}
