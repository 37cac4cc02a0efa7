/** What happens at night and in the editor, to every ready-made workflow that writes what it has bought. */
import type { Workflow } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadsChargedTwice } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { useN8n } from '../n8n/harness';
import { asAtNight, goesWell } from './fixture';
import { open, STORES, storeNames, type Store, type StoreName } from './stores';

/** Those that claim what they buy; of the others a trigger knows what is bought, or a person. */
const claiming: StoreName[] = ['only-new-leads', 'crm-sync-postgres', 'google-sheets-enrichment'];
const sending: StoreName[] = ['hubspot-contacts', 'pipedrive-persons'];
const byNight = [...claiming, ...sending];

const upsideDown = ({ nodes, ...workflow }: Workflow): Workflow => ({
	...workflow,
	nodes: nodes.map(({ position, ...node }) => {
		const [x = 0, y = 0] = position as number[];
		return { ...node, position: [x, -y] };
	}),
});

/** What the API, a tool, and somebody who moves nodes make of a workflow. */
const CHANGES: ReadonlyArray<[string, (workflow: Workflow) => Workflow]> = [
	['with settings {}', (workflow) => ({ ...workflow, settings: {} })],
	['upside down on the canvas', upsideDown],
];

/** As long after the run before that no memory of the nodes reuses what was paid for. */
const atNight = ({ nodes, ...workflow }: Workflow): Workflow => ({
	...workflow,
	nodes: nodes.map(asAtNight),
});

// Several statements hang at once in one test; n8n's own two connections would be all taken.
const n8n = useN8n({ DB_POSTGRESDB_POOL_SIZE: '10' }, { withCrms: true });

/** Those who are bought in so many nights. */
const bought = (name: StoreName, people: readonly string[], nights: number) =>
	people.slice(0, claiming.includes(name) ? 3 : 3 * nights);

