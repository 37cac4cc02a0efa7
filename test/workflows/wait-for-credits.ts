import { node } from '../../sandbox/n8n/index';
import { leadsChargedTwice, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow, poll } from './fixture';
import { startLocalServer } from './localServer';

export function testWorkflow(n8n: TestN8n): void {
	/** @param takes what a CRM answers to the nth lead: whether it takes it, or a status, or 0 for none */
	async function prepare(options: AccountOptions, takes: (lead: number) => unknown) {
		let lead = 0;
		const server = await startLocalServer(({ path }) => (path === '/leads' ? takes(lead++) : {}));
		const parameters = {
			...{ method: 'POST', url: `${server.url}/leads`, sendBody: true, options: {} },
			bodyParameters: { parameters: [{ name: 'url', value: '={{ $json.linkedin_url }}' }] },
		};
		const account = n8n.service.admin.createAccount(options);
		const trigger = { leadsPerPoll: 3, options: { maxCreditsInTotal: 9 } };
		const imported = await importWorkflow(n8n, 'wait-for-credits', {
			account,
			parameters: {
				'Next leads every hour': trigger,
				'Post the alert': { url: `${server.url}/alerts` },
			},
			appended: [
				{
					after: 'Save the leads',
					node: node('CRM', 'n8n-nodes-base.httpRequest', 4.2, parameters),
				},
			],
		});
		const bodies = (to: string) => server.received.filter(({ path }) => path === to);
		const leads = () => bodies('/leads').map(({ body }) => (body as { url: string }).url);
		const alerts = () => bodies('/alerts').map(({ body }) => JSON.stringify(body));
		const next = () => poll(n8n, imported.workflow);
		return { ...imported, leads, alerts, next, [Symbol.dispose]: server.close };
	}

	test('a balance that is topped up: each lead comes and is paid for once', async () => {
		using pull = await prepare({ apiCredits: 2 }, () => ({}));
		const { account, leads, next, setCredits } = pull;
		await next();
		expect(leads()).toHaveLength(2);
		setCredits(1_000);
		for (const count of [5, 8, 9]) {
			await next();
			expect(leads()).toHaveLength(count);
		}
		expect(new Set(leads()).size).toBe(9);
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([9, []]);
	});

	test.each([
		['one row', (lead: number) => (lead === 1 ? 400 : {})],
		['all rows (no answer)', () => 0],
	])(
		'%s not taken: somebody is told, and Retry hands on all, for nothing',
		async (_what, takes) => {
			let isUp = false;
			using pull = await prepare({}, (lead) => (isUp ? {} : takes(lead % 3)));
			const { account, alerts, leads, next } = pull;
			const failed = [await next(), await next()];
			await until('both are told', () => Promise.resolve(alerts().length === 2));
			isUp = true;
			for (const { id } of failed) await n8n.client.retry(id);
			expect(new Set(leads()).size).toBe(6);
			expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([6, []]);
		},
	);
}
