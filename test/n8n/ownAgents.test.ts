/**
 * Lead Search as a tool of n8n's own Agents, which run each call as a node by itself: without an execution, without a
 * workflow and without anything that calls share. What they pay, and what a model is told.
 */
import type { Fields, SavedCredential } from '../../sandbox/n8n/index';
import { urlsMatching } from '../../sandbox/service';
import { credentialOf, useN8n } from './harness';
import { startModel } from './scriptedModel';

const n8n = useN8n();

/** What an agent's tool is set to; to each of its calls the model adds what stands in `$fromAI`. */
interface Tool {
	readonly parameters: Fields;
	readonly credential?: SavedCredential;
	readonly requireApproval?: boolean;
}

/** What the model calls the tool with, turn by turn. */
type Turns = ReadonlyArray<readonly Fields[]>;

/** Makes an agent with one tool, and writes to it. `answers` are the tool's, as the model has seen them. */
async function start({ parameters, credential, requireApproval }: Tool, turns: Turns) {
	const { client } = n8n;
	const calls = turns.map((turn) => turn.map((input) => ({ tool: 'Leads', input })));
	const model = await startModel(client, calls, 'openRouterApi');
	const project = await client.call<{ id: string }>('GET', '/projects/personal');
	const agents = `/projects/${project.id}/agents/v2`;
	const { id } = await client.call<{ id: string }>('POST', `${agents}/`, { name: 'Agent' });
	const path = `${agents}/${id}`;
	const { configHash } = await client.call<{ configHash: string }>('GET', `${path}/config`);
	const { type = '', ...chosen } = credential ?? {};
	const node = {
		...{ nodeType: 'n8n-nodes-lead-search.leadSearch', nodeTypeVersion: 1 },
		nodeParameters: parameters,
		...(credential && { credentials: { [type]: chosen } }),
	};
	const tool = { type: 'node', name: 'Leads', description: 'Business leads', node };
	const config = {
		...{ name: 'Agent', instructions: 'Find leads.' },
		...{ model: 'openrouter/scripted', credential: model.credential.id },
		tools: [{ ...tool, ...(requireApproval && { requireApproval }) }],
		// Calls of one turn overlap.
		config: { toolCallConcurrency: 5 },
	};
	await client.call('PUT', `${path}/config`, { config, baseConfigHash: configHash });
	const events = await client.events(`${path}/chat`, { message: 'Find leads' });
	return {
		events,
		resume: (body: Fields) => client.events(`${path}/chat/resume`, body),
		answers: () => model.answers().map(itemsOf),
		[Symbol.dispose]: model[Symbol.dispose],
	};
}

async function ask(tool: Tool, turns: Turns): Promise<Fields[][]> {
	using agent = await start(tool, turns);
	return agent.answers();
}

/** The items of an answer; n8n puts what a node throws in their place, as a text. */
function itemsOf(answer: string): Fields[] {
	if (!answer.startsWith('{')) return [{ thrown: answer }];
	const { data = [{ json: { thrown: answer } }] } = JSON.parse(answer) as {
		data?: ReadonlyArray<{ json: Fields }>;
	};
	return data.map(({ json }) => json);
}

const fromModel = (name: string, type = 'string') => `={{ $fromAI('${name}', '', '${type}') }}`;
const filters = { personLocationCountry: fromModel('country') };
const search = { resource: 'lead', operation: 'buyLeads', filters, limit: fromModel('limit') };
const lookUp = {
	...{ resource: 'linkedInProfile', operation: 'buyProfiles' },
	linkedinUrls: fromModel('urls'),
};

const people = urlsMatching({ person_location_country: ['Iceland'] });
const [somebody = ''] = people;
const iceland = (limit: number) => ({ country: 'Iceland', limit: String(limit) });
const places = ['Iceland', 'Germany', 'France', 'Spain'];
const four = places.map((country) => ({ country, limit: '30' }));

const urlsOf = (answer: readonly Fields[] = []) =>
	answer.flatMap(({ linkedin_url }) => linkedin_url ?? []);

/** A customer, and a tool with its credential. */
async function buyer(parameters: Fields, creditCeiling?: number) {
	const { admin } = n8n.service;
	const account = admin.createAccount();
	const access = { ...account, ...(creditCeiling && { creditCeiling }) };
	const credential = await credentialOf(n8n, access);
	return {
		tool: { parameters, credential },
		charged: () => admin.requests({ account: account.id }).map((request) => request.charged),
		spent: () => account.spent.apiCredits,
	};
}

test.each<[string, Fields, Fields]>([
	[
		'Preview',
		{ resource: 'lead', operation: 'preview', filters, limit: 5 },
		{ country: 'Iceland' },
	],
	['Count', { resource: 'lead', operation: 'count', filters }, { count: 2_350 }],
	[
		'Check URLs',
		{ ...lookUp, operation: undefined },
		{ urls: 1, duplicates: 0, invalid: 0, credits: 1 },
	],
])('%s answers without a credential, for free', async (_, parameters, first) => {
	const { baseUrl } = n8n.service;
	const input = { country: 'Iceland', urls: somebody };
	const [answer] = await ask({ parameters: { ...parameters, baseUrl } }, [[input]]);
	expect(answer?.[0]).toMatchObject(first);
});

