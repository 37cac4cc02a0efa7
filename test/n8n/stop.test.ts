/** Promise 6: stop means stop, in a real n8n. */
import { chain, manualTrigger } from '../../sandbox/n8n/index';
import { startService, type Account, type LeadService } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, useN8n } from './harness';

const n8n = useN8n();
let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

/** Starts a run of 100 pages of which two come. At most two are asked for at once. */
async function startRun(onError: string, settings: object = {}) {
	const account = service.admin.createAccount();
	for (const page of [3, 4])
		service.admin.addFault({ kind: 'hang', account: account.id, page, times: 'always' });
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
					options: { pageSize: 10, parallelPages: 2 },
				},
				credentials: { leadSearchApi: { id: credential.id, name: credential.name } },
			},
		]),
		settings: { executionOrder: 'v1', ...settings },
	});
	const executionId = await n8n.client.run(workflow);
	return { account, executionId };
}

/** Nothing that was cut off is asked for again, nor is what comes after it. */
function expectNothingAfterwards({ id }: Account): void {
	const pages = service.admin.requests({ account: id }).map(({ page }) => page);
	expect(new Set(pages).size).toBe(pages.length);
	expect(pages).not.toContain(5);
}

/** Lines that match in what n8n has written. */
async function countSaved(pattern: RegExp): Promise<number> {
	return [...(await n8n.everythingSaved()).toString().matchAll(pattern)].length;
}

// n8n keeps no output of a node that it cancels, so the log tells what was charged.
const stopped =
	/Lead Search: the execution was stopped\. .*Your 20 leads are kept for 60 minutes\. Run again: you pay only for the rest\./g;

test.each(['stopWorkflow', 'continueRegularOutput'])(
	'after a cancel no further request leaves the node (On Error: %s)',
	async (onError) => {
		const before = await countSaved(stopped);
		const { account, executionId } = await startRun(onError);
		await service.admin.whenRequest(({ account: id, page }) => id === account.id && page === 3);
		await n8n.client.cancel(executionId);
		const execution = await n8n.client.waitForExecution(executionId);
		expect(execution.status).toBe('canceled');
		await until('the node has ended', async () => (await countSaved(stopped)) > before);
		await service.admin.idle();
		expect(account.spent.apiCredits).toBe(20);
		expectNothingAfterwards(account);
	},
);

test('after the workflow’s timeout no further request leaves the node', async () => {
	const ended = /Lead Search: the execution was stopped/g;
	const before = await countSaved(ended);
	const { account, executionId } = await startRun('stopWorkflow', { executionTimeout: 5 });
	const execution = await n8n.client.waitForExecution(executionId);
	expect(execution.status).toBe('canceled');
	await until('the node has ended', async () => (await countSaved(ended)) > before);
	await service.admin.idle();
	expectNothingAfterwards(account);
});
