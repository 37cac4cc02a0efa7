/** Tests in a real n8n that all ready-made workflows store and pay for each lead once. */

import { chain, manualTrigger, node as newNode } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadsChargedTwice } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, useN8n } from '../n8n/harness';
import { addressOf, connect } from '../n8n/mcpClient';
import { startModel } from '../n8n/scriptedModel';
import {
	chatMessage,
	crmsOf,
	expectSuccess,
	messageOf,
	readWorkflow,
	workflowNames,
} from './fixture';
import { leadsOf, open, STORES, storeNames, type StoreName } from './stores';

const claiming: StoreName[] = [
	'only-new-leads',
	'crm-sync-postgres',
	'google-sheets-enrichment',
	'data-table-enrichment',
];
const sending: StoreName[] = ['hubspot-contacts', 'pipedrive-persons'];

// Several statements wait at the same time in one test. n8n's default of two connections is too low.
const n8n = useN8n({ DB_POSTGRESDB_POOL_SIZE: '10' }, { withCrms: true });

/** Returns the leads that a workflow buys in a number of nights. */
const bought = (name: StoreName, leadKeys: readonly string[], nights: number) =>
	leadKeys.slice(0, claiming.includes(name) ? 3 : 3 * nights);

const sorted = (list: readonly string[]) => [...list].sort();

describe('Workflows as imported', () => {
	const wanted = { jobTitles: '', countries: 'Iceland', limit: 1_000, skip: 0 };
	const saveCredential = (type: string, name: string, data: object) =>
		n8n.client.createCredential(type, `${name} account`, { ...data });

	beforeAll(async () => {
		const { hubspot, google, pipedrive } = crmsOf(n8n);
		await saveCredential('hubspotAppToken', 'HubSpot Service Key', {
			appToken: hubspot.addPortal().secret,
		});
		await saveCredential('pipedriveApi', 'Pipedrive', { apiToken: pipedrive.addCompany().secret });
		const oauthTokenData = { access_token: google.addSpreadsheet([]).secret };
		await saveCredential('googleSheetsOAuth2Api', 'Google Sheets', { oauthTokenData });
		await saveCredential('postgres', 'Postgres', { ...n8n.server.database, ssl: 'disable' });
		await saveCredential('httpHeaderAuth', 'Header Auth', { name: 'x-leads', value: 'secret' });
	});

	test.each(workflowNames())(
		'the first click on Execute costs at most 10 credits in %s',
		async (name) => {
			const { client, service } = n8n;
			await STORES['crm-sync-postgres'](n8n);
			await query(
				n8n.server.database,
				`INSERT INTO contacts (linkedin_url) VALUES ${leadsOf('Iceland')
					.map(({ linkedin_url: url }) => `('${url}')`)
					.join()}`,
			);
			const account = service.admin.createAccount();
			// n8n chooses the only credential of a type if it has the default name.
			const leads = await credentialOf(n8n, account, 'bearer', 'Lead Search account');
			using model = await startModel(client, [[{ tool: 'Paid_search', input: wanted }]]);
			const { id, name: modelName } = model.credential;
			const file = readWorkflow(name);
			const nodes = file.nodes.map((node) =>
				node.name === 'Chat model'
					? { ...node, credentials: { openAiApi: { id, name: modelName } } }
					: node,
			);
			const isChat = nodes.some((node) => node.name === 'Chat model');
			const form = {
				'Ask for a profile': [{ json: { 'LinkedIn URL': leadsOf('Iceland')[0]?.linkedin_url } }],
			};
			const pinData = isChat ? chatMessage('Find leads') : name === 'look-up-form' ? form : {};
			const workflow = await client.createWorkflow({ ...file, nodes, pinData });
			for (const node of workflow.nodes.filter(({ credentials }) => credentials?.leadSearchApi))
				expect(node.credentials?.leadSearchApi?.id).toBe(leads.id);
			if (name === 'mcp-server') {
				await client.activate(workflow);
				const url = await addressOf(n8n.server, 'business-leads');
				const app = await connect(url, { 'x-leads': 'secret' });
				await app.call('Paid_search', wanted);
				await client.deactivate(workflow);
			} else {
				const run = await client.run(workflow);
				await until('the run has ended, or waits for a user', async () => {
					const { status } = await client.execution(run);
					return !['new', 'running'].includes(status);
				});
			}
			await client.call('DELETE', `/credentials/${leads.id}`);
			expect(account.spent.apiCredits).toBeLessThanOrEqual(10);
		},
	);

	test("n8n's report of breaking changes in version 3 contains no ready-made workflow, but a control workflow with a removed node", async () => {
		const { client } = n8n;
		const removed = newNode('Removed', 'n8n-nodes-base.function', 1);
		const control = chain('Control', [manualTrigger, removed]);
		for (const workflow of [control, ...workflowNames().map(readWorkflow)])
			await client.createWorkflow(workflow);
		const path = '/breaking-changes/report/refresh?version=v3';
		const { report } = await client.call<{ report: { workflowResults: unknown[] } }>('POST', path);
		expect(report.workflowResults).toMatchObject([
			{ ruleId: 'function-removed-v3', nbAffectedWorkflows: 1 },
		]);
	});
});

