/**
 * Promise 4 between runs, in a real n8n: what was paid for is not paid for again. The ledger of the
 * service decides, whatever the node says.
 */
import { randomUUID } from 'node:crypto';

import {
	chain,
	manualTrigger,
	type Execution,
	type RunOptions,
	type SavedWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import {
	leadsChargedTwice,
	startService,
	urlsMatching,
	type Account,
	type AccountOptions,
	type LeadService,
} from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, useN8n } from './harness';

// At this level the log has the most to tell, so it is the one to search for a key.
const n8n = useN8n({ N8N_LOG_LEVEL: 'debug' });
const nodeName = 'Lead Search';
const country = 'Iceland';
const people = urlsMatching({ person_location_country: [country] });
const costOf50 = expect.stringMatching(
	/^50 leads for 50 credits, 1 request; \d+ with an email$/,
) as string;
const spent25 = 'Max Credits per Execution (25 credits) is spent, so nothing was fetched';

let service: LeadService;
/** Those whose key must be nowhere in what n8n has written. */
const accounts: Account[] = [];

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

type Parameters = Readonly<Record<string, unknown>>;

/** Somebody with an account and the credential for it. */
async function open(options: AccountOptions = {}) {
	const account = service.admin.createAccount({ apiKey: `key-${randomUUID()}`, ...options });
	accounts.push(account);
	const { id, name } = await credentialOf(n8n.client, service, account);
	return {
		account,
		requests: () => service.admin.requests({ account: account.id }).length,
		topUp: () => service.admin.setCredits(account.id, { apiCredits: 10_000 }),
		search: (parameters: Parameters = {}, more: Partial<WorkflowNode> = {}): WorkflowNode => ({
			name: nodeName,
			type: 'n8n-nodes-lead-search.leadSearch',
			typeVersion: 1,
			parameters: {
				resource: 'lead',
				operation: 'buyLeads',
				filters: { personLocationCountry: country },
				...parameters,
			},
			credentials: { leadSearchApi: { id, name } },
			...more,
		}),
	};
}

type Buyer = Awaited<ReturnType<typeof open>>;

/** All that a balance of 60 gets of 100 leads, under an On Error setting. */
async function openRunOut(onError = 'stopWorkflow') {
	const buyer = await open({ apiCredits: 60, leads: 100 });
	const workflow = await publish([
		buyer.search({ returnAll: true, options: { pageSize: 25 } }, { onError }),
	]);
	const stopped = await produce(workflow);
	expect(buyer.account.spent.apiCredits).toBe(60);
	return { buyer, workflow, stopped };
}

/** The whole list came out, and each of its 100 leads was paid for once over all runs. */
function expectWholeListOnce(execution: Execution, { account }: Buyer): void {
	expect(execution.status).toBe('success');
	expect(urlsOf(execution)).toEqual(people.slice(0, 100));
	expect(account.spent.apiCredits).toBe(100);
	expect(leadsChargedTwice(account)).toEqual([]);
}

const urlsOf = (execution: Execution) =>
	execution.items(nodeName).map(({ json }) => json.linkedin_url);

const jsonOf = (execution: Execution) => execution.items(nodeName).map(({ json }) => json);

const infosOf = (execution: Execution) =>
	execution
		.node(nodeName)
		.hints.filter(({ type }) => type === 'info')
		.map(({ message }) => message);

function webhook(): WorkflowNode {
	const path = randomUUID();
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, options: {} },
	};
}

/** Saves and publishes a workflow that a webhook starts, as in production. */
async function publish(nodes: readonly WorkflowNode[]): Promise<SavedWorkflow> {
	return await publishWorkflow(chain('Production', [webhook(), ...nodes]));
}

async function publishWorkflow(workflow: Workflow): Promise<SavedWorkflow> {
	const saved = await n8n.client.createWorkflow(workflow);
	await n8n.client.activate(saved);
	return saved;
}

