/** Promise 6: stop means stop, in a real n8n. */
import { setTimeout as sleep } from 'node:timers/promises';

import { chain, manualTrigger } from '../../sandbox/n8n/index';
import { startService, type LeadService } from '../../sandbox/service';
import { credentialOf, useN8n } from './harness';

const n8n = useN8n();
let service: LeadService;

beforeAll(async () => {
	service = await startService();
	service.admin.addFault({ kind: 'latency', ms: 300, times: 'always' });
});

afterAll(async () => {
	await service.close();
});

/** Starts a run of 100 slow pages, and waits until the third one has been asked for. */
async function startSlowRun(onError: string, settings: object = {}) {
	const account = service.admin.createAccount();
	const credential = await credentialOf(n8n.client, service, account);
	const workflow = await n8n.client.createWorkflow({
		...chain('Slow', [
			manualTrigger,
			{
				name: 'Lead Search',
				type: 'n8n-nodes-lead-search.leadSearch',
				typeVersion: 1,
				onError,
				parameters: {
					resource: 'lead',
					operation: 'buyLeads',
					limit: 1_000,
					options: { pageSize: 10 },
				},
				credentials: { leadSearchApi: { id: credential.id, name: credential.name } },
			},
		]),
		settings: { executionOrder: 'v1', ...settings },
	});
	const executionId = await n8n.client.run(workflow);
	await service.admin.whenRequest(({ account: id, page }) => id === account.id && page === 3);
	return { account, executionId };
}

test.each(['stopWorkflow', 'continueRegularOutput'])(
	'after a cancel no further request leaves the node (On Error: %s)',
	async (onError) => {
		const { account, executionId } = await startSlowRun(onError);
		await n8n.client.cancel(executionId);
		const sent = service.admin.requests({ account: account.id }).length;
		// Five seconds are sixteen pages, one after the other.
		await sleep(5_000);
		expect(service.admin.requests({ account: account.id })).toHaveLength(sent);
		const execution = await n8n.client.waitForExecution(executionId);
		expect(execution.status).toBe('canceled');
		// n8n keeps no output of a node that it cancels, so the log tells what was charged.
		expect(account.spent.apiCredits).toBeGreaterThanOrEqual(20);
		const saved = (await n8n.everythingSaved()).toString();
		expect(saved).toMatch(
			/Lead Search: the execution was stopped\. .*20 leads came before.*Run again within 60 minutes: what was charged is kept in n8n's memory and not paid again\. After that, set 'Skip' \(under Options\) to 20 and 'Limit' to 980/,
		);
	},
);

test('after the workflow’s timeout no further request leaves the node', async () => {
	const { account, executionId } = await startSlowRun('stopWorkflow', { executionTimeout: 2 });
	const execution = await n8n.client.waitForExecution(executionId);
	expect(execution.status).toBe('canceled');
	const sent = service.admin.requests({ account: account.id }).length;
	expect(sent).toBeLessThan(100);
	await sleep(5_000);
	expect(service.admin.requests({ account: account.id })).toHaveLength(sent);
});
