/**
 * Tests n8n's queue mode: concurrent executions on several workers, a Retry on another worker, and an execution whose
 * worker is killed after it has paid for leads.
 */
import { readFile } from 'node:fs/promises';

import { N8nClient, type Fields } from '../../sandbox/n8n/index';
import { leadsChargedTwice, startService, urlsMatching } from '../../sandbox/service';
import type { AccountOptions, LeadService, Limits } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, type RunningN8n } from '../n8n/harness';
import { startLaterNode } from '../n8n/laterNode';
import { openMcpSearch } from '../n8n/mcpSearch';
import { onceAYear, openPolling } from '../n8n/polls';
import { publish } from '../n8n/production';
import { startSlowSearch } from '../n8n/slowSearch';
import { startQueueMode, type QueueMode, type Worker } from './queueMode';

/** Settings with which n8n notices a dead worker soon, in milliseconds. n8n's defaults are 60, 10 and 30 seconds. */
const quickDetection = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

const pageSize = 1_000;

let service: LeadService;
let mode: QueueMode;
let n8n: RunningN8n;

beforeAll(async () => {
	service = await startService();
	mode = await startQueueMode(3, quickDetection);
	n8n = { service, client: new N8nClient(mode.main.url), server: mode.main };
	await n8n.client.setupOwner();
}, 600_000);

afterAll(async () => {
	await mode.stop();
	await service.close();
}, 600_000);

async function open(parameters: Fields, options: AccountOptions) {
	const account = service.admin.createAccount(options);
	const credential = await credentialOf(n8n, account);
	return { account, ...(await publish(n8n, [leadSearch(parameters, credential)])) };
}

async function workersOf(id: string): Promise<Worker[]> {
	const started = await Promise.all(mode.workers.map((worker) => worker.startedExecutions()));
	return mode.workers.filter((_, index) => started[index]?.includes(id));
}

/** Starts executions concurrently, one for each body. Resolves with all executions once they have ended. */
async function runAtOnce(
	{ workflow, post }: Pick<Awaited<ReturnType<typeof open>>, 'workflow' | 'post'>,
	bodies: readonly Fields[],
) {
	await Promise.all(bodies.map(post));
	return await until(
		'all executions have ended',
		async () => {
			const all = await n8n.client.executions(workflow);
			const isUnderWay = all.some(({ status }) => ['new', 'running'].includes(status));
			return !isUnderWay && all.length === bodies.length && all;
		},
		{ interval: 200 },
	);
}

/** Expects that n8n has saved no data of an execution, and that its Retry fails without running a node. */
async function expectUselessRetry(id: string): Promise<void> {
	for (const execution of [await n8n.client.execution(id), await n8n.client.retry(id)]) {
		const message = execution.error?.message;
		expect([message, execution.runs]).toEqual([
			expect.stringContaining('failed to be processed too many times'),
			{},
		]);
	}
}

const countries = ['Germany', 'France', 'Spain', 'Canada', 'Iceland', 'United States'];
/** The lists have 2,000 leads and more. */
const differentSearches = Array.from({ length: 60 }, (_, search) => ({
	countries: countries.filter((_country, index) => ((search + 1) >> index) % 2 === 1),
}));

const rates: Array<[string, Limits, Page: { pageSize?: number }, requests: number]> = [
	['', {}, {}, 1_200],
	[
		' at 10 requests a second',
		{ perSecond: 10, concurrent: 4, retryAfter: true },
		{ pageSize: 1_000 },
		120,
	],
];
test.each(rates)(
	'60 concurrent searches for 2,000 leads%s are shared by the workers, and each is paid for once',
	async (_, limits, options, expectedRequests) => {
		const filters = { personLocationCountry: '={{ $json.body.countries }}' };
		const { account, ...workflow } = await open(
			{ filters, limit: 2_000, options },
			{ apiCredits: 200_000, limits },
		);
		const summaries = await runAtOnce(workflow, differentSearches);
		let delivered = 0;
		const workers = new Set<string>();
		for (const { id, status } of summaries) {
			expect(status).toBe('success');
			delivered += (await n8n.client.waitForExecution(id)).items('Lead Search').length;
			// Each execution ran once, on one worker.
			const [worker, ...others] = await workersOf(id);
			expect(others).toEqual([]);
			workers.add(worker?.name ?? '');
		}
		const requests = service.admin.requests({ account: account.id });
		const refused = requests.filter(({ status }) => status === 429).length;
		expect(workers.size).toBe(3);
		expect(delivered).toBe(120_000);
		expect(account.spent.apiCredits).toBe(120_000);
		// No received page was requested again.
		expect(requests.length - refused).toBe(expectedRequests);
	},
);