test.each(storeNames)(
	'every lead is stored and paid for once if the store is unavailable in the first of three nights: %s',
	async (name) => {
		const { account, night, store } = await open(n8n, name);
		const { leadKeys, done, breakDown } = store;
		await breakDown('refuses');
		const failed = await night();
		expect([failed.status, await done()]).toEqual(['error', []]);
		await breakDown(undefined);
		for (const laterNight of [await night(), await night()]) {
			const isNamed = claiming.includes(name) && name !== 'crm-sync-postgres';
			expect(messageOf(laterNight)).toMatch(isNamed ? /asked .* in execution/ : /^ $/);
		}
		if (claiming.includes(name)) expect([account.spent.apiCredits, await done()]).toEqual([3, []]);
		if (!sending.includes(name)) await expectSuccess(() => n8n.client.retry(failed.id));
		const all = bought(name, leadKeys, 3);
		expect(sorted(await done())).toEqual(sorted(all));
		expect(account.spent.apiCredits).toBe(all.length);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

test.each(storeNames)(
	'no lead is paid for twice if the store refuses one of them in three nights: %s',
	async (name) => {
		const { account, night, store } = await open(n8n, name);
		const { leadKeys, done, refuse } = store;
		await refuse(leadKeys[1]);
		const failed = await night();
		expect(failed.status).toBe('error');
		await store.age?.();
		// The leads of a poll are in the execution that failed. The table has no claims for them.
		const isNamed = name !== 'new-leads-to-data-table';
		for (const laterNight of [2, 3]) {
			const message = messageOf(await night());
			expect([laterNight, message !== ' ']).toEqual([laterNight, isNamed]);
		}
		const others = bought(name, leadKeys, 3).filter((one) => one !== leadKeys[1]);
		// Google refuses all claims together. A data table is written in order, so later rows wait for Retry.
		const isSheet = name === 'google-sheets-enrichment';
		const isInOrder = name === 'only-new-leads' || name === 'data-table-enrichment';
		const stored = isSheet ? [] : isInOrder ? others.slice(0, 1) : others;
		expect(await done()).toEqual(stored);
		expect(account.spent.apiCredits).toBe(isSheet ? 0 : others.length + 1);
		await refuse(undefined);
		const isRetried = !isSheet && !sending.includes(name);
		await (isRetried ? n8n.client.retry(failed.id) : night());
		const all = bought(name, leadKeys, isRetried ? 3 : 4);
		expect(sorted(await done())).toEqual(sorted(all));
		expect(account.spent.apiCredits).toBe(all.length);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

describe('A run is stopped', () => {
	const stop = async (id: string) => {
		await n8n.client.call('POST', `/executions/${id}/stop`);
		expect((await n8n.client.waitForExecution(id)).status).toBe('canceled');
	};

	test.each(claiming)(
		'the claims of a stopped run are named by the next runs, which do not look up their leads: %s',
		async (name) => {
			const { account, night, requests, start, store } = await open(n8n, name);
			n8n.service.admin.addFault({ account: account.id, kind: 'hang' });
			const id = await start();
			await until('the service is asked', () => Promise.resolve(requests().length > 0));
			await stop(id);
			expect(await store.marked()).toBe(3);
			await store.age?.();
			for (const laterNight of [1, 2])
				expect([laterNight, messageOf(await night())]).toEqual([
					laterNight,
					expect.stringMatching(new RegExp(`asked .*in execution ${id}\\b`, 'i')),
				]);
			await store.add?.(3);
			if (name === 'only-new-leads') return;
			expect(messageOf(await night())).toMatch(/asked .*in execution/i);
			expect([account.spent.apiCredits, await store.done()]).toEqual([
				3,
				store.leadKeys.slice(3, 6),
			]);
		},
	);
});

test.each(claiming)(
	'every lead is stored and paid for once if credits run out and are topped up: %s',
	async (name) => {
		const { account, night, setCredits, store } = await open(n8n, name, {
			account: { apiCredits: 2 },
			// The Retry of google-sheets-enrichment reuses results.
			isNight: name !== 'google-sheets-enrichment',
		});
		const failed = await night();
		expect(failed.error?.message).toContain('Not enough API credits (402)');
		const isSheet = name === 'google-sheets-enrichment';
		expect(await store.done()).toEqual(isSheet ? [] : store.leadKeys.slice(0, 2));
		setCredits(100);
		await (isSheet ? n8n.client.retry(failed.id) : expectSuccess(night));
		await expectSuccess(night);
		expect([account.spent.apiCredits, await store.done()]).toEqual([3, store.leadKeys.slice(0, 3)]);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

test.each([...claiming, ...sending])(
	'a deactivated node stores no lead, and pinned data is not stored for other leads: %s',
	async (name) => {
		const { change, file, night, run, store } = await open(n8n, name);
		const isClaiming = claiming.includes(name);
		const off = ({ pays }: typeof store) =>
			file.nodes.map((node) => ({ ...node, disabled: node.name === pays }));
		await change({ nodes: off(store) });
		await night();
		expect(await store.done()).toEqual([]);
		if (!isClaiming) expect(await store.marked()).toBe(0);
		const opened = isClaiming ? await open(n8n, name) : { change, night, run, store };
		await opened.change({ pinData: {} });
		const execution = await opened.night();
		const leadKeys = opened.store.leadKeys.slice(0, isClaiming ? 3 : 6);
		expect(sorted(await opened.store.done())).toEqual(sorted(leadKeys));
		const marked = await opened.store.marked();
		await opened.store.add?.(3);
		await opened.change({ pinData: { [store.pays]: execution.items(store.pays) } });
		// n8n ignores pinned data in production.
		await opened.run();
		expect(sorted(await opened.store.done())).toEqual(sorted(leadKeys));
		if (!isClaiming) expect(await opened.store.marked()).toBe(marked);
	},
);

test.each(claiming)(
	'profiles that are returned under other URLs are stored, for one additional credit each: %s',
	async (name) => {
		const readings = { profiles: { renamedEvery: 1 } };
		const { account, night, store } = await open(n8n, name, { account: { readings } });
		await expectSuccess(night, 3);
		// Each profile costs an additional credit for the request that matches it to its URL.
		expect([account.spent.apiCredits, await store.done()]).toEqual([6, store.leadKeys.slice(0, 3)]);
	},
);

describe('n8n is killed after the purchase', () => {
	type Killed = Awaited<ReturnType<typeof open>> & { readonly id: string };
	const killed = {} as Record<StoreName, Killed>;

	beforeAll(async () => {
		for (const name of storeNames) {
			const opened = await open(n8n, name);
			await opened.store.breakDown('hangs');
			killed[name] = { ...opened, id: await opened.start() };
			const { account } = opened;
			await until(`${name} has bought`, () => Promise.resolve(account.spent.apiCredits === 3));
		}
		await n8n.server.kill();
		for (const { store } of Object.values(killed)) await store.breakDown(undefined);
		await n8n.restart();
		for (const { store } of Object.values(killed)) await store.reconnect?.();
	});

	test.each(storeNames)(
		'no lead is paid for twice if n8n is killed after the purchase: %s',
		async (name) => {
			const { account, id, night, store } = killed[name];
			await store.age?.();
			for (const laterNight of [await night(), await night()])
				expect(messageOf(laterNight)).toMatch(
					claiming.includes(name) ? new RegExp(`asked .*in execution ${id}\\b`, 'i') : /^ $/,
				);
			expect((await n8n.client.execution(id)).status).toBe('crashed');
			const isClaimed = claiming.includes(name);
			// n8n can't retry a manual execution that crashed.
			if (!isClaimed) await n8n.client.retry(id);
			expect(account.spent.apiCredits).toBe(isClaimed ? 3 : 9);
			const stored = isClaimed ? [] : store.leadKeys.slice(0, 9);
			expect(sorted(await store.done())).toEqual(sorted(stored));
		},
	);
});
