import { randomUUID } from 'node:crypto';

import { ICELAND_LEADS } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { addressOf, connect } from '../n8n/mcpClient';
import { importWorkflow } from './fixture';

const iceland = { jobTitles: '', countries: 'Iceland' };

export function testWorkflow(n8n: TestN8n): void {
	test('an app looks for free, and gets 25 leads of 1,000, which are paid once', async () => {
		const { client, server } = n8n;
		const { baseUrl } = n8n.service;
		const header = { name: 'x-leads', value: randomUUID() };
		const access = await client.createCredential('httpHeaderAuth', randomUUID(), header);
		const { account, workflow } = await importWorkflow(n8n, 'mcp-server', {
			credentials: [access],
			parameters: { 'Preview leads': { baseUrl }, 'Count leads': { baseUrl } },
		});
		await client.activate(workflow);
		const url = await addressOf(server, 'business-leads');
		await expect(connect(url)).rejects.toThrow();
		const app = await connect(url, { [header.name]: header.value });
		const tools = (await app.tools()).map((tool) => tool.name).sort();
		expect(tools).toEqual(['Count_leads', 'Preview_leads', 'Search_leads']);
		const preview = await app.call('Preview_leads', iceland);
		expect(preview.filter(({ full_name }) => full_name)).toHaveLength(5);
		expect(await app.call('Count_leads', iceland)).toMatchObject([{ count: ICELAND_LEADS }]);
		expect(account.spent.apiCredits).toBe(0);
		const wanted = { ...iceland, limit: 1_000, skip: 0 };
		for (const credits of [25, 0]) {
			const bought = await app.call('Search_leads', wanted);
			expect(bought.filter(({ work_email }) => work_email !== undefined)).toHaveLength(25);
			expect(bought.at(-1)).toMatchObject({ usage: { credits, creditsSoFar: 25 } });
		}
		const [refusal] = await app.call('Search_leads', { ...iceland, limit: 5, skip: 25 });
		expect(refusal?.error).toContain("'Max Credits' (25 credits) is spent");
		expect(account.spent.apiCredits).toBe(25);
		await client.deactivate(workflow);
	});
}
