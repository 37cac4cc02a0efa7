/**
 * Tests Lead Search as a tool of n8n's own Agents. They run each call as a single node, without an execution, a
 * workflow or shared data. The tests check the cost, and the texts that the model reads.
 */
import type { Fields, SavedCredential } from '../../sandbox/n8n/index';
import { urlsMatching } from '../../sandbox/service';
import { credentialOf, useN8n } from './harness';
import { startModel } from './scriptedModel';

const n8n = useN8n();

/** The parameters of an agent's tool. The model fills the parameters with `$fromAI` in each call. */
interface Tool {
	readonly parameters: Fields;
	readonly credential?: SavedCredential;
}

/** The arguments of the model's calls, turn by turn. */
type Turns = ReadonlyArray<readonly Fields[]>;

/** Creates an agent with one tool, and writes to it. Resolves with the tool's responses, as the model received them. */
async function runAgent({ parameters, credential }: Tool, turns: Turns): Promise<Fields[][]> {
	const { client } = n8n;
	const calls = turns.map((turn) => turn.map((input) => ({ tool: 'Leads', input })));
	using model = await startModel(client, calls, 'openRouterApi');
	const project = await client.call<{ id: string }>('GET', '/projects/personal');
	const agents = `/projects/${project.id}/agents/v2`;
	const { id } = await client.call<{ id: string }>('POST', `${agents}/`, { name: 'Agent' });
	const path = `${agents}/${id}`;
	const { configHash } = await client.call<{ configHash: string }>('GET', `${path}/config`);
	const { type = '', ...chosen } = credential ?? {};
	const node = {
		nodeType: 'n8n-nodes-lead-search.leadSearch',
		nodeTypeVersion: 1,
		nodeParameters: parameters,
		...(credential && { credentials: { [type]: chosen } }),
	};
	const tool = { type: 'node', name: 'Leads', description: 'Business leads', node };
	const config = {
		name: 'Agent',
		instructions: 'Find leads.',
		model: 'openrouter/scripted',
		credential: model.credential.id,
		tools: [tool],
		// Calls of one turn overlap.
		config: { toolCallConcurrency: 5 },
	};
	await client.call('PUT', `${path}/config`, { config, baseConfigHash: configHash });
	await client.events(`${path}/chat`, { message: 'Find leads' });
	return model.toolResponses().map(itemsOf);
}

/** Parses the items that a call returned. n8n replaces them with a text if the node throws. */
function itemsOf(response: string): Fields[] {
	if (!response.startsWith('{')) return [{ thrown: response }];
	const { data = [{ json: { thrown: response } }] } = JSON.parse(response) as {
		data?: ReadonlyArray<{ json: Fields }>;
	};
	return data.map(({ json }) => json);
}

const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
const filters = { personLocationCountry: fromModel('country') };
const search = { resource: 'lead', operation: 'buyLeads', filters, limit: fromModel('limit') };
const lookUp = {
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	linkedinUrls: fromModel('urls'),
};

const urls = urlsMatching({ person_location_country: ['Iceland'] });
const [firstUrl = ''] = urls;
const iceland = (limit: number) => ({ country: 'Iceland', limit: String(limit) });
const countries = ['Iceland', 'Germany', 'France', 'Spain'];
const four = countries.map((country) => ({ country, limit: '30' }));

const urlsOf = (response: readonly Fields[] = []) =>
	response.flatMap(({ linkedin_url }) => linkedin_url ?? []);

/** Creates an account, and a tool with its credential. */
async function openTool(parameters: Fields, creditCeiling?: number) {
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
	['preview', { limit: 5 }, { country: 'Iceland' }],
	['count', {}, { count: 2_350 }],
])(
	"an agent of n8n's own runs %s without a credential, for free",
	async (operation, more, first) => {
		const { baseUrl } = n8n.service;
		const parameters = { resource: 'lead', operation, filters, baseUrl, ...more };
		const [response] = await runAgent({ parameters }, [[{ country: 'Iceland' }]]);
		expect(response?.[0]).toMatchObject(first);
	},
);

test("Search and Look Up return results to n8n's own agents, with their cost in words and in numbers", async () => {
	const { tool, charged } = await openTool(search);
	// Arguments for fields that the tool doesn't have never reach the node.
	const [leads] = await runAgent(tool, [[{ ...iceland(5), companySize: 'large' }]]);
	expect(urlsOf(leads)).toEqual(urls.slice(0, 5));
	expect(leads?.at(-1)).toEqual({
		note: expect.stringMatching(
			/^5 leads for 5 credits; .* To get the next leads, set 'Skip' to 5\.$/,
		) as string,
		usage: { credits: 5, creditsSoFar: 5, requests: 1 },
	});
	const [profiles] = await runAgent({ ...tool, parameters: lookUp }, [[{ urls: firstUrl }]]);
	expect(profiles?.[0]).toMatchObject({ linkedin_url: firstUrl });
	expect(charged()).toEqual([5, 1]);
});

test('four calls for the same 80 leads, two of them concurrent, cost 80 with Max Credits 90 and a Credit Ceiling of 100', async () => {
	const { tool, spent } = await openTool({ ...search, maxCredits: 90 }, 100);
	const again = iceland(80);
	const responses = await runAgent(tool, [[again, again], [again]]);
	// This call is by another agent with the same credential.
	responses.push(...(await runAgent(tool, [[again]])));
	expect(responses.map(urlsOf)).toEqual(Array(4).fill(urls.slice(0, 80)));
	expect(spent()).toBe(80);
});

test.each([
	['in four turns', four.map((call) => [call])],
	['in one turn', [four]],
])(
	'four calls for 30 leads each %s cost 70 credits with a Credit Ceiling of 70',
	async (_, turns) => {
		const { tool, charged } = await openTool(search, 70);
		const responses = await runAgent(tool, turns);
		expect(charged()).toEqual([30, 30, 10]);
		const rows = responses.map((response) => urlsOf(response).length);
		// It isn't defined which of the calls gets the remaining credits.
		expect([...rows].sort()).toEqual([0, 10, 30, 30]);
		const [refusal, usage] = responses[rows.indexOf(0)] ?? [];
		expect(refusal).toEqual({
			error: "'Credit Ceiling' of the credential (70 credits) is spent, so nothing is returned",
			message: expect.stringContaining('within 60 minutes') as string,
			details: { status: null, creditsSpent: 70, fetched: 0 },
		});
		expect(usage).toMatchObject({ usage: { credits: 0, creditsSoFar: 70, requests: 0 } });
		// Another agent can't spend more, either.
		const [other] = await runAgent(tool, [[{ country: 'Italy', limit: '5' }]]);
		expect(urlsOf(other)).toEqual([]);
		expect(charged()).toHaveLength(3);
	},
);

test('a call without a credential is rejected with a message, and nothing is sent', async () => {
	const { length } = n8n.service.admin.requests();
	const [response] = await runAgent({ parameters: search }, [[iceland(5)]]);
	expect(response).toEqual([
		{
			error: expect.stringContaining('No credential is chosen') as string,
			message: expect.stringMatching(/\w.*\.$/) as string,
		},
		{ usage: { credits: 0, requests: 0 } },
	]);
	expect(n8n.service.admin.requests()).toHaveLength(length);
});