/** Starts a published workflow by its webhook, and waits until the execution has ended. */
async function produce(workflow: SavedWorkflow): Promise<Execution> {
	const before = await n8n.client.executions(workflow);
	const path = workflow.nodes.find(({ name }) => name === 'Webhook')?.parameters.path as string;
	await until('the webhook is there', async () => {
		const response = await fetch(`${n8n.server.url}/webhook/${path}`);
		await response.text();
		return response.ok;
	});
	const id = await until('the webhook has started an execution', async () =>
		(await n8n.client.executions(workflow)).find((known) => !before.includes(known)),
	);
	return await n8n.client.waitForExecution(id);
}

test('Retry On Fail: 5,000 leads, the fourth request answered with 502, cost 5,000 credits', async () => {
	const buyer = await open();
	service.admin.addFault({
		kind: 'status',
		status: 502,
		nthRequest: 4,
		account: buyer.account.id,
	});
	const workflow = await publish([
		buyer.search(
			{ filters: {}, limit: 5_000, options: { pageSize: 1_000, maxRetries: 0 } },
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
		),
	]);
	const execution = await produce(workflow);
	expect(execution.status).toBe('success');
	expect(execution.items(nodeName)).toHaveLength(5_000);
	expect(new Set(urlsOf(execution)).size).toBe(5_000);
	expect(buyer.account.spent.apiCredits).toBe(5_000);
	expect(leadsChargedTwice(buyer.account)).toEqual([]);
	expect(infosOf(execution)).toContainEqual(
		expect.stringMatching(/^[34],000 of 5,000 leads were paid for earlier in this execution/),
	);
});

describe('With 60 credits for 100 leads, and a top-up', () => {
	const retries = [
		['as it was then', { loadWorkflow: false }],
		['as it is saved now', { loadWorkflow: true }],
	] as const;

	test.each(retries)('Retry with the workflow %s gets the rest', async (_, how) => {
		const { buyer, stopped } = await openRunOut();
		expect(stopped.status).toBe('error');
		expect(stopped.error?.description).toContain(
			'Your 60 leads are kept for 60 minutes. Run again (or Retry under Executions): you pay only for the rest.',
		);
		buyer.topUp();
		expectWholeListOnce(await n8n.client.retry(stopped.id, how), buyer);
	});

	test('Retry of a run by hand gets the rest', async () => {
		const buyer = await open({ apiCredits: 60, leads: 100 });
		const stopped = await n8n.client.execute(
			chain('By hand', [manualTrigger, buyer.search({ returnAll: true })]),
		);
		expect(stopped.status).toBe('error');
		buyer.topUp();
		expectWholeListOnce(await n8n.client.retry(stopped.id), buyer);
	});

	test('Retry of a Retry that stopped too gets the rest', async () => {
		const { buyer, stopped } = await openRunOut();
		service.admin.setCredits(buyer.account.id, { apiCredits: 30 });
		const again = await n8n.client.retry(stopped.id);
		expect(again.status).toBe('error');
		expect(again.error?.message).toContain('90 leads fetched');
		buyer.topUp();
		expectWholeListOnce(await n8n.client.retry(again.id), buyer);
	});

	test.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'])(
		'the next execution gets the rest (On Error: %s)',
		async (onError) => {
			const { buyer, workflow, stopped } = await openRunOut(onError);
			expect(stopped.status).toBe(onError === 'stopWorkflow' ? 'error' : 'success');
			buyer.topUp();
			const execution = await produce(workflow);
			expectWholeListOnce(execution, buyer);
			expect(infosOf(execution)).toContainEqual(
				expect.stringContaining('60 of 100 leads were paid for less than a minute ago'),
			);
		},
	);

	test('after a restart of n8n, both kinds of Retry get the rest', async () => {
		const runs = [];
		for (const [, how] of retries) runs.push({ how, ...(await openRunOut()) });
		// The leads are in the execution's data by now; the key with which they were bought is not.
		const saved = await n8n.everythingSaved();
		expect(saved.includes('paidResults')).toBe(true);
		expectNoKeyIn(saved);

		await n8n.restart();
		for (const { how, buyer, stopped } of runs) {
			buyer.topUp();
			expectWholeListOnce(await n8n.client.retry(stopped.id, how), buyer);
		}
	}, 180_000);
});

