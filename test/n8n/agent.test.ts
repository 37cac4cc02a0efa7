/**
 * Tests Lead Search as a tool that n8n's AI agent calls several times: the cost, and the texts that the model reads.
 */
import type { Fields, SavedCredential, WorkflowNode } from '../../sandbox/n8n/index';
import { urlsMatching } from '../../sandbox/service';
import { credentialOf, leadSearch, useN8n } from './harness';
import { agentWorkflow, startModel } from './scriptedModel';

const n8n = useN8n();

type ToolInput = Readonly<{ country: string; limit: number }>;

async function open(agentVersion: number, options: Fields) {
	const account = n8n.service.admin.createAccount();
	const credential = await credentialOf(n8n, account);
	/** Lets the agent run once. Resolves with the tool's responses, as the model received them. */
	async function runAgent(turns: ReadonlyArray<readonly ToolInput[]>): Promise<Fields[][]> {
		const calls = turns.map((turn) => turn.map((input) => ({ tool: 'Search_leads', input })));
		using model = await startModel(n8n.client, calls);
		const tool = searchTool(credential, options);
		const workflow = agentWorkflow(agentVersion, tool, model.credential);
		const execution = await n8n.client.execute(workflow);
		expect(execution.error).toBeUndefined();
		expect(execution.items('AI Agent')).toMatchObject([{ json: { output: 'Done' } }]);
		return model.toolResponses().map(itemsOf);
	}
	return { account, runAgent };
}

/** @param credential the credential of the lead service */
function searchTool(credential: SavedCredential, options: Fields): WorkflowNode {
	return leadSearch(
		{
			descriptionType: 'manual',
			toolDescription: 'Searches business leads',
			filters: { personLocationCountry: "={{ $fromAI('country', 'Country', 'string') }}" },
			limit: "={{ $fromAI('limit', 'How many leads', 'number') }}",
			maxCredits: 25,
			options,
		},
		credential,
		{ name: 'Search leads', type: 'n8n-nodes-lead-search.leadSearchTool' },
	);
}

/** Parses the items of a tool's response. n8n may put them into an array with one entry. */
function itemsOf(toolResponse: string): Fields[] {
	const items = JSON.parse(toolResponse) as Fields[];
	return items.flatMap(({ response, ...item }) =>
		Array.isArray(response) ? (response as Fields[]) : [item],
	);
}

const urlsOf = (response: readonly Fields[] = []) =>
	response.flatMap(({ linkedin_url }) => linkedin_url ?? []);

const urls = urlsMatching({ person_location_country: ['Iceland'] });
const iceland = { country: 'Iceland', limit: 10 };
const three = ['Iceland', 'Germany', 'France'].map((country) => ({ country, limit: 20 }));
const truncated = 'This result is incomplete: there may be more results';

/**
 * The older agent makes the calls of a turn itself, concurrently. The newer agent lets n8n run the tool, one call after
 * the other.
 */
describe.each([2.2, 3.1])('An agent of version %s', (version) => {
	test('an agent that requests the same leads twice in one turn pays for them once', async () => {
		const { account, runAgent } = await open(version, { reusePaidResults: 0 });
		const responses = await runAgent([[iceland, iceland]]);
		expect(responses.map(urlsOf)).toEqual([urls.slice(0, 10), urls.slice(0, 10)]);
		expect(account.chargedLeads).toHaveLength(10);
	});

	test('an agent that requests more leads of the same search pays only for the missing ones, and reads the cost in the last item of each call', async () => {
		const { account, runAgent } = await open(version, { reusePaidResults: 0 });
		const responses = await runAgent([[iceland], [{ ...iceland, limit: 25 }]]);
		expect(responses.map(urlsOf)).toEqual([urls.slice(0, 10), urls.slice(0, 25)]);
		expect(account.chargedLeads).toHaveLength(25);
		const [one, both] = responses.map((response) => response.at(-1)?.note);
		expect(one).toMatch(
			/^10 leads for 10 credits; \d+ with an email.*\. There may be more leads\./,
		);
		expect(both).toMatch(
			/^25 leads for 15 credits; .*; 25 credits by this node in this execution so far\. 10 of 25 leads were reused for 0 credits/,
		);
	});

	test.each([
		['in three turns', three.map((input) => [input])],
		['in one turn', [three]],
	])(
		'all calls of an agent %s share one limit of credits, and the agent reads that it is reached',
		async (_, turns) => {
			const { account, runAgent } = await open(version, { reusePaidResults: 0 });
			const responses = await runAgent(turns);
			expect(account.spent.apiCredits).toBe(25);
			expect(responses.flatMap(urlsOf)).toHaveLength(25);
			// It isn't defined which of the calls gets the remaining credits.
			expect(responses.flat().flatMap(({ error }) => error ?? [])).toEqual(
				expect.arrayContaining([
					truncated,
					"'Max Credits' (25 credits) is spent, so nothing is returned",
				]),
			);
		},
	);
});
