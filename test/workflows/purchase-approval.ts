import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { startModel } from '../n8n/scriptedModel';
import { chatMessage, importWorkflow } from './fixture';

type Question = Readonly<{ text: string; buttons: Array<{ text: string; link: string }> }>;

/** n8n leaves links that a program opens, such as a chat's preview of them, without effect. */
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0' };

const audience = { jobTitles: '', countries: 'Iceland' };

export function testWorkflow(n8n: TestN8n): void {
	test.each([
		// Of what is asked for, the maximum of the node counts.
		[1_000, 25, 'Decline', [], 'rejected'],
		[10, 10, 'Approve', [10], 'work_email'],
	])(
		'a search for %i leads is asked about as at most %i credits: %s',
		async (limit, most, answer, charged, told) => {
			const { client, service } = n8n;
			const search = { toolParameters: { ...audience, limit }, hitlParameters: {} };
			using model = await startModel(client, [
				[{ tool: 'Count_leads', input: audience }],
				[{ tool: 'Search_leads', input: search }],
			]);
			const { start, requests } = await importWorkflow(n8n, 'purchase-approval', {
				credentials: [model.credential],
				parameters: { 'Count leads': { baseUrl: service.baseUrl } },
				pinData: chatMessage('Find leads'),
			});
			const id = await start();
			const question = await until('a person is asked', async () => {
				const [asked] = (await client.execution(id)).runs['Ask first'] ?? [];
				const [item] = asked?.outputs.flat() ?? [];
				return (item as { sendMessage?: Question } | undefined)?.sendMessage;
			});
			expect(question.text).toContain(`at most ${most} credits`);
			expect(question.text).toContain('Countries: Iceland');
			expect(requests()).toEqual([]);
			const button = question.buttons.find(({ text }) => text === answer);
			expect((await fetch(button?.link ?? '', { headers: browser })).status).toBe(200);
			await until('the model is told', () => Promise.resolve(model.answers().length === 2));
			const answers = ['2350', told].map((text) => expect.stringContaining(text) as string);
			expect(model.answers()).toEqual(answers);
			const offered = model.tools().find(({ name }) => name === 'Search_leads');
			expect(offered?.description).toContain('1 credit');
			expect(requests().map((request) => request.charged)).toEqual(charged);
		},
	);
}
