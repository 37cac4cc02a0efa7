/**
 * Tests in a real n8n triggers, searches and Retries that share the leads of a list, while the list changes. The mock
 * service counts the charges.
 */
import { randomUUID } from 'node:crypto';

import type { Execution } from '../../sandbox/n8n/index';
import { urlsMatching, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';
import { openPolling, perBatch } from './polls';
import { publish } from './production';

const n8n = useN8n();
const filters = { personLocationCountry: 'Iceland' };
const icelandUrls = urlsMatching({ person_location_country: ['Iceland'] });
const below = (count: number) => Array.from({ length: count }, (_, position) => position);
const urlsOf = (execution: Execution, node: string) =>
	execution.items(node).flatMap(({ json }) => json.linkedin_url ?? []);
const hintsOf = (execution: Execution) => JSON.stringify(execution.runs['Lead Search']);

async function openTrigger(options: AccountOptions) {
	const polling = await openPolling(n8n, options);
	const { account, credential } = polling;
	const pollTimes = async (batches: number) => {
		await polling.publish({ batches });
		await until(`${batches} batches are charged`, () =>
			Promise.resolve(account.spent.apiCredits === batches * perBatch),
		);
	};
	return {
		...polling,
		/** Polls until the trigger has spent the credits of this number of batches. */
		pollTimes,
		setAbsent: (absent: readonly number[]) =>
			n8n.service.admin.setBehaviour(account.id, { absent }),
		/** Runs a search for all leads in a workflow of its own. */
		searchAll: async () => {
			const everything = { filters, returnAll: true };
			const { run } = await publish(n8n, [leadSearch(everything, credential)]);
			const before = account.spent.apiCredits;
			const execution = await run();
			expect(execution.error).toBeUndefined();
			const urls = urlsOf(execution, 'Lead Search');
			return { urls, hints: hintsOf(execution), cost: account.spent.apiCredits - before };
		},
	};
}

test('searches after two polls return each lead once if leads were added at the front between the polls, and each search says so', async () => {
	const { pollTimes, searchAll, setAbsent } = await openTrigger({ leads: 102 });
	setAbsent(below(2));
	await pollTimes(1);
	setAbsent([]);
	await pollTimes(2);
	const { urls, hints, cost } = await searchAll();
	expect([urls.length, new Set(urls).size, cost]).toEqual([100, 100, 62]);
	expect(hints).toContain('2 leads were sent and charged twice.');
	const again = await searchAll();
	expect([again.urls, again.cost]).toEqual([urls, 0]);
	expect(again.hints).toContain('2 leads were sent and charged twice when they were bought');
});

test('a trigger delivers no lead twice from a list whose order changes in each request', async () => {
	const { account, pollTimes, executions } = await openTrigger({ leads: 200, ties: 200 });
	await pollTimes(10);
	const different = new Set(account.chargedLeads).size;
	expect(different).toBeLessThan(200);
	const urls = await until('all leads are delivered', async () => {
		const ended = await executions();
		const done = await Promise.all(ended.map((id) => n8n.client.waitForExecution(id)));
		const delivered = done.flatMap((execution) => urlsOf(execution, 'Done'));
		return delivered.length >= different && delivered;
	});
	expect([urls.length, new Set(urls).size]).toEqual([different, different]);
});

test('the Retry of a search with an unexpected response returns the leads of that response for 0 credits', async () => {
	const account = n8n.service.admin.createAccount({
		apiCredits: 50,
		apiKey: `key-${randomUUID()}`,
	});
	const fault = { kind: 'merge', merge: { page: 9 }, account: account.id, page: 2 } as const;
	n8n.service.admin.addFault(fault);
	const options = { pageSize: 25, parallelPages: 1, maxRetries: 0 };
	const search = leadSearch({ filters, limit: 75, options }, await credentialOf(n8n, account));
	const { workflow, run } = await publish(n8n, [search]);
	const failed = await run();
	expect([failed.status, account.spent.apiCredits]).toEqual(['error', 50]);
	await n8n.restart();
	const nodes = workflow.nodes.map((node) => ({ ...node, onError: 'continueRegularOutput' }));
	await n8n.client.updateWorkflow(workflow.id, { ...workflow, nodes });
	const retried = await n8n.client.retry(failed.id, { loadWorkflow: true });
	expect(urlsOf(retried, 'Lead Search')).toEqual(icelandUrls.slice(0, 50));
	expect(account.spent.apiCredits).toBe(50);
});
