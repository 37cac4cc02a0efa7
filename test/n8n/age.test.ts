/** Tests in a real n8n, whose clock is moved, for how long results are reused. The mock service counts the charges. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { node as ownNode, type Fields, type WorkflowNode } from '../../sandbox/n8n/index';
import { urlsMatching, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';
import { openPolling } from './polls';
import { publish } from './production';

const clockFile = join(tmpdir(), `lead-search-clock-${randomUUID()}`);
const preload = join(__dirname, '..', '..', 'sandbox', 'n8n', 'clock.cjs');
let minutes = 0;

/** Moves n8n's clock. */
function letMinutesPass(more: number): void {
	minutes += more;
	writeFileSync(clockFile, String(minutes * 60_000));
}
letMinutesPass(0);

const n8n = useN8n({ NODE_OPTIONS: `--require=${preload}`, CLOCK_FILE: clockFile });
const filters = { personLocationCountry: 'Iceland' };
const icelandUrls = urlsMatching({ person_location_country: ['Iceland'] });
const everything = { filters, returnAll: true, options: { pageSize: 25, parallelPages: 1 } };

async function open(options: AccountOptions = {}) {
	const account = n8n.service.admin.createAccount({ apiKey: `key-${randomUUID()}`, ...options });
	const credential = await credentialOf(n8n, account);
	return {
		spent: () => account.spent.apiCredits,
		node: (parameters: Fields, more?: Partial<WorkflowNode>) =>
			leadSearch(parameters, credential, more),
		topUp: () => n8n.service.admin.setCredits(account.id, { apiCredits: 10_000 }),
		/** @param absent the positions of leads that aren't in the service's database yet */
		setAbsent: (absent: readonly number[]) =>
			n8n.service.admin.setBehaviour(account.id, { absent }),
	};
}

test('Return All gets the whole new list every 35 minutes, and the same list for 0 credits ten minutes later', async () => {
	const { node, spent, setAbsent } = await open({ leads: 106 });
	const { run } = await publish(n8n, [node(everything)]);
	const costs = [];
	for (const missing of [6, 3, 0]) {
		setAbsent(Array.from({ length: missing }, (_, position) => position));
		for (const wait of [10, 25]) {
			const before = spent();
			const execution = await run();
			costs.push(spent() - before);
			const urls = execution.items('Lead Search').map(({ json }) => json.linkedin_url);
			expect(urls).toEqual(icelandUrls.slice(missing, 106));
			letMinutesPass(wait);
		}
	}
	expect(costs).toEqual([100, 0, 103, 0, 106, 0]);
});

test('a Retry on Monday continues to the end of a list that has grown since Friday, and returns each lead once', async () => {
	const { node, spent, setAbsent, topUp } = await open({ apiCredits: 130, leads: 330 });
	setAbsent(Array.from({ length: 30 }, (_, position) => position));
	const { run } = await publish(n8n, [node(everything)]);
	const friday = await run();
	expect(friday.status).toBe('error');
	letMinutesPass(3 * 24 * 60);
	setAbsent([]);
	topUp();
	const monday = await n8n.client.retry(friday.id, { loadWorkflow: false });
	expect(monday.status).toBe('success');
	const urls = monday.items('Lead Search').map(({ json }) => json.linkedin_url);
	expect([urls.length, new Set(urls).size, spent()]).toEqual([300, 300, 330]);
	// A new execution reuses the 200 leads of Monday, and pays for the 130 leads of Friday.
	letMinutesPass(5);
	await run();
	expect(spent()).toBe(460);
});

test('a Search after a failed node reuses the results of the first Search in a Retry 70 minutes later', async () => {
	const { node, spent } = await open();
	const thirty = { filters, limit: 30 };
	const stop = ownNode('Stop', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Stopped' });
	const nodes = [node(thirty), stop, node(thirty, { name: 'Again', id: randomUUID() })];
	const { workflow, run } = await publish(n8n, nodes);
	const failed = await run();
	expect([failed.status, spent()]).toEqual(['error', 30]);
	letMinutesPass(70);
	const repaired = workflow.nodes.map((one) =>
		one.name === 'Stop' ? { ...one, disabled: true } : one,
	);
	await n8n.client.updateWorkflow(workflow.id, { ...workflow, nodes: repaired });
	const retried = await n8n.client.retry(failed.id, { loadWorkflow: true });
	// The second node searches once for each of the 30 leads.
	expect([retried.status, retried.items('Again').length]).toEqual(['success', 900]);
	expect(spent()).toBe(30);
});

test('a list that grows from 10 to 200 leads after 25 minutes is reused for 30 minutes from then on', async () => {
	const { node, spent } = await open();
	const costs = [];
	for (const [limit, wait] of [
		[10, 25],
		[200, 25],
		[200, 10],
		[200, 0],
	] as const) {
		const { run } = await publish(n8n, [node({ filters, limit })]);
		const before = spent();
		await run();
		costs.push(spent() - before);
		letMinutesPass(wait);
	}
	expect(costs).toEqual([10, 190, 0, 200]);
});

test('a search with the filters of a trigger pays for its leads every hour, and gets 2,000 leads with at most 25 requests', async () => {
	const polling = await openPolling(n8n);
	const search = async (limit: number) => {
		const node = leadSearch({ filters, limit }, polling.credential);
		const { run } = await publish(n8n, [node]);
		return async () => {
			const before = { credits: polling.account.spent.apiCredits, requests: polling.requests() };
			const { status } = await run();
			expect(status).toBe('success');
			return {
				cost: polling.account.spent.apiCredits - before.credits,
				requests: polling.requests() - before.requests,
			};
		};
	};
	const buyEachHour = await search(100);
	for (let batches = 1; batches <= 6; batches++) {
		await polling.publish({ batches });
		await polling.untilDelivered(batches);
		letMinutesPass(30);
		// The search may reuse up to 20 leads that a poll has bought less than an hour ago.
		if (batches % 2 === 0) expect((await buyEachHour()).cost).toBeGreaterThanOrEqual(80);
	}
	const buyMany = await search(2_000);
	const { cost, requests } = await buyMany();
	expect(cost).toBeGreaterThanOrEqual(1_880);
	// A page has 100 leads.
	expect(requests).toBeLessThanOrEqual(25);
});

test('results are reused after the clock was set back, and a trigger continues within its limit per day', async () => {
	const { node, spent } = await open();
	const { run } = await publish(n8n, [node({ filters, limit: 30 })]);
	await run();
	const polling = await openPolling(n8n);
	const twoADay = { perDay: 2 };
	await polling.publish({ ...twoADay, batches: 1 });
	await polling.untilDelivered(1);
	letMinutesPass(-36 * 60);
	await run();
	expect(spent()).toBe(30);
	await polling.publish({ ...twoADay });
	await polling.untilDelivered(2);
	await until('the limit of the day is spent', async () =>
		(await polling.failures()).some((message) => message.includes("'Max Credits per Day' (40)")),
	);
	for (const batches of [polling.charged(), await polling.delivered()])
		expect(batches).toEqual([1, 2]);
});