describe('A killed worker', () => {
	const filters = { personLocationCountry: 'Germany' };
	let search: Awaited<ReturnType<typeof open>> & { id: string };
	let later: Awaited<ReturnType<typeof startLaterNode>>;

	beforeAll(async () => {
		const options = { parallelPages: 1, pageSize };
		const opened = await open({ filters, limit: 5 * pageSize, options }, { apiCredits: 10_000 });
		const { id: accountId } = opened.account;
		service.admin.addFault({ kind: 'hang', charge: true, account: accountId, page: 3 });
		search = { ...opened, id: await opened.start() };
		await service.admin.waitForRequest(({ account, page }) => account === accountId && page === 3);
		later = await startLaterNode(n8n, true);
		const ids = [search.id, later.id];
		const killed = new Set((await Promise.all(ids.map(workersOf))).flat());
		for (const worker of killed) await worker.kill();
		for (const id of ids) expect((await n8n.client.waitForExecution(id)).status).toBe('error');
		while (mode.workers.length < 3 + killed.size) await mode.addWorker();
	});

	test("a search whose worker is killed isn't run again, its Retry fails for 0 credits, and Skip continues it without paying twice", async () => {
		const { account, id } = search;
		expect(await workersOf(id)).toHaveLength(1);
		await expectUselessRetry(id);
		expect(account.spent.apiCredits).toBe(3 * pageSize);
		const rest = { filters, limit: 2 * pageSize, options: { skip: 3 * pageSize } };
		const credential = await credentialOf(n8n, account);
		const { run } = await publish(n8n, [leadSearch(rest, credential)]);
		expect((await run()).items('Lead Search')).toHaveLength(2 * pageSize);
		expect(leadsChargedTwice(account)).toEqual([]);
	});

	test('the leads of a search are lost if its worker is killed in a later node, even if Save execution progress is on, and its Retry fails for 0 credits', async () => {
		expect(later.spent()).toBe(50);
		await expectUselessRetry(later.id);
		expect(later.spent()).toBe(50);
	});
});

test('a Retry on another worker of a run that stopped at a balance of 60 pays for the other 40 leads', async () => {
	const filters = { personLocationCountry: 'Iceland' };
	const { account, run } = await open(
		{ filters, returnAll: true, options: { pageSize: 25 } },
		{ apiCredits: 60, leads: 100 },
	);
	const stopped = await run();
	expect(stopped.status).toBe('error');
	// The new workers have an empty cache.
	for (const worker of mode.workers) await worker.stop();
	const newWorker = await mode.addWorker();
	service.admin.setCredits(account.id, { apiCredits: 1_000 });
	const retried = await n8n.client.retry(stopped.id);
	expect((await workersOf(retried.id)).map(({ name }) => name)).toEqual([newWorker.name]);
	const urls = retried.items('Lead Search').map(({ json }) => json.linkedin_url);
	expect(urls).toEqual(urlsMatching({ person_location_country: ['Iceland'] }).slice(0, 100));
	expect(account.spent.apiCredits).toBe(100);
});

test('the trigger polls in the main process, and a worker runs the rest of the workflow', async () => {
	const polling = await openPolling(n8n);
	await polling.publish({ times: onceAYear });
	await polling.untilDelivered(1);
	expect(polling.charged()).toEqual([1]);
	const isIn = async ({ logFile }: { logFile: string }) =>
		(await readFile(logFile, 'utf8')).includes('Lead Search Trigger: ');
	expect(await isIn(mode.main)).toBe(true);
	expect(await Promise.all(mode.workers.map(isIn))).not.toContain(true);
	const [id = ''] = await polling.executions();
	expect(await workersOf(id)).toHaveLength(1);
});

test('a worker that receives a stop signal finishes its search, and n8n saves the leads', async () => {
	const { id, account } = await startSlowSearch(n8n, 4);
	const [stopped] = await workersOf(id);
	await stopped?.stop();
	const { status, items } = await n8n.client.waitForExecution(id);
	expect([status, items('Lead Search').length]).toEqual(['success', 100]);
	expect(account.spent.apiCredits).toBe(100);
	await mode.addWorker();
});

test('a search that is longer than the graceful shutdown of its worker buys until then, its leads are lost, and a Retry fails for 0 credits', async () => {
	// Only a worker notices that another worker is dead.
	await mode.addWorker();
	const { id, charged, before } = await startSlowSearch(n8n, 20);
	const [stopped] = await workersOf(id);
	await stopped?.stop();
	const { status, runs } = await n8n.client.waitForExecution(id);
	expect({ status, runs }).toEqual({ status: 'error', runs: {} });
	const lost = charged();
	expect(lost).toBeGreaterThan(before + 1);
	expect(lost).toBeLessThan(20);
	expect(await workersOf(id)).toHaveLength(1);
	await expectUselessRetry(id);
	expect(charged()).toBe(lost);
});

test('concurrent MCP calls for the same 20 leads cost 20 credits per worker, even above the Credit Ceiling', async () => {
	await mode.addWorker();
	const { call, spent } = await openMcpSearch(n8n, { limit: 20, creditCeiling: 30 });
	const countStarted = async () => {
		const started = await Promise.all(mode.workers.map((worker) => worker.startedExecutions()));
		return started.map(({ length }) => length);
	};
	const before = await countStarted();
	const responses = await Promise.all(Array.from({ length: 8 }, () => call('Iceland')));
	expect(responses.map(({ length }) => length)).toEqual(Array(8).fill(20));
	const after = await countStarted();
	const { length } = after.filter((count, index) => count > (before[index] ?? 0));
	expect(length).toBeGreaterThan(1);
	expect(spent()).toBe(20 * length);
});
