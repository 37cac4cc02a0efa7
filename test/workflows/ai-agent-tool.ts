import { leadsChargedTwice, urlsMatching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { startModel } from '../n8n/scriptedModel';
import { chatMessage, importWorkflow } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	test('a preview is free, and a model that asks for 1,000 leads gets 25', async () => {
		const countries = 'Germany';
		const preview = { jobTitles: 'Marketing Manager', countries };
		const search = { jobTitles: '', countries, limit: 1_000 };
		using model = await startModel(n8n.client, [
			[{ tool: 'Preview_leads', input: preview }],
			[{ tool: 'Search_leads', input: search }],
		]);
		const { account, run } = await importWorkflow(n8n, 'ai-agent-tool', {
			credentials: [model.credential],
			parameters: { 'Preview leads': { baseUrl: n8n.service.baseUrl } },
			pinData: chatMessage('Find leads'),
		});
		expect((await run()).status).toBe('success');
		const offered = model.tools().map(({ name }) => name);
		expect(offered.sort()).toEqual(['Preview_leads', 'Search_leads']);
		expect(model.answers()).toEqual([
			expect.stringContaining('Marketing Manager'),
			expect.stringContaining('work_email'),
		]);
		expect(account.spent.apiCredits).toBe(25);
	});

	test('five more are the next five, for five credits', async () => {
		const search = { jobTitles: '', countries: 'Iceland', limit: 5 };
		using model = await startModel(n8n.client, [
			[{ tool: 'Search_leads', input: { ...search, skip: 0 } }],
			[{ tool: 'Search_leads', input: { ...search, skip: 5 } }],
		]);
		const { account, run } = await importWorkflow(n8n, 'ai-agent-tool', {
			credentials: [model.credential],
			parameters: { 'Preview leads': { baseUrl: n8n.service.baseUrl } },
			pinData: chatMessage('Find five, then five more'),
		});
		expect((await run()).status).toBe('success');
		const next = urlsMatching({ person_location_country: ['Iceland'] }).slice(0, 10);
		const answers = [next.slice(0, 5), next.slice(5)].map((urls) =>
			urls.map((url) => expect.stringContaining(url) as string),
		);
		for (const [index, answer] of model.answers().entries())
			for (const url of answers[index] ?? []) expect(answer).toEqual(url);
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([10, []]);
	});
}
