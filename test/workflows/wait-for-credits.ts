import { node } from '../../sandbox/n8n/index';
import { leadsChargedTwice, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow, poll } from './fixture';
import { startLocalServer } from '../n8n/localServer';

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
		const next = () => poll(n8n, imported.workflow);
		return { ...imported, sentTo, next, [Symbol.dispose]: server.close };
	}

	test.each([
		['all', () => ({})],
		['all but one row', (lead: number) => (lead === 1 ? 400 : {})],
		['nothing (no answer)', () => 0],
	])(
		'a balance that is topped up, and a CRM that takes %s: who is not taken is told and comes by Retry, and each is paid for once',
		async (what, takes) => {
			let isUp = what === 'all';
			using pull = await prepare({ apiCredits: 2 }, (lead) => (isUp ? {} : takes(lead)));
			const { account, next, sentTo, setCredits } = pull;
			const first = await next();
			setCredits(1_000);
			const told = isUp ? 0 : 1;
			await until('somebody is told', () => Promise.resolve(sentTo('/alerts').length === told));
			isUp = true;
			if (told > 0) await n8n.client.retry(first.id);
			for (const count of [5, 6]) {
				await next();
				const leads = sentTo('/leads').map((body) => (body as { url: string }).url);
				expect(new Set(leads).size).toBe(count);
			}
			expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([6, []]);
		},
	);
}
