import { randomUUID } from 'node:crypto';

import { until } from '../../sandbox/until';
import { changed, readWorkflow, saveLeadSearch, type Fixture } from './fixture';
import { startLocalServer, type LocalServer } from './localServer';

/** What a chat model is sent, as far as the tests look at it. */
interface ChatRequest {
	readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
	readonly tools?: ReadonlyArray<{
		readonly function: { readonly name: string; readonly description: string };
	}>;
}

interface Question {
	readonly text: string;
	readonly buttons: ReadonlyArray<{ readonly text: string; readonly link: string }>;
}

/** n8n leaves links that a program opens, such as a chat's preview of them, without effect. */
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0' };

const audience = { jobTitles: '', countries: 'Iceland' };

/** A model that counts, then searches for so many leads, and then says what it was told. */
function scriptedModel(limit: number): Promise<LocalServer> {
	const calls = [
		{ name: 'Count_leads', input: audience },
		{
			name: 'Search_leads',
			input: { toolParameters: { ...audience, limit }, hitlParameters: {} },
		},
	];
	return startLocalServer(({ body }) => {
		const { messages } = body as ChatRequest;
		const call = calls[messages.filter(({ role }) => role === 'assistant').length];
		const message = call
			? {
					role: 'assistant',
					content: null,
					tool_calls: [
						{
							id: `call_${call.name}`,
							type: 'function',
							function: { name: call.name, arguments: JSON.stringify(call.input) },
						},
					],
				}
			: { role: 'assistant', content: 'Done' };
		return {
			id: 'chat_1',
			object: 'chat.completion',
			created: 0,
			model: 'scripted',
			choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
}

export function purchaseApproval(fixture: Fixture): void {
	/** Runs a chat of one message until a person is asked, and answers with one of the buttons. */
	async function chat(limit: number, answer: 'Approve' | 'Decline') {
		const { n8n, service } = fixture;
		const account = service.admin.createAccount();
		const model = await scriptedModel(limit);
		try {
			const openAi = await n8n.client.createCredential('openAiApi', randomUUID(), {
				apiKey: 'none',
				url: `${model.url}/v1`,
			});
			const workflow = changed(readWorkflow('purchase-approval'), {
				credentials: [openAi, await saveLeadSearch(fixture, account)],
				parameters: { 'Count leads': { baseUrl: service.baseUrl } },
			});
			const message = { chatInput: 'Find leads', sessionId: randomUUID() };
			const saved = await n8n.client.createWorkflow({
				...workflow,
				pinData: { 'When chat message received': [{ json: message }] },
			});
			const id = await n8n.client.run(saved);
			const question = await until('a person is asked', async () => {
				const [asked] = (await n8n.client.execution(id)).runs['Ask first'] ?? [];
				const [item] = asked?.outputs.flat() ?? [];
				return (item as { sendMessage?: Question } | undefined)?.sendMessage;
			});
			const before = service.admin.requests({ account: account.id }).length;
			const button = question.buttons.find(({ text }) => text === answer);
			expect((await fetch(button?.link ?? '', { headers: browser })).status).toBe(200);
			const told = await until('the model is told', () => {
				const { messages } = model.received.at(-1)?.body as ChatRequest;
				const tools = messages.filter(({ role }) => role === 'tool');
				return Promise.resolve(tools.length === 2 && JSON.stringify(tools));
			});
			const requests = service.admin.requests({ account: account.id });
			return { account, question, before, requests, told, model: model.received };
		} finally {
			model.close();
		}
	}

	test('the model reads the price, and has counted for free before anybody is asked', async () => {
		const { model, before, told } = await chat(10, 'Decline');
		const { tools = [] } = model[0]?.body as ChatRequest;
		const search = tools.find(({ function: { name } }) => name === 'Search_leads');
		expect(search?.function.description).toContain('1 credit');
		expect(told).toContain('2350');
		expect(before).toBe(0);
	});

	test('the question shows the most that the search can cost; declined, nothing is sent', async () => {
		const { account, question, requests, told } = await chat(1_000, 'Decline');
		expect(question.text).toContain('at most 25 credits');
		expect(question.text).toContain('Countries: Iceland');
		expect(told).toContain('rejected');
		expect(requests).toEqual([]);
		expect(account.spent.apiCredits).toBe(0);
	});

	test('approved, it is one request for what was shown', async () => {
		const { account, question, requests, told } = await chat(10, 'Approve');
		expect(question.text).toContain('at most 10 credits');
		expect(requests.map(({ charged }) => charged)).toEqual([10]);
		expect(account.spent.apiCredits).toBe(10);
		expect(told).toContain('work_email');
	});
}
