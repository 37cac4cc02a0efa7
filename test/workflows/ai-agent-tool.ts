import { leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { startModel } from '../n8n/scriptedModel';
import { chatMessage, importWorkflow } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	test('a preview is free, five more are the next ones, and a model that asks for 1,000 gets 25', async () => {
		const audience = { jobTitles: '', countries: 'Iceland' };
		using model = await startModel(n8n.client, [
			[{ tool: 'Preview_leads', input: audience }],
			[{ tool: 'Search_leads', input: { ...audience, limit: 5, skip: 0 } }],
			[{ tool: 'Search_leads', input: { ...audience, limit: 1_000, skip: 5 } }],
		]);
		const { account, run } = await importWorkflow(n8n, 'ai-agent-tool', {
			credentials: [model.credential],
			parameters: { 'Preview leads': { baseUrl: n8n.service.baseUrl } },
			pinData: chatMessage('Find leads'),
		});
		expect((await run()).status).toBe('success');
		const offered = model.tools().map(({ name }) => name);
		expect(offered.sort()).toEqual(['Preview_leads', 'Search_leads']);
		const icelanders = matching({ person_location_country: ['Iceland'] });
		const people = Array.from(icelanders.slice(0, 25), leadAt);
		const [preview, ...searches] = model.answers();
		expect(preview).toContain(people[0]?.full_name);
		const urlsIn = (text: string) => people.map(({ linkedin_url: url }) => text.includes(url));
		const first = people.map((_, at) => at < 5);
		expect(searches.map(urlsIn)).toEqual([first, first.map((isFirst) => !isFirst)]);
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([25, []]);
	});
}
