/**
 * Promise 4, in a real n8n: what was paid for is not paid for again, between runs and between days. The
 * ledger of the service decides, whatever the node says.
 */
import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, node as ownNode } from '../../sandbox/n8n/index';
import type { Execution, Fields, Workflow, WorkflowNode } from '../../sandbox/n8n/index';
import { leadsChargedTwice, urlsMatching } from '../../sandbox/service';
import type { AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';
import { publish } from './production';

// At this level the log has the most to tell, so it is the one to search for a key.
const n8n = useN8n({ N8N_LOG_LEVEL: 'debug' });
const nodeName = 'Lead Search';
const filters = { personLocationCountry: 'Iceland' };
const people = urlsMatching({ person_location_country: ['Iceland'] });
const hundred = people.slice(0, 100);
const searchAll = { filters, returnAll: true, options: { pageSize: 25, parallelPages: 1 } };
const lookUpAll = {
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	linkedinUrls: hundred.join('\n'),
	options: { pageSize: 25, onlyWithEmails: false },
};

const plain = (name: string, type: string, version: number, parameters: Fields = {}) =>
	ownNode(name, `n8n-nodes-base.${type}`, version, parameters);

async function open(options: AccountOptions = {}) {
	const account = n8n.service.admin.createAccount({ apiKey: `key-${randomUUID()}`, ...options });
	const credential = await credentialOf(n8n, account);
	return {
		account,
		node: (parameters: Fields, more?: Partial<WorkflowNode>) =>
			leadSearch(parameters, credential, more),
		requests: () => n8n.service.admin.requests({ account: account.id }),
		topUp: () => n8n.service.admin.setCredits(account.id, { apiCredits: 10_000 }),
	};
}

type Buyer = Awaited<ReturnType<typeof open>>;

const urlsOf = (execution: Execution) =>
	execution.items(nodeName).map(({ json }) => json.linkedin_url);

test('Retry, of the workflow as it was or as it is saved, gets the rest, after a restart too', async () => {
	const runs = [];
	for (const parameters of [searchAll, lookUpAll]) {
		for (const loadWorkflow of [false, true]) {
			const buyer = await open({ apiCredits: 60, leads: 100 });
			const { run } = await publish(n8n, [buyer.node(parameters)]);
			const stopped = await run();
			expect(stopped.status).toBe('error');
			expect(buyer.account.spent.apiCredits).toBe(60);
			runs.push({ ...buyer, stopped, loadWorkflow });
		}
	}
	const saved = await n8n.everythingSaved();
	// The rows are in the execution's data by now; the key with which they were bought is not.
	expect(saved.includes('paidResults')).toBe(true);
	for (const { account } of runs) {
		expect(saved.includes(account.apiKey)).toBe(false);
		const encoded = Buffer.from(account.apiKey).toString('base64').slice(0, 40);
		expect(saved.includes(encoded)).toBe(false);
	}

	await n8n.restart();
	for (const { account, topUp, stopped, loadWorkflow } of runs) {
		topUp();
		const execution = await n8n.client.retry(stopped.id, { loadWorkflow });
		expect(execution.status).toBe('success');
		expect(urlsOf(execution).sort()).toEqual([...hundred].sort());
		expect(account.spent.apiCredits).toBe(100);
		expect(leadsChargedTwice(account)).toEqual([]);
	}
});

/** Runs it, has more credits come, and runs it again, or does what `goOn` says with the execution before. */
async function runTwice(
	{ topUp }: Buyer,
	{ run }: Pick<Awaited<ReturnType<typeof publish>>, 'run'>,
	goOn: (before: Execution) => Promise<Execution> = () => run(),
) {
	const before = await run();
	topUp();
	expect((await goOn(before)).status).toBe('success');
}

const retry = async ({ id }: Execution) => await n8n.client.retry(id, { loadWorkflow: true });
const itemsOf = (all: readonly object[]) =>
	plain('Items', 'code', 2, {
		jsCode: `return ${JSON.stringify(all.map((json) => ({ json })))};`,
	});
const byCountry = { personLocationCountry: '={{ $json.country }}' };
const countries = ['Iceland', 'Germany', 'France', 'Spain', 'Canada'].map((country) => ({
	country,
}));
const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
/** Whatever comes out of it, with an error output too, leads to the next item. */
const inLoop = ({ connections, ...workflow }: Workflow): Workflow => ({
	...workflow,
	connections: {
		...connections,
		Loop: { main: [to('Done'), to(nodeName)] },
		Done: {},
		[nodeName]: { main: [to('Loop'), to('Loop')] },
	},
});
const looped = (all: readonly object[], search: WorkflowNode) => [
	itemsOf(all),
	plain('Loop', 'splitInBatches', 3, { options: {} }),
	plain('Done', 'noOp', 1),
	search,
];
const thousands = { filters: {}, limit: 6_000 };
const other = { name: 'Other Search' };
const goesOn = { onError: 'continueRegularOutput' };

/** A workflow that calls another one for each of five countries. */
async function publishCaller({ node }: Buyer) {
	const start = plain('Start', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const each = node({ filters: byCountry, limit: 20 });
	const called = await n8n.client.createWorkflow(chain('Called', [start, each]));
	await n8n.client.activate(called);
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	const call = plain('Call', 'executeWorkflow', 1.2, { workflowId, mode: 'each', options: {} });
	return { called, ...(await publish(n8n, [itemsOf(countries), call])) };
}

/** Starts each of them while the one before waits for its first answer, and waits for all. */
async function runAtOnce({ account, node }: Buyer, all: readonly Fields[]) {
	const { id } = account;
	const { length: before } = n8n.service.admin.requests({ account: id });
	n8n.service.admin.addFault({ account: id, kind: 'latency', ms: 2_000 });
	const executions: string[] = [];
	for (const parameters of all) {
		executions.push(await (await publish(n8n, [node(parameters)])).start());
		await n8n.service.admin.whenRequest(
			() => n8n.service.admin.requests({ account: id }).length > before,
		);
	}
	for (const execution of executions) await n8n.client.waitForExecution(execution);
}

const lookUpFirst = (from: number, to: number) => ({
	...lookUpAll,
	linkedinUrls: hundred.slice(from, to).join('\n'),
});

const rows: Array<
	[who: string, right: number, act: (buyer: Buyer) => Promise<unknown>, account?: AccountOptions]
> = [
	[
		'two searches, a 402 in the second, run again',
		6_100,
		async (buyer) => {
			const { node } = buyer;
			const nodes = [
				node(thousands),
				node({ filters, limit: 100 }, { ...other, executeOnce: true }),
			];
			await runTwice(buyer, await publish(n8n, nodes));
		},
		{ apiCredits: 6_000 },
	],
	[
		'a search that is cancelled in a later Wait, and ten more leads',
		6_010,
		async ({ node }) => {
			const wait = plain('Wait', 'wait', 1.1, { resume: 'webhook' });
			const { start } = await publish(n8n, [node(thousands), wait]);
			const id = await start();
			await until('it waits', async () => (await n8n.client.execution(id)).status === 'waiting');
			await n8n.client.call('POST', `/executions/${id}/stop`);
			await (await publish(n8n, [node({ ...thousands, limit: 6_010 })])).run();
		},
	],
	...[undefined, retry].map((goOn): (typeof rows)[number] => [
		`a sub-workflow, once per item, a 402 in the fifth, ${goOn ? 'Retry of the parent' : 'run again'}`,
		100,
		async (buyer) => {
			await runTwice(buyer, await publishCaller(buyer), goOn);
		},
		{ apiCredits: 90 },
	]),
	[
		'Retry of the execution of a sub-workflow',
		80,
		async (buyer) => {
			const { called, ...caller } = await publishCaller(buyer);
			await runTwice(buyer, caller, async () => {
				const [stopped] = await n8n.client.executions(called);
				return await n8n.client.retry(stopped?.id ?? '');
			});
		},
		{ apiCredits: 70 },
	],
	[
		'a loop under Continue, a 402 in the last round, run again',
		55,
		async (buyer) => {
			const items = [
				{ country: 'Germany', limit: 20 },
				{ country: 'Iceland', limit: 35 },
			];
			const each = { filters: byCountry, limit: '={{ $json.limit }}' };
			const nodes = looped(items, buyer.node(each, goesOn));
			await runTwice(buyer, await publish(n8n, nodes, inLoop));
		},
		{ apiCredits: 20 },
	],
	[
		'two searches under Continue, a 402 in the second, run again',
		100,
		async (buyer) => {
			const germany = { filters: { personLocationCountry: 'Germany' }, limit: 40 };
			const second = buyer.node(germany, { ...other, ...goesOn, executeOnce: true });
			const nodes = [buyer.node({ filters, limit: 60 }, goesOn), second];
			await runTwice(buyer, await publish(n8n, nodes));
		},
		{ apiCredits: 80 },
	],
	[
		'limit 60 while limit 40 is running',
		60,
		async (buyer) => {
			await runAtOnce(buyer, [
				{ filters, limit: 40 },
				{ filters, limit: 60 },
			]);
		},
	],
	[
		'two webhooks at once after a stop',
		100,
		async (buyer) => {
			const parameters = { filters, limit: 100 };
			await (await publish(n8n, [buyer.node(parameters)])).run();
			buyer.topUp();
			await runAtOnce(buyer, [parameters, parameters]);
		},
		{ apiCredits: 30 },
	],
	[
		'look ups at once, of which 20 profiles are the same',
		60,
		async (buyer) => {
			await runAtOnce(buyer, [lookUpFirst(0, 40), lookUpFirst(20, 60)]);
		},
	],
	[
		'a Schedule Trigger, three times',
		2,
		async ({ node }) => {
			const interval = [{ field: 'cronExpression', expression: '*/2 * * * * *' }];
			const schedule = plain('Schedule', 'scheduleTrigger', 1.2, { rule: { interval } });
			const workflow = await n8n.client.createWorkflow(
				chain('Schedule', [schedule, node({ filters, limit: 2 })]),
			);
			await n8n.client.activate(workflow);
			await until('it has run three times', async () => {
				const all = await n8n.client.executions(workflow);
				return all.filter(({ status }) => status === 'success').length >= 3;
			});
			await n8n.client.deactivate(workflow);
		},
	],
	[
		'a node with a new id, a Retry after that, and the node in another workflow',
		100,
		async (buyer) => {
			const { workflow, run } = await publish(n8n, [buyer.node(searchAll)]);
			await runTwice(buyer, { run }, async (before) => {
				const { nodes } = workflow;
				const anew = nodes.map((one) => ({ ...one, id: randomUUID() }));
				await n8n.client.updateWorkflow(workflow.id, { ...workflow, nodes: anew });
				await n8n.client.activate(workflow);
				await run();
				return await retry(before);
			});
			await n8n.client.execute(chain('Pasted', [manualTrigger, buyer.node(searchAll)]));
		},
		{ apiCredits: 60, leads: 100 },
	],
	[
		'a form that is sent twice',
		50,
		async ({ node }) => {
			const path = randomUUID();
			const formFields = { values: [{ fieldLabel: 'Country', requiredField: true }] };
			const form = {
				...plain('Form', 'formTrigger', 2.2, { formTitle: 'Leads', formFields, options: {} }),
				webhookId: path,
			};
			const search = node({ filters: { personLocationCountry: '={{ $json.Country }}' } });
			const workflow = await n8n.client.createWorkflow(chain('Form', [form, search]));
			await n8n.client.activate(workflow);
			const url = `${n8n.server.url}/form/${path}`;
			await until('n8n shows the form', async () => (await fetch(url)).ok);
			const sent = new FormData();
			sent.append('field-0', 'Iceland');
			for (const count of [1, 2]) {
				await fetch(url, { method: 'POST', body: sent });
				await until('it has run', async () => {
					const all = await n8n.client.executions(workflow);
					return all.filter(({ status }) => status === 'success').length >= count;
				});
			}
		},
	],
	[
		'ten profiles that were not found, and are there by now',
		10,
		async ({ node, account }) => {
			const linkedinUrls = hundred.slice(0, 10).map((url) => `${url}-renamed`);
			const { run } = await publish(n8n, [node({ ...lookUpAll, linkedinUrls })]);
			expect(urlsOf(await run())).toEqual([]);
			const readings = { profiles: { renamedEvery: 1 } };
			n8n.service.admin.setBehaviour(account.id, { readings });
			expect(urlsOf(await run())).toEqual(linkedinUrls);
		},
	],
];

test.each(rows)('%s: %i credits in all', async (_, right, act, account = {}) => {
	const buyer = await open(account);
	await act(buyer);
	expect(buyer.account.spent.apiCredits).toBe(right);
});

test('Retry after a restart pays for what the message says that there was no room for', async () => {
	const { account, node, topUp } = await open({ apiCredits: 9_000 });
	const faults = Array.from({ length: 9 }, (_, page) => {
		const preview_data = Array.from({ length: 1_000 }, (_, row) => ({
			linkedin_url: `https://www.linkedin.com/in/large-${page * 1_000 + row}`,
			about: 'x'.repeat(3_000),
		}));
		const fits = { account: account.id, page: page + 1, perPage: 1_000 };
		return n8n.service.admin.addFault({ ...fits, kind: 'merge', merge: { preview_data } });
	});
	const { run } = await publish(n8n, [node({ filters: {}, limit: 10_000 })]);
	const stopped = await run();
	const room =
		/^.*Of 9,000 leads there is room for 9,000 in n8n's memory, (.*) for Retry\. .*: what is kept costs nothing then\.$/;
	const [, kept = ''] = room.exec(stopped.error?.description ?? '') ?? [];
	const rest = 10_000 - Number(kept.replace(',', ''));
	expect(rest).toBeGreaterThan(1_000);
	for (const fault of faults) fault.remove();
	await n8n.restart();
	topUp();
	expect((await n8n.client.retry(stopped.id)).status).toBe('success');
	expect(account.spent.apiCredits).toBe(9_000 + rest);
});

test('with another key by expression after a 401, everything is paid anew, as the message says', async () => {
	const [{ account }, { account: other }] = [await open(), await open()];
	const credential = await credentialOf(n8n, { apiKey: '={{ $json.body.key }}' });
	const { run } = await publish(n8n, [
		leadSearch({ filters, limit: 300, options: { pageSize: 100 } }, credential),
	]);
	n8n.service.admin.addFault({ account: account.id, kind: 'status', status: 401, page: 2 });
	const { error } = await run({ key: account.apiKey });
	expect(error?.description).toContain(
		'The key comes from an expression, so with another one everything is paid anew.',
	);
	expect(error?.description).not.toContain('you pay only for the rest');
	await run({ key: other.apiKey });
	expect(other.spent.apiCredits).toBe(300);
});

test('Execute Step a second time, with a larger Limit, pays for the others alone', async () => {
	const { account, node } = await open();
	const id = randomUUID();
	const steps = (limit: number) =>
		chain('By hand', [manualTrigger, node({ filters, limit }, { id })]);
	const workflow = await n8n.client.createWorkflow(steps(50));
	const executeStep = async (after?: string) =>
		await n8n.client.waitForExecution(
			await n8n.client.run(workflow, { upTo: nodeName, ...(after && { after }) }),
		);
	const first = await executeStep();
	await n8n.client.updateWorkflow(workflow.id, steps(80));
	expect(urlsOf(await executeStep(first.id))).toEqual(people.slice(0, 80));
	expect(account.spent.apiCredits).toBe(80);
});

test.each(['continueRegularOutput', 'continueErrorOutput'])(
	'Max Credits of 25 holds for all rounds of a loop (On Error: %s)',
	async (onError) => {
		const { account, node } = await open();
		const id = randomUUID();
		const search = node({ filters: byCountry, limit: 10, maxCredits: 25 }, { id, onError });
		const { run } = await publish(n8n, looped(countries, search), inLoop);
		const execution = await run();
		const spent = "'Max Credits' (25 credits) is spent, so nothing is returned";
		expect(execution.status).toBe('success');
		expect(account.spent.apiCredits).toBe(25);
		// n8n takes keys of up to 50 characters.
		const key = `lead_search_credits_${id.replaceAll('-', '_')}`.slice(0, 50);
		// n8n saves it a moment after the rest.
		const customData = await until('the execution has custom data', async () => {
			const path = `/executions/${execution.id}`;
			const saved = await n8n.client.call<{ customData?: object }>('GET', path);
			return Object.keys(saved.customData ?? {}).length > 0 && saved.customData;
		});
		expect(customData).toEqual({
			[key]: expect.stringContaining('25 leads for 25 credits') as string,
		});
		const done = execution.items('Done').map(({ json }) => json);
		expect(done.filter(({ linkedin_url }) => linkedin_url !== undefined)).toHaveLength(25);
		expect(done.map(({ error }) => error).filter(Boolean)).toEqual([spent, spent]);
	},
);
