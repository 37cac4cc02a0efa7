import { node } from '../../sandbox/n8n/index';
import { leadsChargedTwice, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow } from './fixture';
import { startLocalServer } from './localServer';

export function testWorkflow(n8n: TestN8n): void {
	const [url, path] = ['/leads', '/alerts'];

	/** @param takes what a CRM answers to the nth lead: whether it takes it, or a status, or 0 for none */
	async function prepare(
		options: AccountOptions,
		{ leadsPerPoll, inTotal }: { leadsPerPoll: number; inTotal: number },
		takes: (lead: number) => unknown = () => ({ ok: true }),
	) {
		let lead = 0;
		const server = await startLocalServer((request) =>
			request.path === url ? takes(lead++) : { ok: true },
		);
		const parameters = {
			...{ method: 'POST', url: `${server.url}${url}`, sendBody: true, options: {} },
			bodyParameters: { parameters: [{ name: 'url', value: '={{ $json.linkedin_url }}' }] },
		};
		const account = n8n.service.admin.createAccount(options);
		const imported = await importWorkflow(n8n, 'wait-for-credits', {
			account,
			parameters: {
				'Next leads every hour': { leadsPerPoll, options: { maxCreditsInTotal: inTotal } },
				'Post the alert': { url: `${server.url}${path}` },
			},
			appended: [
				{
					after: 'Save the leads',
					node: node('CRM', 'n8n-nodes-base.httpRequest', 4.2, parameters),
				},
			],
		});
		const { workflow } = imported;
		const bodies = (to: string) =>
			server.received.filter((one) => one.path === to).map(({ body }) => body as { url: string });
		const leads = () => bodies(url).map((body) => body.url);
		const alerts = () => bodies(path).map((body) => JSON.stringify(body));
		/** Publishes it, which polls, until so many leads and alerts have come. */
		const poll = async (leadsInAll: number, alertsInAll: number) => {
			await n8n.client.activate(workflow);
			await until('all has come', async () => {
				const executions = await n8n.client.executions(workflow);
				const isBusy = executions.some(({ status }) => !/success|error/.test(status));
				return !isBusy && leads().length >= leadsInAll && alerts().length >= alertsInAll;
			});
			await n8n.client.deactivate(workflow);
		};
		return { ...imported, leads, alerts, poll, [Symbol.dispose]: server.close };
	}

	test('a balance that is topped up: somebody is told, and each lead comes and is paid for once', async () => {
		using pull = await prepare({ apiCredits: 6 }, { leadsPerPoll: 10, inTotal: 30 });
		const { account, alerts, leads, poll, requests, setCredits } = pull;
		await poll(6, 1);
		expect(alerts()[0]).toContain('Not enough API credits (402): 6 leads came');
		setCredits(1_000);
		for (const count of [16, 26, 30]) await poll(count, 1);
		expect([leads().length, new Set(leads()).size]).toEqual([30, 30]);
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([30, []]);
		const { length } = requests();
		await poll(30, 1);
		expect(requests()).toHaveLength(length);
	});

	test.each([
		['one row', (lead: number) => (lead === 1 ? 400 : {})],
		['all rows (400)', () => 400],
		['all rows (429)', () => 429],
		['all rows (500)', () => 500],
		['all rows (no answer)', () => 0],
	])(
		'%s not taken in three nights: each is told, nothing is paid for twice, and Retry hands on all',
		async (_what, takes) => {
			let isUp = false;
			const answer = (lead: number) => (isUp ? {} : takes(lead % 3));
			using pull = await prepare({}, { leadsPerPoll: 3, inTotal: 9 }, answer);
			const { account, alerts, leads, poll, workflow } = pull;
			for (const night of [1, 2, 3]) await poll(night, night);
			expect(alerts()).toHaveLength(3);
			expect(account.spent.apiCredits).toBe(9);
			isUp = true;
			const failed = (await n8n.client.executions(workflow)).filter(
				({ mode, status }) => mode === 'trigger' && status === 'error',
			);
			expect(failed).toHaveLength(3);
			for (const { id } of failed) await n8n.client.retry(id);
			expect(new Set(leads()).size).toBe(9);
			expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([9, []]);
		},
	);
}
