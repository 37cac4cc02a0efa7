/** What happens at night and in the editor, to every ready-made workflow that writes what it has bought. */
import type { Fields, Workflow } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadsChargedTwice } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { useN8n } from '../n8n/harness';
import { dataTables, importWorkflow, storageOf, type Changes } from './fixture';
import { open, STORES, storeNames, type StoreName } from './stores';

type Summary = Readonly<Record<'id' | 'status', string>>;

/** Those that claim what they buy; of the others a trigger knows what is bought, or a person. */
const claiming: StoreName[] = ['only-new-leads', 'crm-sync-postgres', 'google-sheets-enrichment'];
const sending: StoreName[] = ['hubspot-contacts', 'pipedrive-persons'];
const byNight = [...claiming, ...sending];
const saving: StoreName = 'new-leads-to-data-table';

const upsideDown = ({ nodes, ...workflow }: Workflow): Workflow => ({
	...workflow,
	nodes: nodes.map((node) => {
		const [x = 0, y = 0] = node.position as number[];
		return { ...node, position: [x, -y] };
	}),
	settings: {},
});

/** What the API, a tool, and somebody who moves nodes make of a workflow. */
const CHANGES: ReadonlyArray<[string, (workflow: Workflow) => Workflow]> = [
	['as imported in the editor', (workflow) => workflow],
	['with settings {}', (workflow) => ({ ...workflow, settings: {} })],
	['with settings {} and upside down', upsideDown],
];

const disabling = (name: string) => (workflow: Workflow) => ({
	...workflow,
	nodes: workflow.nodes.map((node) => (node.name === name ? { ...node, disabled: true } : node)),
});

const n8n = useN8n(dataTables, { withCrms: true });

/** Those who are bought in so many nights. */
const bought = (name: StoreName, people: readonly string[], nights: number) =>
	people.slice(0, claiming.includes(name) ? 3 : 3 * nights);

describe.each(CHANGES)('%s', (_what, change) => {
	test.each([...byNight, saving])(
		'%s: what was not taken in the first of three nights is there in the end, and paid for once',
		async (name) => {
			const { account, night, store } = await open(n8n, name, { change });
			const { people, done, breakDown } = store;
			await breakDown('refuses');
			const failed = await night();
			expect([failed.status, await done()]).toEqual(['error', []]);
			await breakDown(undefined);
			for (const later of [2, 3])
				expect([later, (await night()).error?.message]).toEqual([later, undefined]);
			if (claiming.includes(name))
				expect([account.spent.apiCredits, await done()]).toEqual([3, []]);
			if (!sending.includes(name)) await n8n.client.retry(failed.id);
			const all = bought(name, people, 3);
			expect([...(await done())].sort()).toEqual([...all].sort());
			expect(account.spent.apiCredits).toBe(all.length);
			expect(leadsChargedTwice(account)).toEqual([]);
		},
	);

	test('long-pull-in-batches: Retry saves what was not taken, for nothing, and goes on', async () => {
		const { account, night, store } = await open(n8n, 'long-pull-in-batches', { change });
		await store.breakDown('refuses');
		const failed = await night();
		expect([failed.error?.message, account.spent.apiCredits]).toEqual(['The table is closed', 3]);
		await store.breakDown(undefined);
		expect((await n8n.client.retry(failed.id)).error?.message).toBeUndefined();
		expect([account.spent.apiCredits, await store.done()]).toEqual([6, store.people]);
		expect((await night()).status).toBe('success');
		expect(leadsChargedTwice(account)).toEqual([]);
	});
});

