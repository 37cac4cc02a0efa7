/**
 * Lead Search as a tool of an AI agent that calls it several times: what it pays, and what it is
 * told. The model is scripted, everything else is n8n's own agent.
 */
import { randomUUID } from 'node:crypto';

import { manualTrigger, type Workflow } from '../../sandbox/n8n/index';
import {
	leadsChargedTwice,
	startService,
	urlsMatching,
	type LeadService,
} from '../../sandbox/service';
import { startLocalServer, type LocalServer } from '../workflows/localServer';
import { credentialOf, useN8n } from './harness';

const n8n = useN8n();
let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

/** The part of a chat request that the script looks at. */
interface ChatRequest {
	readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
}

/** What the tool is called with. */
interface Question {
	readonly country: string;
	readonly limit: number;
}

/** An item of the tool's answer. */
type Answer = Readonly<Record<string, unknown>>;

/** A model that calls the tool in turns, with all questions of a turn at once, and then says so. */
function scriptedModel(turns: ReadonlyArray<readonly Question[]>): Promise<LocalServer> {
	return startLocalServer(({ body }) => {
		const { messages } = body as ChatRequest;
		const turn = messages.filter(({ role }) => role === 'assistant').length;
		const questions = turns[turn];
		const calls = questions?.map((question, index) => ({
			id: `call_${turn}_${index}`,
			type: 'function',
			function: { name: 'Search_leads', arguments: JSON.stringify(question) },
		}));
		return {
			id: `chat_${turn}`,
			object: 'chat.completion',
			created: 0,
			model: 'scripted',
			choices: [
				{
					index: 0,
					message: calls
						? { role: 'assistant', content: null, tool_calls: calls }
						: { role: 'assistant', content: 'Done' },
					finish_reason: calls ? 'tool_calls' : 'stop',
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
}

/**
 * Versions of n8n's agent: the older one makes the calls of a turn itself, all at once; the newer one
 * has n8n run the tool for one after the other.
 */
const AGENTS = [2.2, 3.1] as const;

/** Somebody with an account, and an agent with the tool. */
async function open(
	agentVersion: number,
	options: Readonly<Record<string, unknown>>,
	more: Readonly<Record<string, unknown>> = {},
) {
	const account = service.admin.createAccount();
	const leadSearchApi = await credentialOf(n8n.client, service, account);
	/** Lets the agent run once. Resolves with the tool's answers, as the model saw them. */
	async function ask(turns: ReadonlyArray<readonly Question[]>): Promise<Answer[][]> {
		const model = await scriptedModel(turns);
		try {
			const openAiApi = await n8n.client.createCredential('openAiApi', randomUUID(), {
				apiKey: 'none',
				url: `${model.url}/v1`,
			});
			const execution = await n8n.client.execute(
				agent(agentVersion, { leadSearchApi, openAiApi }, { options, ...more }),
			);
			expect(execution.error).toBeUndefined();
			expect(execution.items('AI Agent')).toMatchObject([{ json: { output: 'Done' } }]);
			const { messages } = model.received.at(-1)?.body as ChatRequest;
			return messages.filter(({ role }) => role === 'tool').map(readAnswer);
		} finally {
			model.close();
		}
	}
	return {
		account,
		ask,
		requests: () => service.admin.requests({ account: account.id }).length,
	};
}

function agent(
	typeVersion: number,
	credentials: Readonly<Record<string, { readonly id: string; readonly name: string }>>,
	parameters: Readonly<Record<string, unknown>>,
): Workflow {
	const { leadSearchApi, openAiApi } = credentials;
	const to = (type: string) => ({ [type]: [[{ node: 'AI Agent', type, index: 0 }]] });
	return {
		name: 'Agent',
		nodes: [
			manualTrigger,
			{
				name: 'AI Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion,
				parameters: { promptType: 'define', text: 'Find leads', options: {} },
			},
			{
				name: 'Chat model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
				credentials: { ...(openAiApi && { openAiApi }) },
			},
			{
				name: 'Search leads',
				type: 'n8n-nodes-lead-search.leadSearchTool',
				typeVersion: 1,
				parameters: {
					descriptionType: 'manual',
					toolDescription: 'Searches business leads',
					resource: 'lead',
					operation: 'buyLeads',
					filters: {
						personLocationCountry: "={{ $fromAI('country', 'Country', 'string') }}",
					},
					limit: "={{ $fromAI('limit', 'How many leads', 'number') }}",
					...parameters,
				},
				credentials: { ...(leadSearchApi && { leadSearchApi }) },
			},
		],
		connections: {
			[manualTrigger.name]: to('main'),
			'Chat model': to('ai_languageModel'),
			'Search leads': to('ai_tool'),
		},
		settings: { executionOrder: 'v1' },
	};
}

/** The items of a tool message: JSON, which n8n may have put into a list with one entry. */
function readAnswer({ content }: ChatRequest['messages'][number]): Answer[] {
	const text = typeof content === 'string' ? content : JSON.stringify(content);
	const answer = JSON.parse(text) as unknown;
	if (!Array.isArray(answer)) throw new Error(`The tool answered ${text.slice(0, 200)}`);
	return (answer as Answer[]).flatMap(({ response, ...item }) =>
		Array.isArray(response) ? (response as Answer[]) : [item],
	);
}

const urlsOf = (answer: readonly Answer[] = []) =>
	answer.flatMap(({ linkedin_url }) => (linkedin_url === undefined ? [] : [linkedin_url]));

const errorsOf = (answer: readonly Answer[] = []) =>
	answer.filter(({ error }) => error !== undefined);

const people = (country: string) => urlsMatching({ person_location_country: [country] });

const iceland = { country: 'Iceland', limit: 10 };
/** Nothing is kept beyond the execution, so nothing but the execution explains what isn't paid. */
const withinExecution = { reusePaidResults: 0 };

const threeQuestions: Question[] = [
	{ country: 'Iceland', limit: 20 },
	{ country: 'Germany', limit: 20 },
	{ country: 'France', limit: 20 },
];

async function expectPaidOnce(agentVersion: number, turns: Question[][]): Promise<void> {
	const { account, ask, requests } = await open(agentVersion, withinExecution);
	const [first, second] = await ask(turns);
	expect(urlsOf(first)).toEqual(people('Iceland').slice(0, 10));
	expect(second).toEqual(first);
	expect(account.spent.apiCredits).toBe(10);
	expect(requests()).toBe(1);
}

async function expectWithinMaximum(agentVersion: number, turns: Question[][]): Promise<void> {
	const { account, ask } = await open(agentVersion, { maxCredits: 25, ...withinExecution });
	const answers = await ask(turns);
	expect(account.spent.apiCredits).toBe(25);
	expect(answers.flatMap(urlsOf)).toHaveLength(25);
	// Which of the calls gets what is left is not ours to say.
	expect(answers.flatMap(errorsOf).map(({ error }) => error)).toEqual(
		expect.arrayContaining([
			'This result is cut: there may be more than is returned here',
			'Max Credits per Execution (25 credits) is spent, so nothing was fetched',
		]),
	);

	// The next execution has a maximum of its own.
	await ask([[{ country: 'Iceland', limit: 20 }]]);
	expect(account.spent.apiCredits).toBe(45);
}

describe.each(AGENTS)('An agent of version %s', (version) => {
	test('asks the same twice, pays once and is answered twice', async () => {
		await expectPaidOnce(version, [[iceland], [iceland]]);
	});

	test('asks for more of the same and pays for what is missing alone', async () => {
		const { account, ask } = await open(version, withinExecution);
		const [, second] = await ask([[iceland], [{ ...iceland, limit: 25 }]]);
		expect(urlsOf(second)).toEqual(people('Iceland').slice(0, 25));
		expect(account.spent.apiCredits).toBe(25);
		expect(leadsChargedTwice(account)).toEqual([]);
	});

	test('pays anew in an execution of its own', async () => {
		const { account, ask } = await open(version, withinExecution);
		await ask([[iceland]]);
		await ask([[iceland]]);
		expect(account.spent.apiCredits).toBe(20);
	});

	test.each([
		[{ simplify: false }, expect.arrayContaining(['full_name', 'work_email']) as string[]],
		[{ output: 'raw' }, expect.arrayContaining(['full_name', 'raw']) as string[]],
		[
			{ output: 'selectedFields', fields: ['work_email', 'city'] },
			['linkedin_url', 'work_email', 'city'],
		],
	])('is given the fields of %j', async (more, fields) => {
		const { ask } = await open(version, {}, more);
		const [[lead = {}] = []] = await ask([[iceland]]);
		expect(Object.keys(lead)).toEqual(fields);
	});

	test('is told when the maximum cuts a result, and only then', async () => {
		const { account, ask } = await open(version, { maxCredits: 25 });
		const [whole] = await ask([[{ country: 'Iceland', limit: 25 }]]);
		expect(errorsOf(whole)).toEqual([]);
		const [cut] = await ask([[{ country: 'Germany', limit: 50 }]]);
		expect(urlsOf(cut)).toEqual(people('Germany').slice(0, 25));
		expect(errorsOf(cut)).toEqual([
			expect.objectContaining({
				error: 'This result is cut: there may be more than is returned here',
				message: expect.stringContaining(
					'Max Credits per Execution (25 credits) was reached',
				) as string,
			}),
		]);
		expect(account.spent.apiCredits).toBe(50);
	});

	test('has one maximum of credits for all calls of an execution', async () => {
		await expectWithinMaximum(
			version,
			threeQuestions.map((question) => [question]),
		);
	});
});

describe.each(AGENTS)(
	'Calls that the model makes at once, to an agent of version %s',
	(version) => {
		test('are paid once where they ask the same', async () => {
			await expectPaidOnce(version, [[iceland, iceland]]);
		});

		test('have one maximum of credits', async () => {
			await expectWithinMaximum(version, [threeQuestions]);
		});
	},
);