test('Search and Look Up answer, and tell what they cost in words and in numbers', async () => {
	const { tool, charged } = await buyer(search);
	const [leads] = await ask(tool, [[iceland(5)]]);
	expect(urlsOf(leads)).toEqual(people.slice(0, 5));
	expect(leads?.at(-1)).toEqual({
		note: expect.stringMatching(
			/^5 leads for 5 credits; .* For the next ones set 'Skip' to 5\.$/,
		) as string,
		usage: { credits: 5, creditsSoFar: 5, requests: 1 },
	});
	const [profiles] = await ask({ ...tool, parameters: lookUp }, [[{ urls: somebody }]]);
	expect(profiles?.[0]).toMatchObject({ linkedin_url: somebody });
	expect(charged()).toEqual([5, 1]);
});

test('the same 80 leads four times, under Max Credits 90 and a ceiling of 100, cost 80', async () => {
	const { tool, spent } = await buyer({ ...search, maxCredits: 90 }, 100);
	const again = iceland(80);
	const answers = await ask(tool, [[again], [again], [again]]);
	// Another agent, which has the same credential.
	answers.push(...(await ask(tool, [[again]])));
	expect(answers.map(urlsOf)).toEqual(Array(4).fill(people.slice(0, 80)));
	expect(spent()).toBe(80);
});

test.each([
	['in turns', four.map((call) => [call])],
	['at once', [four]],
])('a credential with a ceiling of 70 pays for 70 of 4 × 30 leads, %s', async (_, turns) => {
	const { tool, charged } = await buyer(search, 70);
	const answers = await ask(tool, turns);
	expect(charged()).toEqual([30, 30, 10]);
	const rows = answers.map((answer) => urlsOf(answer).length);
	// Which of the calls gets what is left is not ours to say.
	expect([...rows].sort()).toEqual([0, 10, 30, 30]);
	const [refusal, usage] = answers[rows.indexOf(0)] ?? [];
	expect(refusal).toEqual({
		error: "'Credit Ceiling' of the credential (70 credits) is spent, so nothing is returned",
		message: expect.stringContaining('within 60 minutes') as string,
	});
	expect(usage).toMatchObject({ usage: { credits: 0, creditsSoFar: 70, requests: 0 } });
	// Nor by another agent.
	const [other] = await ask(tool, [[{ country: 'Italy', limit: '5' }]]);
	expect(urlsOf(other)).toEqual([]);
	expect(charged()).toHaveLength(3);
});

test('the same search twice at once is paid once', async () => {
	const { tool, spent } = await buyer(search);
	const answers = await ask(tool, [[iceland(10), iceland(10)]]);
	expect(answers.map(urlsOf)).toEqual([people.slice(0, 10), people.slice(0, 10)]);
	expect(spent()).toBe(10);
});

test('of 2,000 leads those are bought that an agent can read', async () => {
	const { tool, spent } = await buyer(search);
	const [answer] = await ask(tool, [[iceland(2_000)]]);
	expect(urlsOf(answer)).toEqual(people.slice(0, 400));
	expect(answer?.at(-1)?.note).toContain('These are the first 400 of your 2,000');
	expect(spent()).toBe(400);
});

test.each<[string, Fields, Fields, string]>([
	[
		'no filter',
		{ ...search, filters: {} },
		iceland(5),
		"'Filters' holds no filter, so a search would buy from the whole database",
	],
	['an empty filter', search, { country: '', limit: '5' }, 'is empty'],
	['a limit in words', search, { country: 'Iceland', limit: 'five' }, "'Limit' is 'five'"],
	[
		'a name that is no filter',
		{ ...search, filters: { country: fromModel('country') } },
		iceland(5),
		"'Filters' holds 'country', a name that it doesn't know",
	],
	[
		'a misspelt field',
		{ ...search, filters: { otherFilters: fromModel('other') } },
		{ other: '{"personCountry": "Iceland", "job_title": "CEO"}', limit: '5' },
		"'job_title', a name that the service does not know",
	],
	['a URL that is none', lookUp, { urls: 'Jane Doe' }, 'LinkedIn'],
])('%s is refused in words, and nothing is sent', async (_, parameters, input, words) => {
	const { tool, charged } = await buyer(parameters);
	const [answer] = await ask(tool, [[input]]);
	expect(answer).toEqual([
		{
			error: expect.stringContaining(words) as string,
			message: expect.stringMatching(/\w.*\.$/) as string,
		},
		{ usage: { credits: 0, requests: 0 } },
	]);
	expect(charged()).toEqual([]);
});

test('what a model adds to the fields of the tool never reaches the node', async () => {
	const { tool, charged } = await buyer(search);
	const [answer] = await ask(tool, [[{ ...iceland(5), companySize: 'large' }]]);
	expect(urlsOf(answer)).toEqual(people.slice(0, 5));
	expect(charged()).toEqual([5]);
});

test('without a credential the model reads that none is chosen, and nothing is sent', async () => {
	const { length } = n8n.service.admin.requests();
	using agent = await start({ parameters: search }, [[iceland(5)]]);
	expect(JSON.stringify(agent.events)).toContain('"error":"No credential is chosen"');
	expect(n8n.service.admin.requests()).toHaveLength(length);
});

test('a tool that requires approval sends nothing before a person says yes', async () => {
	const { tool, charged } = await buyer(search);
	using agent = await start({ ...tool, requireApproval: true }, [[iceland(5)]]);
	const asked = agent.events.find(({ type }) => type === 'tool-call-suspended');
	expect(charged()).toEqual([]);
	const { runId, toolCallId } = asked?.payload as Fields;
	await agent.resume({ runId, toolCallId, resumeData: { approved: true } });
	expect(urlsOf(agent.answers()[0])).toHaveLength(5);
	expect(charged()).toEqual([5]);
});