test.each(storeNames)(
	'%s: one that is refused is named, the others are there, and nobody is paid for twice',
	async (name) => {
		const { account, night, store } = await open(n8n, name);
		const { people, done, refuse } = store;
		await refuse(people[1]);
		const isByHand = name === 'long-pull-in-batches';
		const nights = isByHand ? 1 : 3;
		const failed = await night();
		expect(failed.status).toBe('error');
		for (let count = 2; count <= nights; count++) await night();
		const others = bought(name, people, nights).filter((one) => one !== people[1]);
		// A data table is written in order: who comes behind waits for Retry.
		const there = name === 'only-new-leads' ? others.slice(0, 1) : others;
		expect(await done()).toEqual(there);
		// Whom Google protects is not even bought.
		const isBought = name !== 'google-sheets-enrichment';
		expect(account.spent.apiCredits).toBe(others.length + (isBought ? 1 : 0));
		await refuse(undefined);
		// The others go with the next run.
		const isRetried = isBought && !sending.includes(name);
		await (isRetried ? n8n.client.retry(failed.id) : night());
		const all = isByHand ? people : bought(name, people, isRetried ? nights : nights + 1);
		expect([...(await done())].sort()).toEqual([...all].sort());
		expect(account.spent.apiCredits).toBe(all.length);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

test.each([...claiming, 'long-pull-in-batches' as const])(
	'%s: when credits run out, what came is there, and the next run buys the rest',
	async (name) => {
		const { account, night, setCredits, store } = await open(n8n, name, {
			account: { apiCredits: 2 },
		});
		for (const later of [1, 2])
			expect(`${later}: ${(await night()).error?.message ?? ''}`).toContain(
				'Not enough API credits (402)',
			);
		expect(await store.done()).toEqual(store.people.slice(0, 2));
		setCredits(100);
		for (const later of [3, 4])
			expect([later, (await night()).error?.message]).toEqual([later, undefined]);
		const all = name === 'long-pull-in-batches' ? store.people : store.people.slice(0, 3);
		expect([account.spent.apiCredits, await store.done()]).toEqual([all.length, all]);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

test.each(byNight)('%s: who was not asked for, or not sent, is not marked', async (name) => {
	const store = await STORES[name](n8n);
	const off = await open(n8n, name, { store, change: disabling(store.pays) });
	await off.night();
	expect([await store.done(), await store.marked()]).toEqual([[], 0]);
	if (!claiming.includes(name)) return;
	const on = await open(n8n, name, { store });
	expect((await on.night()).error?.message).toBeUndefined();
	expect(await store.done()).toEqual(store.people.slice(0, 3));
});

test.each(byNight)('%s: data that is pinned makes nobody somebody else', async (name) => {
	const store = await STORES[name](n8n);
	const first = await open(n8n, name, { store });
	const pinned = (await first.night()).items(store.pays);
	expect(pinned).toHaveLength(3);
	const before = [await store.done(), await store.marked()];
	await store.add?.(3);
	const { credentials, parameters, trigger } = store;
	const account = n8n.service.admin.createAccount();
	const pinData: Fields = {
		[store.pays]: pinned,
		[trigger]: [{ json: { timestamp: '2026-01-01T00:00:00.000Z' } }],
	};
	const again = await importWorkflow(n8n, name, {
		...{ account, credentials, parameters, pinData, how: { trigger } },
	});
	const { status } = await again.run();
	expect([name, status, await store.done()]).toEqual([name, status, before[0]]);
	if (!claiming.includes(name)) expect(await store.marked()).toBe(before[1]);
});

test.each(claiming)(
	'%s: an old time in a trigger that is pinned is no reason to stop',
	async (name) => {
		const store = await STORES[name](n8n);
		const { credentials, parameters, trigger } = store;
		const pinData = { [trigger]: [{ json: { timestamp: '2026-01-01T00:00:00.000Z' } }] };
		const options = { credentials, parameters, pinData, how: { trigger } };
		const { run } = await importWorkflow(n8n, name, options);
		expect((await run()).error?.message).toBeUndefined();
		expect(await store.done()).toEqual(store.people.slice(0, 3));
	},
);

// A data table takes a row from both.
const unique = byNight.filter((name) => name !== 'only-new-leads');
test.each(unique)('%s: two copies at once bring nobody twice', async (name) => {
	const store = await STORES[name](n8n);
	const copies = [await open(n8n, name, { store }), await open(n8n, name, { store })];
	await Promise.all(copies.map(({ night }) => night()));
	expect(await store.done()).toEqual(store.people.slice(0, 3));
	// Google takes a claim from both.
	if (!claiming.includes(name) || name === 'google-sheets-enrichment') return;
	expect(copies.reduce((sum, { account }) => sum + account.spent.apiCredits, 0)).toBe(3);
});

const looksUp = claiming.map((name) => [name] as const);
test.each(looksUp)(
	'%s: profiles that come back under other URLs are done at once',
	async (name) => {
		const readings = { profiles: { renamedEvery: 1 } };
		const { account, night, store } = await open(n8n, name, { account: { readings } });
		for (const count of [1, 2, 3])
			expect([count, (await night()).error?.message]).toEqual([count, undefined]);
		// One for each, and one to find out whose it is.
		expect([account.spent.apiCredits, await store.done()]).toEqual([6, store.people.slice(0, 3)]);
	},
);

describe('What is missing is told with its name before anything is paid:', () => {
	const crm = (statement: string) => async () => await query(n8n.server.database, statement);
	const sheet = (url: string) => ({ Rows: { url: `https://sheets.googleapis.com/v4/${url}` } });
	const none = () => Promise.resolve();
	const profiles = async () => {
		const drop = 'DROP COLUMN lookup';
		await query(
			n8n.server.database,
			`ALTER TABLE ${await storageOf(n8n, 'Profiles in reach')} ${drop}`,
		);
	};
	test.each<[string, StoreName, () => Promise<unknown>, Changes['parameters'], string]>([
		['a table', 'crm-sync-postgres', crm('DROP TABLE contacts'), {}, 'relation "contacts"'],
		['a column', 'crm-sync-postgres', crm('ALTER TABLE contacts DROP phone'), {}, 'column "phone"'],
		[
			'a column of its own',
			'crm-sync-postgres',
			crm('ALTER TABLE contacts DROP lookup_note'),
			{},
			'column "lookup_note"',
		],
		[
			'a spreadsheet',
			'google-sheets-enrichment',
			none,
			sheet('spreadsheets/any/values/Sheet1'),
			'could not be found',
		],
		['a column', 'only-new-leads', profiles, {}, 'lookup'],
	])('%s of %s', async (what, name, remove, parameters = {}, message) => {
		const store = await STORES[name](n8n);
		await remove();
		const { night, requests } = await open(n8n, name, { store, parameters });
		const { error } = await night();
		expect([what, `${error?.message ?? ''} ${error?.description ?? ''}`]).toEqual([
			what,
			expect.stringContaining(message),
		]);
		expect(requests()).toEqual([]);
	});
});

test.each(storeNames)(
	'%s: n8n is killed behind the purchase: nothing is paid for twice by the nights after',
	async (name) => {
		const { account, night, store, start } = await open(n8n, name);
		await store.breakDown('hangs');
		await start();
		await until('it has bought', () => Promise.resolve(account.spent.apiCredits === 3));
		await n8n.server.kill();
		await store.breakDown(undefined);
		await n8n.restart();
		await store.reconnect?.();
		for (const later of [2, 3])
			expect([later, (await night()).error?.message]).toEqual([later, undefined]);
		const filter = encodeURIComponent(JSON.stringify({ status: ['crashed'] }));
		const list = `/executions?filter=${filter}&limit=1`;
		const { results } = await n8n.client.call<{ results: Summary[] }>('GET', list);
		const retry = () => n8n.client.retry(results[0]?.id ?? '');
		if (name === 'long-pull-in-batches') {
			// Nothing claims a batch, so that the one under way is bought once more.
			expect([account.spent.apiCredits, await store.done()]).toEqual([9, store.people]);
		} else if (claiming.includes(name)) {
			await retry();
			expect([account.spent.apiCredits, await store.done()]).toEqual([3, []]);
		} else {
			await retry();
			expect(account.spent.apiCredits).toBe(9);
			expect([...(await store.done())].sort()).toEqual(store.people.slice(0, 9).sort());
		}
	},
	300_000,
);