describe('Execute Step', () => {
	/** A workflow that is run by hand up to the node, with another Limit if given. */
	async function openStep(limit: number) {
		const buyer = await open();
		const steps = (rows: number) =>
			chain('By hand', [manualTrigger, buyer.search({ limit: rows }, { id: nodeId })]);
		const nodeId = randomUUID();
		const workflow = await n8n.client.createWorkflow(steps(limit));
		const setLimit = async (rows: number) =>
			await n8n.client.updateWorkflow(workflow.id, steps(rows));
		const run = async (options?: RunOptions) =>
			await n8n.client.waitForExecution(await n8n.client.run(workflow, options));
		/** As the editor does while it shows an earlier execution, whose trigger isn't run again. */
		const executeStep = async (shown?: Execution) =>
			await run({ upTo: nodeName, ...(shown && { after: shown.id }) });
		return { buyer, setLimit, run, executeStep };
	}

	test('a second time sends no request, shows the same items and says that they cost nothing', async () => {
		const { buyer, executeStep } = await openStep(50);
		const first = await executeStep();
		expect(infosOf(first)).toEqual([costOf50]);
		expect(first.items(nodeName)).toHaveLength(50);
		const requests = buyer.requests();

		const second = await executeStep(first);
		expect(second.status).toBe('success');
		expect(jsonOf(second)).toEqual(jsonOf(first));
		expect(buyer.requests()).toBe(requests);
		expect(buyer.account.spent.apiCredits).toBe(50);
		expect(infosOf(second)).toEqual([
			expect.stringMatching(/^50 leads for 0 credits, 0 requests; \d+ with an email$/),
			expect.stringMatching(/^All 50 leads were paid for .* and cost nothing now\./),
		]);
	});

	test('Limit 50, then 80, cost 80 credits', async () => {
		const { buyer, executeStep, setLimit } = await openStep(50);
		const first = await executeStep();
		await setLimit(80);
		const second = await executeStep(first);
		expect(urlsOf(second)).toEqual(people.slice(0, 80));
		expect(buyer.account.spent.apiCredits).toBe(80);
		expect(leadsChargedTwice(buyer.account)).toEqual([]);
	});

	test('before or after Execute Workflow, the two cost what one costs', async () => {
		const { buyer, run, executeStep } = await openStep(20);
		await executeStep(await run());
		await run();
		expect(buyer.account.spent.apiCredits).toBe(20);
		expect(buyer.requests()).toBe(1);
	});
});

