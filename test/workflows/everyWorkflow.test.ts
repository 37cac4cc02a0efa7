/** The promises that all ready-made workflows keep, in a real n8n. */

import { chain, manualTrigger, node as newNode, type Workflow } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadsChargedTwice } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, useN8n } from '../n8n/harness';
import { addressOf, connect } from '../n8n/mcpClient';
import { startModel } from '../n8n/scriptedModel';
import { chatMessage, crmsOf, goesWell, messageOf, readWorkflow, workflowNames } from './fixture';
import { emailsOf, leadsOf, open, STORES, storeNames, type StoreName } from './stores';

const claiming: StoreName[] = ['only-new-leads', 'crm-sync-postgres', 'google-sheets-enrichment'];
const sending: StoreName[] = ['hubspot-contacts', 'pipedrive-persons'];
const withDataTable: StoreName[] = ['only-new-leads', 'new-leads-to-data-table', ...sending];

// Several statements wait at the same time in one test. n8n's default of two connections is too low.
const n8n = useN8n({ DB_POSTGRESDB_POOL_SIZE: '10' }, { withCrms: true });

/** The people who are bought in this many nights. */
const bought = (name: StoreName, people: readonly string[], nights: number) =>
	people.slice(0, claiming.includes(name) ? 3 : 3 * nights);

const sorted = (list: readonly string[]) => [...list].sort();

