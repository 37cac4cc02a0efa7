/**
 * Tests what a restart of n8n costs, and a kill while a node after a search runs. The mock service counts the charges.
 */
import type { Execution, Fields } from '../../sandbox/n8n/index';
import { urlsMatching } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';
import { startLaterNode } from './laterNode';
import { openMcpSearch } from './mcpSearch';
import { onceAYear, openPolling, perBatch, type Polling } from './polls';
import { publish } from './production';

const n8n = useN8n();
const filters = { personLocationCountry: 'Iceland' };
const icelandUrls = urlsMatching({ person_location_country: ['Iceland'] });

/** Publishes a search. Its `buy` resolves with the cost of a run. */
async function openSearch() {
	const account = n8n.service.admin.createAccount();
	const credential = await credentialOf(n8n, account);
	const { run } = await publish(n8n, [leadSearch({ filters, limit: 50 }, credential)]);
	return {
		buy: async () => {
			const before = account.spent.apiCredits;
			expect((await run()).items('Lead Search')).toHaveLength(50);
			return account.spent.apiCredits - before;
		},
	};
}

/** Runs a search that fails because its 60 credits run out. n8n doesn't save the failed execution. */
async function failUnsavedSearch() {
	const { admin } = n8n.service;
	const account = admin.createAccount({ apiCredits: 60, leads: 80 });
	const credential = await credentialOf(n8n, account);
	const options = { pageSize: 25, parallelPages: 1 };
	const search = leadSearch({ filters, returnAll: true, options }, credential);
	const { workflow, post, run } = await publish(n8n, [search], ({ settings, ...unchanged }) => ({
		...unchanged,
		settings: { ...(settings as Fields), saveDataErrorExecution: 'none' },
	}));
	await post();
	await until('n8n has deleted the failed execution', async () => {
		const hasFailed = admin.requests({ account: account.id }).some(({ status }) => status === 402);
		return hasFailed && (await n8n.client.executions(workflow)).length === 0;
	});
	admin.setCredits(account.id, { apiCredits: 1_000 });
	return {
		/** Runs the search again. Resolves with the cost of both runs. */
		runAgain: async () => {
			expect((await run()).items('Lead Search')).toHaveLength(80);
			return account.spent.apiCredits;
		},
	};
}

interface Retried {
	killed: Execution;
	retried: Execution;
	costs: number[];
}

const costs: Record<'search' | 'mcp' | 'unsaved', number[]> = { search: [], mcp: [], unsaved: [] };
const retries = new Map<string, Retried>();
let polling: Polling;

beforeAll(async () => {
	const search = await openSearch();
	costs.search.push(await search.buy(), await search.buy());
	const mcp = await openMcpSearch(n8n, { limit: 30, creditCeiling: 30 });
	costs.mcp.push(await mcp.buy('Iceland'), await mcp.buy('Germany'));
	const unsaved = [await failUnsavedSearch(), await failUnsavedSearch()] as const;
	costs.unsaved.push(await unsaved[0].runAgain());
	polling = await openPolling(n8n);
	await polling.publish({ times: onceAYear, perDay: 1 });
	await polling.untilDelivered(1);

	await n8n.restart();
	costs.search.push(await search.buy());
	costs.mcp.push(await mcp.buy('Iceland'));
	costs.unsaved.push(await unsaved[1].runAgain());
	await polling.publish({ perDay: 1 });
	await until('a poll has failed', async () => (await polling.failures()).length > 0);
	await polling.unpublish();

	const later = { on: await startLaterNode(n8n, true), off: await startLaterNode(n8n, false) };
	await n8n.server.kill();
	n8n.service.admin.clearFaults();
	await n8n.restart();
	for (const [progress, { id, spent }] of Object.entries(later)) {
		const before = spent();
		const killed = await n8n.client.waitForExecution(id);
		const retried = await n8n.client.retry(id);
		retries.set(progress, { killed, retried, costs: [before, spent() - before] });
	}
}, 600_000);

test('the same search costs nothing before a restart, and everything after it', () => {
	expect(costs.search).toEqual([50, 0, 50]);
});

test('after a restart, MCP calls may spend the Credit Ceiling again', () => {
	expect(costs.mcp).toEqual([30, 0, 30]);
});

test('a failed search that n8n does not save pays only for the rest before a restart, and for everything after it', () => {
	expect(costs.unsaved).toEqual([80, 60 + 80]);
});

test('the credits that a trigger has spent today still count after a restart of n8n', async () => {
	expect(polling.charged()).toEqual([1]);
	expect(await polling.failures()).toEqual([
		expect.stringContaining(`'Max Credits per Day' (${perBatch})`),
	]);
});

test.each([
	['on', 'nothing', 0],
	['off', 'for everything', 50],
])(
	'after a kill of n8n in a later node, a Retry with Save execution progress %s pays %s',
	(progress, _, cost) => {
		const { killed, retried, costs: paid } = retries.get(progress) ?? {};
		// If n8n has lost the output of a node, its recovery adds an item without a URL.
		const urls = [killed, retried].map((execution) =>
			execution?.items('Lead Search').flatMap(({ json }) => json.linkedin_url ?? []),
		);
		const all = icelandUrls.slice(0, 50);
		expect(urls).toEqual([progress === 'on' ? all : [], all]);
		expect([killed?.status, retried?.status]).toEqual(['crashed', 'success']);
		expect(retried?.items('Later')).toHaveLength(10);
		expect(paid).toEqual([50, cost]);
	},
);
