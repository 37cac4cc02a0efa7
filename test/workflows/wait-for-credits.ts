import { node } from '../../sandbox/n8n/index';
import { leadsChargedTwice, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { startLocalServer } from '../n8n/localServer';
import { importWorkflow, poll } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	/** @param takes what a CRM answers to the nth lead: whether it takes it, or a status, or 0 for none */
	async function prepare(options: AccountOptions, takes: (lead: number) => unknown) {
		let lead = 0;
		const server = await startLocalServer(({ path }) => (path === '/leads' ? takes(lead++) : {}));
		const crm = node('CRM', 'n8n-nodes-base.httpRequest', 4.2, {
			...{ method: 'POST', url: `${server.url}/leads`, sendBody: true, options: {} },
			bodyParameters: { parameters: [{ name: 'url', value: '={{ $json.linkedin_url }}' }] },
		});
		const imported = await importWorkflow(n8n, 'wait-for-credits', {
			account: n8n.service.admin.createAccount(options),
			parameters: {
				'Next leads every hour': { leadsPerPoll: 3, options: { maxCreditsInTotal: 6 } },
				'Post the alert': { url: `${server.url}/alerts` },
			},
			appended: [{ after: 'Save the leads', node: crm }],
		});
		const sentTo = (to: string) =>
			server.received.flatMap(({ path, body }) => (path === to ? [body] : []));
		const leads = () => sentTo('/leads').map((body) => (body as { url: string }).url);
		const next = () => poll(n8n, imported.workflow);
		return { ...imported, leads, sentTo, next, [Symbol.dispose]: server.close };
	}

	test('a balance that is topped up: each lead comes and is paid for once', async () => {
		using pull = await prepare({ apiCredits: 2 }, () => ({}));
		const { account, leads, next, setCredits } = pull;
		for (const count of [2, 5, 6]) {
			await next();
			await until('they have come', () => Promise.resolve(leads().length === count));
			expect(new Set(leads()).size).toBe(count);
			setCredits(1_000);
		}
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([6, []]);
	});

	test.each([
		['one row', (lead: number) => (lead === 1 ? 400 : {})],
		['all rows (no answer)', () => 0],
	])(
		'%s not taken: somebody is told, and Retry hands on all, for nothing',
		async (_what, takes) => {
			let isUp = false;
			using pull = await prepare({}, (lead) => (isUp ? {} : takes(lead)));
			const { account, leads, next, sentTo } = pull;
			const { id } = await next();
			await until('somebody is told', () => Promise.resolve(sentTo('/alerts').length === 1));
			isUp = true;
			await n8n.client.retry(id);
			expect([new Set(leads()).size, account.spent.apiCredits]).toEqual([3, 3]);
		},
	);
}