describe('As imported, with credentials of the default names', () => {
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
			// n8n links the only credential of a type that has the default name.
			const leads = await credentialOf(n8n, account, 'bearer', 'Lead Search account');
			using model = await startModel(client, [[{ tool: 'Search_leads', input: wanted }]]);
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
				await app.call('Search_leads', wanted);
				await client.deactivate(workflow);
			} else {
				const run = await client.run(workflow);
				await until('the run has ended, or waits for a person', async () => {
					const { status } = await client.execution(run);
					return !['new', 'running'].includes(status);
				});
			}
			await client.call('DELETE', `/credentials/${leads.id}`);
			expect(account.spent.apiCredits).toBeLessThanOrEqual(10);
		},
	);

	test("n8n's rules for version 3 report nothing except a node that is made for it", async () => {
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

test.each(withDataTable)(
	'two imports of %s have their own tables, and pay for and send only their own people',
	async (name) => {
		const copies = [];
		for (const country of ['Canada', 'Iceland']) {
			const store = await STORES[name](n8n, country);
			const opened = await open(n8n, name, { store });
			// The first copy leaves its people in its own table.
			if (country === 'Canada') await store.breakDown('refuses');
			const execution = await opened.night();
			const table = Object.entries(execution.runs).find(([node]) => node.startsWith('Table of'));
			copies.push({ ...opened, table: table?.[1].at(-1)?.outputs[0]?.[0]?.json.id });
		}
		const [canada, iceland] = copies;
		expect(canada?.table).not.toBe(iceland?.table);
		const own = sending.includes(name)
			? emailsOf('Iceland')
			: leadsOf('Iceland').map(({ linkedin_url: url }) => url);
		expect(sorted((await iceland?.store.done()) ?? [])).toEqual(sorted(own.slice(0, 3)));
		expect(copies.map(({ account }) => account.spent.apiCredits)).toEqual([3, 3]);
	},
);

const upsideDown = ({ nodes, ...workflow }: Workflow): Workflow => ({
	...workflow,
	nodes: nodes.map(({ position, ...node }) => {
		const [x = 0, y = 0] = position as number[];
		return { ...node, position: [x, -y] };
	}),
});

/** Changes that the API, tools and users make to a workflow. */
const CHANGES: ReadonlyArray<[string, (workflow: Workflow) => Workflow]> = [
	['with settings {}', (workflow) => ({ ...workflow, settings: {} })],
	['upside down on the canvas', upsideDown],
];

describe.each(CHANGES)('%s', (_what, change) => {
	test.each(storeNames)(
		'everybody is stored and paid for once if the store is down in the first of three nights: %s',
		async (name) => {
			const { account, night, store } = await open(n8n, name, { change });
			const { people, done, breakDown } = store;
			await breakDown('refuses');
			const failed = await night();
			expect([failed.status, await done()]).toEqual(['error', []]);
			await breakDown(undefined);
			for (const later of [await night(), await night()]) {
				const isNamed = name === 'only-new-leads' || name === 'google-sheets-enrichment';
				expect(messageOf(later)).toMatch(isNamed ? /asked .* in execution/ : /^ $/);
			}
			if (claiming.includes(name))
				expect([account.spent.apiCredits, await done()]).toEqual([3, []]);
			if (!sending.includes(name)) await goesWell(() => n8n.client.retry(failed.id));
			const all = bought(name, people, 3);
			expect(sorted(await done())).toEqual(sorted(all));
			expect(account.spent.apiCredits).toBe(all.length);
			expect(leadsChargedTwice(account)).toEqual([]);
		},
	);
});

test.each(storeNames)(
	'a person who is refused in three nights is named, and nobody is paid for twice: %s',
	async (name) => {
		const { account, night, store } = await open(n8n, name);
		const { people, done, refuse } = store;
		await refuse(people[1]);
		const failed = await night();
		expect(failed.status).toBe('error');
		await store.age?.();
		// The leads of a poll are in the execution that failed. The table has no claims of them.
		const isNamed = name !== 'new-leads-to-data-table';
		for (const later of [2, 3]) {
			const message = messageOf(await night());
			expect([later, message !== ' ']).toEqual([later, isNamed]);
		}
		const others = bought(name, people, 3).filter((one) => one !== people[1]);
		// Google refuses all claims together. A data table is written in order, so later rows wait for Retry.
		const isSheet = name === 'google-sheets-enrichment';
		const there = isSheet ? [] : name === 'only-new-leads' ? others.slice(0, 1) : others;
		expect(await done()).toEqual(there);
		expect(account.spent.apiCredits).toBe(isSheet ? 0 : others.length + 1);
		await refuse(undefined);
		const isRetried = !isSheet && !sending.includes(name);
		await (isRetried ? n8n.client.retry(failed.id) : night());
		const all = bought(name, people, isRetried ? 3 : 4);
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
		'a claim of a run that was stopped is named by the next runs, which look nobody up for it: %s',
		async (name) => {
			const { account, night, requests, start, store } = await open(n8n, name);
			n8n.service.admin.addFault({ account: account.id, kind: 'hang' });
			const id = await start();
			await until('the service is asked', () => Promise.resolve(requests().length > 0));
			await stop(id);
			expect(await store.marked()).toBe(3);
			await store.age?.();
			for (const later of [1, 2])
				expect([later, messageOf(await night())]).toEqual([
					later,
					expect.stringMatching(new RegExp(`asked .*in execution ${id}\\b`, 'i')),
				]);
			await store.add?.(3);
			if (name === 'only-new-leads') return;
			expect(messageOf(await night())).toMatch(/asked .*in execution/i);
			expect([account.spent.apiCredits, await store.done()]).toEqual([3, store.people.slice(3, 6)]);
		},
	);

	test.each(sending)(
		'a run that was stopped before it sent anything is followed by one that sends all: %s',
		async (name) => {
			const { account, night, start, store, workflow } = await open(n8n, name);
			await store.breakDown('hangs');
			const id = await start();
			await until('the leads are kept', async () => (await store.kept?.()) === 3);
			await n8n.client.deactivate(workflow);
			await stop(id);
			await store.breakDown(undefined);
			await goesWell(night);
			expect(sorted(await store.done())).toEqual(sorted(store.people.slice(0, 6)));
			expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([6, []]);
		},
	);
});

test.each(claiming)(
	'everybody is stored and paid for once after credits ran out and a top-up: %s',
	async (name) => {
		const { account, night, setCredits, store } = await open(n8n, name, {
			account: { apiCredits: 2 },
			// A Retry brings the results that are reused.
			isNight: name !== 'google-sheets-enrichment',
		});
		const failed = await night();
		expect(failed.error?.message).toContain('Not enough API credits (402)');
		const isSheet = name === 'google-sheets-enrichment';
		expect(await store.done()).toEqual(isSheet ? [] : store.people.slice(0, 2));
		setCredits(100);
		await (isSheet ? n8n.client.retry(failed.id) : goesWell(night));
		await goesWell(night);
		expect([account.spent.apiCredits, await store.done()]).toEqual([3, store.people.slice(0, 3)]);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

test.each([...claiming, ...sending])(
	'a deactivated node marks nobody, and pinned data mixes up nobody: %s',
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
		const asked = await opened.night();
		const people = opened.store.people.slice(0, isClaiming ? 3 : 6);
		expect(sorted(await opened.store.done())).toEqual(sorted(people));
		const marked = await opened.store.marked();
		await opened.store.add?.(3);
		await opened.change({ pinData: { [store.pays]: asked.items(store.pays) } });
		// n8n ignores pinned data in production.
		await opened.run();
		expect(sorted(await opened.store.done())).toEqual(sorted(people));
		if (!isClaiming) expect(await opened.store.marked()).toBe(marked);
	},
);

test.each(claiming)(
	'profiles that come back under other URLs are done at once: %s',
	async (name) => {
		const readings = { profiles: { renamedEvery: 1 } };
		const { account, night, store } = await open(n8n, name, { account: { readings } });
		await goesWell(night, 3);
		// Each costs one credit more, for the request that finds out the URL of the profile.
		expect([account.spent.apiCredits, await store.done()]).toEqual([6, store.people.slice(0, 3)]);
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
		'the nights after a kill of n8n after the purchase pay for nothing twice: %s',
		async (name) => {
			const { account, id, night, store } = killed[name];
			await store.age?.();
			for (const later of [await night(), await night()])
				expect(messageOf(later)).toMatch(
					claiming.includes(name) ? new RegExp(`asked .*in execution ${id}\\b`, 'i') : /^ $/,
				);
			expect((await n8n.client.execution(id)).status).toBe('crashed');
			const isClaimed = claiming.includes(name);
			// n8n can't retry a manual execution that crashed.
			if (!isClaimed) await n8n.client.retry(id);
			expect(account.spent.apiCredits).toBe(isClaimed ? 3 : 9);
			const there = isClaimed ? [] : store.people.slice(0, 9);
			expect(sorted(await store.done())).toEqual(sorted(there));
		},
	);
});
