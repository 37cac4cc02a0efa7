import { randomUUID } from 'node:crypto';

import { credentialOf, type TestN8n } from '../n8n/harness';
import { startModel } from '../n8n/scriptedModel';
import { changed, readWorkflow } from './fixture';

export function aiAgentTool(n8n: TestN8n): void {
	test('a preview is free, and a model that asks for 1,000 leads gets 25', async () => {
		const { client, service } = n8n;
		const account = service.admin.createAccount();
		const countries = 'Germany';
		const preview = { jobTitles: 'Marketing Manager', countries };
		const search = { jobTitles: '', countries, limit: 1_000 };
		using model = await startModel(client, [
			[{ tool: 'Preview_leads', input: preview }],
			[{ tool: 'Search_leads', input: search }],
		]);
		const workflow = changed(readWorkflow('ai-agent-tool'), {
			credentials: [model.credential, await credentialOf(n8n, account)],
			parameters: { 'Preview leads': { baseUrl: service.baseUrl } },
		});
		const message = { chatInput: 'Find leads', sessionId: randomUUID() };
		const pinData = { 'When chat message received': [{ json: message }] };
		expect((await client.execute({ ...workflow, pinData })).status).toBe('success');
		const offered = model.tools().map(({ name }) => name);
		expect(offered.sort()).toEqual(['Preview_leads', 'Search_leads']);
		expect(model.answers()).toEqual([
			expect.stringContaining('Marketing Manager'),
			expect.stringContaining('work_email'),
		]);
		expect(account.spent.apiCredits).toBe(25);
	});
}