describe.each(CHANGES)('%s', (_what, change) => {
	test.each(storeNames)(
		'%s: what was not taken in the first of three nights is there in the end, and paid for once',
		async (name) => {
			const { account, night, store } = await open(n8n, name, { change });
			const { people, done, breakDown } = store;
			await breakDown('refuses');
			const failed = await night();
			expect([failed.status, await done()]).toEqual(['error', []]);
			await breakDown(undefined);
			await goesWell(night, 2);
			if (claiming.includes(name))
				expect([account.spent.apiCredits, await done()]).toEqual([3, []]);
			if (!sending.includes(name)) await goesWell(() => n8n.client.retry(failed.id));
			const all = bought(name, people, 3);
			expect([...(await done())].sort()).toEqual([...all].sort());
			expect(account.spent.apiCredits).toBe(all.length);
			expect(leadsChargedTwice(account)).toEqual([]);
		},
	);
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

const orders = [...claiming, 'long-pull-in-batches' as const].flatMap((name) => [
	[name, 'as it stands', atNight] as const,
	[name, 'upside down', (workflow: Workflow) => atNight(upsideDown(workflow))] as const,
]);
test.each(orders)(
	'%s, %s: when credits run out, what came is there, and the next run buys the rest',
	async (name, _order, change) => {
		const options = { account: { apiCredits: 2 }, change };
		const { account, night, setCredits, store } = await open(n8n, name, options);
		for (const later of [1, 2])
			expect(`${later}: ${(await night()).error?.message ?? ''}`).toContain(
				'Not enough API credits (402)',
			);
		expect(await store.done()).toEqual(store.people.slice(0, 2));
		setCredits(100);
		await goesWell(night, 2);
		const all = name === 'long-pull-in-batches' ? store.people : store.people.slice(0, 3);
		expect([account.spent.apiCredits, await store.done()]).toEqual([all.length, all]);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

test.each(byNight)(
	'%s: a node that is off marks nobody, an old time that is pinned stops nothing, and pinned data makes nobody somebody else',
	async (name) => {
		const store: Store = await STORES[name](n8n);
		const change = ({ nodes, ...workflow }: Workflow): Workflow => ({
			...workflow,
			nodes: nodes.map((node) => ({ ...node, disabled: node.name === store.pays })),
		});
		const off = await open(n8n, name, { store, change });
		await off.night();
		expect([await store.done(), await store.marked()]).toEqual([[], 0]);
		const old = { [store.trigger]: [{ json: { timestamp: '2026-01-01T00:00:00.000Z' } }] };
		const isClaiming = claiming.includes(name);
		const on = await open(n8n, name, { store, pinData: old });
		const asked = await (isClaiming ? on.run() : on.night());
		const people = store.people.slice(0, 3);
		expect([asked.error?.message, await store.done()]).toEqual([undefined, people]);
		const marked = await store.marked();
		await store.add?.(3);
		const pinData = { ...old, [store.pays]: asked.items(store.pays) };
		await (await open(n8n, name, { store, pinData })).run();
		expect(await store.done()).toEqual(people);
		if (!isClaiming) expect(await store.marked()).toBe(marked);
	},
);

// A data table takes a row from both.
const [, ...unique] = byNight;
test.each(unique)('%s: two copies at once bring nobody twice', async (name) => {
	const store: Store = await STORES[name](n8n);
	const isSending = sending.includes(name);
	// Who has two triggers has an audience for each.
	const other = { filters: { personLocationCountry: 'Iceland' }, leadsPerPoll: 3 };
	const parameters = isSending ? { [store.trigger]: other } : {};
	const copies = [await open(n8n, name, { store }), await open(n8n, name, { store, parameters })];
	// Each has read before the other writes.
	for (const { account } of copies)
		n8n.service.admin.addFault({ account: account.id, kind: 'latency', ms: 2_000 });
	await Promise.all(copies.map(({ night }) => night()));
	const done = await store.done();
	const known = done.filter((one) => store.people.includes(one));
	expect(known).toEqual(store.people.slice(0, 3));
	expect([done.length, new Set(done).size]).toEqual(isSending ? [6, 6] : [3, 3]);
	// Google takes a claim from both.
	if (name !== 'crm-sync-postgres') return;
	expect(copies.reduce((sum, { account }) => sum + account.spent.apiCredits, 0)).toBe(3);
});

test.each(claiming)(
	'%s: profiles that come back under other URLs are done at once',
	async (name) => {
		const readings = { profiles: { renamedEvery: 1 } };
		const { account, night, store } = await open(n8n, name, { account: { readings } });
		await goesWell(night, 3);
		// One for each, and one to find out whose it is.
		expect([account.spent.apiCredits, await store.done()]).toEqual([6, store.people.slice(0, 3)]);
	},
);

describe('What is missing is told with its name before anything is paid:', () => {
	const run = (statement: string) => query(n8n.server.database, statement);
	const crm = (statement: string) => async () => {
		const store = await STORES['crm-sync-postgres'](n8n);
		await run(statement);
		return store;
	};
	const google =
		(names: string[], from = '', to = '') =>
		async () => {
			const store = await STORES['google-sheets-enrichment'](n8n);
			store.rows.splice(0, Infinity, names);
			const url = store.parameters.Rows.url.replace(from, to);
			return { ...store, parameters: { ...store.parameters, Rows: { url } } };
		};
	const columns = ['linkedin_url', 'email', 'lookup'];
	const [postgres, sheets] = ['crm-sync-postgres', 'google-sheets-enrichment'] as const;
	test.each<[string, StoreName, () => Promise<Store>, string]>([
		['a table', postgres, crm('DROP TABLE contacts'), 'relation "contacts"'],
		['a column', postgres, crm('ALTER TABLE contacts DROP phone'), 'column "phone"'],
		['a spreadsheet', sheets, google(columns, 'sheets/', 'sheets/x'), 'could not be found'],
		['a column', sheets, google(['lookup', 'Email']), 'url, email, but lookup, Email'],
	])('%s of %s', async (_what, name, lacking, message) => {
		const { night, requests } = await open(n8n, name, { store: await lacking() });
		const { error } = await night();
		expect(`${error?.message ?? ''} ${error?.description ?? ''}`).toContain(message);
		expect(requests()).toEqual([]);
	});
});

describe('n8n is killed behind the purchase:', () => {
	type Killed = Awaited<ReturnType<typeof open>> & { readonly id: string };
	const killed = {} as Record<StoreName, Killed>;

	beforeAll(async () => {
		for (const name of storeNames) {
			const opened = await open(n8n, name, { change: atNight });
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

	test.each(storeNames)('%s: the nights after pay for nothing twice', async (name) => {
		const { account, id, night, store } = killed[name];
		await goesWell(night, 2);
		expect((await n8n.client.execution(id)).status).toBe('crashed');
		if (name === 'long-pull-in-batches') {
			// Nothing claims a batch, so that the one under way is bought once more.
			expect([account.spent.apiCredits, await store.done()]).toEqual([9, store.people]);
			return;
		}
		await n8n.client.retry(id);
		const isClaimed = claiming.includes(name);
		expect(account.spent.apiCredits).toBe(isClaimed ? 3 : 9);
		const there = isClaimed ? [] : store.people.slice(0, 9);
		expect([...(await store.done())].sort()).toEqual([...there].sort());
	});
});
