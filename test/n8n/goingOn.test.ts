/**
 * Promise 4 after runs that did not end well, in a real n8n: what the next run or a Retry pays. The
 * ledger of the service decides, whatever the node says.
 */
import type { Execution, WorkflowNode } from '../../sandbox/n8n/index';
import {
	leadsChargedTwice,
	startService,
	urlsMatching,
	type AccountOptions,
	type LeadService,
} from '../../sandbox/service';
import { credentialOf, useN8n } from './harness';
import { publish } from './production';

const n8n = useN8n();
const nodeName = 'Lead Search';
const people = (country: string) => urlsMatching({ person_location_country: [country] });
let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

/** A node with an account of its own. */
async function open(
	parameters: Readonly<Record<string, unknown>>,
	onError: string,
	options?: AccountOptions,
) {
	const account = service.admin.createAccount(options);
	const { id, name } = await credentialOf(n8n.client, service, account);
	const node: WorkflowNode = {
		name: nodeName,
		type: 'n8n-nodes-lead-search.leadSearch',
		typeVersion: 1,
		parameters,
		credentials: { leadSearchApi: { id, name } },
		onError,
	};
	return { account, node };
}

const urlsOf = (execution: Execution) =>
	execution
		.items(nodeName)
		.flatMap(({ json }) => (json.error === undefined ? [json.linkedin_url] : []));

const searchAll = {
	resource: 'lead',
	operation: 'buyLeads',
	filters: { personLocationCountry: 'Iceland' },
	returnAll: true,
	// Of several pages at once, one could be charged while it is cancelled.
	options: { pageSize: 25, parallelPages: 1 },
};

const lookUpAll = {
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	linkedinUrls: people('Iceland').slice(0, 100).join('\n'),
	options: { pageSize: 25, onlyWithEmails: false },
};

const settings = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];

test.each(settings)(
	'after a cancel the next execution pays for what is missing alone (On Error: %s)',
	async (onError) => {
		const { account, node } = await open(searchAll, onError, { leads: 100 });
		const { start, run } = await publish(n8n, [node]);
		service.admin.addFault({ kind: 'hang', account: account.id, page: 3 });
		const id = await start();
		await service.admin.whenRequest(
			(request) => request.account === account.id && request.page === 3,
		);
		await n8n.client.cancel(id);
		expect((await n8n.client.waitForExecution(id)).status).toBe('canceled');
		expect(account.spent.apiCredits).toBeGreaterThanOrEqual(50);
		expect(account.spent.apiCredits).toBeLessThan(100);

		const execution = await run();
		expect(execution.status).toBe('success');
		expect(urlsOf(execution)).toEqual(people('Iceland').slice(0, 100));
		expect(account.spent.apiCredits).toBe(100);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

describe('A lookup of 100 URLs with 60 credits, and a top-up', () => {
	async function runOut(onError: string) {
		const buyer = await open(lookUpAll, onError, { apiCredits: 60 });
		const production = await publish(n8n, [buyer.node]);
		const stopped = await production.run();
		expect(buyer.account.spent.apiCredits).toBe(60);
		service.admin.setCredits(buyer.account.id, { apiCredits: 1_000 });
		const expectWhole = (execution: Execution) => {
			expect(execution.status).toBe('success');
			expect(new Set(urlsOf(execution))).toEqual(new Set(people('Iceland').slice(0, 100)));
			expect(urlsOf(execution)).toHaveLength(100);
			expect(buyer.account.spent.apiCredits).toBe(100);
			expect(leadsChargedTwice(buyer.account)).toEqual([]);
		};
		return { ...production, stopped, expectWhole };
	}

	test.each([{ loadWorkflow: false }, { loadWorkflow: true }])(
		'Retry (%j) pays for the other 40',
		async (variant) => {
			const { stopped, expectWhole } = await runOut('stopWorkflow');
			expect(stopped.status).toBe('error');
			expectWhole(await n8n.client.retry(stopped.id, variant));
		},
	);

	test.each(settings)(
		'the next execution pays for the other 40 (On Error: %s)',
		async (onError) => {
			const { run, expectWhole } = await runOut(onError);
			expectWhole(await run());
		},
	);
});

describe('Of two searches, the second fails after 50 of its 80 leads', () => {
	const items: WorkflowNode = {
		name: 'Two countries',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return [['Iceland', 10], ['Germany', 80]].map(([country, limit]) => ({ json: { country, limit } }));`,
		},
	};
	const search = {
		resource: 'lead',
		operation: 'buyLeads',
		filters: { personLocationCountry: '={{ $json.country }}' },
		limit: '={{ $json.limit }}',
		options: { pageSize: 25, maxRetries: 0, parallelPages: 1 },
	};
	const wanted = [...people('Iceland').slice(0, 10), ...people('Germany').slice(0, 80)];

	async function failSecond(onError: string) {
		const buyer = await open(search, onError);
		const production = await publish(n8n, [items, buyer.node]);
		// One page of the first, two of the second.
		service.admin.addFault({
			kind: 'status',
			status: 500,
			account: buyer.account.id,
			nthRequest: 4,
		});
		const stopped = await production.run();
		expect(buyer.account.spent.apiCredits).toBe(60);
		return { ...buyer, ...production, stopped };
	}

	test('Retry pays for the other 30 alone', async () => {
		const { account, stopped } = await failSecond('stopWorkflow');
		expect(stopped.status).toBe('error');
		const execution = await n8n.client.retry(stopped.id);
		expect(urlsOf(execution)).toEqual(wanted);
		expect(account.spent.apiCredits).toBe(90);
		expect(leadsChargedTwice(account)).toEqual([]);
	});

	test('under Continue the leads come out, and the next execution buys the first search anew', async () => {
		const { account, stopped, run } = await failSecond('continueRegularOutput');
		expect(stopped.status).toBe('success');
		expect(urlsOf(stopped)).toEqual(wanted.slice(0, 60));
		const execution = await run();
		expect(urlsOf(execution)).toEqual(wanted);
		// The first went well, so its leads are fresh ones: 10. The second lacked 30.
		expect(account.spent.apiCredits).toBe(60 + 10 + 30);
		expect(leadsChargedTwice(account)).toHaveLength(10);
	});
});