describe('Loop Over Items, five of them', () => {
	const countries = ['Iceland', 'Germany', 'France', 'Spain', 'Canada'];

	/** Webhook, five items, a loop over them with the search in it, and what is done after it. */
	function loop(search: WorkflowNode): Workflow {
		const items: WorkflowNode = {
			name: 'Five items',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: {
				jsCode: `return ${JSON.stringify(countries)}.map((country) => ({ json: { country } }));`,
			},
		};
		const over: WorkflowNode = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { options: {} },
		};
		const done: WorkflowNode = {
			name: 'Done',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			parameters: {},
		};
		const before = chain('Loop', [webhook(), items, over]);
		const to = (node: string) => [{ node, type: 'main', index: 0 }];
		return {
			...before,
			nodes: [...before.nodes, search, done],
			connections: {
				...before.connections,
				[over.name]: { main: [to(done.name), to(search.name)] },
				// Whatever comes out of it, with an error output too, leads to the next item.
				[search.name]: { main: [to(over.name), to(over.name)] },
			},
		};
	}

	const each = { filters: { personLocationCountry: '={{ $json.country }}' }, limit: 10 };

	test('a maximum of 25 credits holds for all of them: the node fails aloud', async () => {
		const buyer = await open();
		const search = buyer.search({ ...each, options: { maxCredits: 25 } });
		const execution = await produce(await publishWorkflow(loop(search)));
		expect(buyer.account.spent.apiCredits).toBe(25);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toBe(spent25);
		expect(Object.values(await n8n.client.customData(execution.id))).toEqual([
			expect.stringContaining('25 leads for 25 credits'),
		]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'])(
		'a maximum of 25 credits holds for all of them, and Done is reached (On Error: %s)',
		async (onError) => {
			const buyer = await open();
			const search = buyer.search({ ...each, options: { maxCredits: 25 } }, { onError });
			const execution = await produce(await publishWorkflow(loop(search)));
			expect(buyer.account.spent.apiCredits).toBe(25);
			expect(execution.status).toBe('success');
			expect(execution.runs[nodeName]).toHaveLength(5);
			const done = execution.items('Done').map(({ json }) => json);
			expect(done.filter(({ linkedin_url }) => linkedin_url !== undefined)).toHaveLength(25);
			expect(done.filter(({ error }) => error !== undefined)).toEqual([
				expect.objectContaining({
					error: spent25,
				}),
				expect.objectContaining({
					error: spent25,
				}),
			]);
		},
	);

	test('the same search five times costs 10 credits and gives 50 items', async () => {
		const buyer = await open();
		const execution = await produce(await publishWorkflow(loop(buyer.search({ limit: 10 }))));
		expect(execution.status).toBe('success');
		expect(execution.items('Done')).toHaveLength(50);
		expect(buyer.account.spent.apiCredits).toBe(10);
		expect(buyer.requests()).toBe(1);
		expect(Object.values(await n8n.client.customData(execution.id))).toEqual([
			'50 leads for 10 credits, 1 request',
		]);
	});
});

test('two production runs that went well both pay', async () => {
	const buyer = await open();
	const workflow = await publish([buyer.search({ limit: 50 })]);
	const first = await produce(workflow);
	const second = await produce(workflow);
	expect(urlsOf(second)).toEqual(urlsOf(first));
	expect(buyer.account.spent.apiCredits).toBe(100);
	expect(infosOf(second)).toEqual([costOf50]);
});

describe('The custom data of an execution', () => {
	const nodeId = '0f8e4a52-3b1c-4c8e-9a51-7d2f6b9c0e13';
	const key = `lead_search_credits_${nodeId.replaceAll('-', '_')}`.slice(0, 50);

	test('holds what it cost', async () => {
		const buyer = await open();
		const workflow = await publish([buyer.search({ limit: 50 }, { id: nodeId })]);
		const customData = await n8n.client.customData((await produce(workflow)).id);
		expect(customData).toEqual({ [key]: '50 leads for 50 credits, 1 request' });
	});

	test.each(['stopWorkflow', 'continueErrorOutput'])(
		'holds what it cost on failure too (On Error: %s)',
		async (onError) => {
			const buyer = await open({ apiCredits: 60 });
			const workflow = await publish([
				buyer.search(
					{ returnAll: true, options: { pageSize: 25 } },
					{ id: nodeId, onError },
				),
			]);
			const stopped = await produce(workflow);
			expect(await n8n.client.customData(stopped.id)).toEqual({
				[key]: expect.stringMatching(/^60 leads for 60 credits, \d requests$/) as string,
			});
			if (onError !== 'stopWorkflow') return;

			// n8n brings it along into the Retry, which has a cost of its own.
			service.admin.setCredits(buyer.account.id, { apiCredits: 5 });
			const retried = await n8n.client.retry(stopped.id);
			expect(await n8n.client.customData(retried.id)).toEqual({
				[key]: expect.stringMatching(/ for 5 credits, \d requests?$/) as string,
			});
		},
	);

	test('keeps both costs apart when two nodes search', async () => {
		const buyer = await open();
		const workflow = await publish([
			buyer.search({ limit: 1 }, { name: 'One' }),
			buyer.search({ limit: 2 }),
		]);
		const customData = await n8n.client.customData((await produce(workflow)).id);
		expect(Object.values(customData).sort()).toEqual([
			'1 lead for 1 credit, 1 request',
			'2 leads for 2 credits, 1 request',
		]);
	});
});

test('no API key stands in n8n’s log, database or saved executions', async () => {
	const saved = await n8n.everythingSaved();
	// What was saved is there to be searched.
	expect(saved.includes('Not enough API credits (402)')).toBe(true);
	expect(saved.includes(people[0] ?? '')).toBe(true);
	expectNoKeyIn(saved);
});

function expectNoKeyIn(saved: Buffer): void {
	expect(accounts.length).toBeGreaterThan(0);
	for (const { apiKey } of accounts) {
		expect(saved.includes(apiKey)).toBe(false);
		expect(saved.includes(Buffer.from(apiKey).toString('base64').slice(0, 40))).toBe(false);
	}
}
