/**
 * Tests in a real n8n that later runs reuse paid results instead of paying again. The mock service counts the charges,
 * whatever the node says.
 */
import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, node as ownNode } from '../../sandbox/n8n/index';
import type { Execution, Fields, WorkflowNode } from '../../sandbox/n8n/index';
import { leadsChargedTwice, urlsMatching } from '../../sandbox/service';
import type { AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, looped, useN8n } from './harness';
import { publish } from './production';

// The log has most lines at this level, so it is the one to search for a key.
const n8n = useN8n({ N8N_LOG_LEVEL: 'debug' });
const nodeName = 'Lead Search';
const filters = { personLocationCountry: 'Iceland' };
const urls = urlsMatching({ person_location_country: ['Iceland'] });
const hundred = urls.slice(0, 100);
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
		topUp: () => n8n.service.admin.setCredits(account.id, { apiCredits: 10_000 }),
	};
}

const urlsOf = (execution: Execution) =>
	execution.items(nodeName).map(({ json }) => json.linkedin_url);

test('a Retry with the original or the saved workflow pays only for the rest, even after a restart', async () => {
	const runs = [];
	for (const parameters of [searchAll, lookUpAll]) {
		for (const loadWorkflow of [false, true]) {
			const opened = await open({ apiCredits: 60, leads: 100 });
			const { run } = await publish(n8n, [opened.node(parameters)]);
			const stopped = await run();
			expect(stopped.status).toBe('error');
			expect(opened.account.spent.apiCredits).toBe(60);
			runs.push({ ...opened, stopped, loadWorkflow });
		}
	}
	const saved = await n8n.everythingSaved();
	// The execution's data contains the rows, but not the key with which they were bought.
	expect(saved.includes('leadSearchPaidResults')).toBe(true);
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

const countries = ['Iceland', 'Germany', 'France', 'Spain', 'Canada'];
const items = plain('Items', 'code', 2, {
	jsCode: `return ${JSON.stringify(countries.map((country) => ({ json: { country } })))};`,
});
const byCountry = { personLocationCountry: '={{ $json.country }}' };

test('a Retry of the execution of a sub-workflow pays only for the rest', async () => {
	const { account, node, topUp } = await open({ apiCredits: 70 });
	const start = plain('Start', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const each = node({ filters: byCountry, limit: 20 });
	const called = await n8n.client.createWorkflow(chain('Called', [start, each]));
	await n8n.client.activate(called);
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	const call = plain('Call', 'executeWorkflow', 1.2, { workflowId, mode: 'each', options: {} });
	const { run } = await publish(n8n, [items, call]);
	expect((await run()).status).toBe('error');
	topUp();
	const [stopped] = await n8n.client.executions(called);
	expect((await n8n.client.retry(stopped?.id ?? '')).status).toBe('success');
	expect(account.spent.apiCredits).toBe(80);
});

test('a node with a new ID, a Retry after that, and the node in another workflow pay only for the rest', async () => {
	const { account, node, topUp } = await open({ apiCredits: 60, leads: 100 });
	const { workflow, run } = await publish(n8n, [node(searchAll)]);
	const stopped = await run();
	topUp();
	const nodes = workflow.nodes.map((one) => ({ ...one, id: randomUUID() }));
	await n8n.client.updateWorkflow(workflow.id, { ...workflow, nodes });
	await n8n.client.activate(workflow);
	await run();
	const retried = await n8n.client.retry(stopped.id, { loadWorkflow: true });
	expect(retried.status).toBe('success');
	await n8n.client.execute(chain('Pasted', [manualTrigger, node(searchAll)]));
	expect(account.spent.apiCredits).toBe(100);
});

test.each(['continueRegularOutput', 'continueErrorOutput'])(
	'all rounds of a loop share Max Credits of 25 if On Error is %s',
	async (onError) => {
		const { account, node } = await open();
		const id = randomUUID();
		const search = node({ filters: byCountry, limit: 10, maxCredits: 25 }, { id, onError });
		const { run } = await publish(n8n, [items], ({ name, nodes }) => looped(name, nodes, search));
		const execution = await run();
		const spent = "'Max Credits' (25 credits) is spent, so nothing is returned";
		expect(execution.status).toBe('success');
		expect(account.spent.apiCredits).toBe(25);
		// n8n takes keys of up to 50 characters, so a hash replaces the end of the ID.
		const key = `lead_search_credits_${id.replaceAll('-', '_').slice(0, 21)}_`;
		// n8n saves the custom data a moment after the execution's other data.
		const customData = await until('the execution has custom data', async () => {
			const path = `/executions/${execution.id}`;
			const saved = await n8n.client.call<{ customData?: object }>('GET', path);
			return Object.keys(saved.customData ?? {}).length > 0 && saved.customData;
		});
		expect(Object.keys(customData)).toEqual([expect.stringContaining(key)]);
		expect(Object.values(customData)).toEqual([expect.stringContaining('25 leads for 25 credits')]);
		const rounds = (execution.runs[nodeName] ?? []).flatMap(({ outputs }) => outputs.flat());
		const done = rounds.map(({ json }) => json);
		expect(done.filter(({ linkedin_url }) => linkedin_url !== undefined)).toHaveLength(25);
		expect(done.map(({ error }) => error).filter(Boolean)).toEqual([spent, spent]);
	},
);
