/**
 * Tests Lead Search as a tool that n8n's AI agent calls several times: the cost, and the texts that the model reads.
 */
import type { Fields, SavedCredential, WorkflowNode } from '../../sandbox/n8n/index';
import { urlsMatching } from '../../sandbox/service';
import { credentialOf, leadSearch, useN8n } from './harness';
import { agentWorkflow, startModel } from './scriptedModel';

const n8n = useN8n();

type Question = Readonly<{ country: string; limit: number }>;

async function open(agentVersion: number, options: Fields) {
	const account = n8n.service.admin.createAccount();
	const credential = await credentialOf(n8n, account);
	/** Lets the agent run once. Resolves with the tool's answers, as the model saw them. */
	async function ask(questions: ReadonlyArray<readonly Question[]>): Promise<Fields[][]> {
		const turns = questions.map((turn) => turn.map((input) => ({ tool: 'Search_leads', input })));
		using model = await startModel(n8n.client, turns);
		const tool = searchTool(credential, options);
		const workflow = agentWorkflow(agentVersion, tool, model.credential);
		const execution = await n8n.client.execute(workflow);
		expect(execution.error).toBeUndefined();
		expect(execution.items('AI Agent')).toMatchObject([{ json: { output: 'Done' } }]);
		return model.answers().map(itemsOf);
	}
	return { account, ask };
}

/** @param credential of the lead service */
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

/** The items of an answer: JSON, which n8n may have put into a list with one entry. */
function itemsOf(answer: string): Fields[] {
	const items = JSON.parse(answer) as Fields[];
	return items.flatMap(({ response, ...item }) =>
		Array.isArray(response) ? (response as Fields[]) : [item],
	);
}

const urlsOf = (answer: readonly Fields[] = []) =>
	answer.flatMap(({ linkedin_url }) => linkedin_url ?? []);

const people = urlsMatching({ person_location_country: ['Iceland'] });
const iceland = { country: 'Iceland', limit: 10 };
const three = ['Iceland', 'Germany', 'France'].map((country) => ({ country, limit: 20 }));
const cut = 'This result is incomplete: there may be more results';

/**
 * The older agent makes the calls of a turn itself, all at once; the newer one has n8n run the tool
 * for one after the other.
 */
describe.each([2.2, 3.1])('An agent of version %s', (version) => {
	test.each([
		['the same in two turns', [[iceland], [iceland]]],
		['the same at once', [[iceland, iceland]]],
		['for more of the same', [[iceland], [{ ...iceland, limit: 25 }]]],
	])('an agent asks %s, and pays only for what is missing', async (_, turns) => {
		const { account, ask } = await open(version, { reusePaidResults: 0 });
		const most = turns.flat().at(-1)?.limit ?? 0;
		const answers = await ask(turns);
		expect(answers.map(urlsOf)).toEqual([people.slice(0, 10), people.slice(0, most)]);
		expect(account.chargedLeads).toHaveLength(most);
	});

	test('an agent reads the cost in the last item of each call', async () => {
		const { ask } = await open(version, { reusePaidResults: 0 });
		const answers = await ask([[iceland], [{ ...iceland, limit: 25 }]]);
		const [one, both] = answers.map((answer) => answer.at(-1)?.note);
		expect(one).toMatch(
			/^10 leads for 10 credits; \d+ with an email.*\. There may be more leads\./,
		);
		expect(both).toMatch(
			/^25 leads for 15 credits; .*; 25 credits by this node in this execution so far\. 10 of 25 leads were reused for 0 credits/,
		);
	});

	test.each([
		['in turns', three.map((question) => [question])],
		['at once', [three]],
	])(
		'an agent has one limit of credits for all calls, %s, and reads that it is reached',
		async (_, turns) => {
			const { account, ask } = await open(version, { reusePaidResults: 0 });
			const answers = await ask(turns);
			expect(account.spent.apiCredits).toBe(25);
			expect(answers.flatMap(urlsOf)).toHaveLength(25);
			// It isn't defined which of the calls gets the remaining credits.
			expect(answers.flat().flatMap(({ error }) => error ?? [])).toEqual(
				expect.arrayContaining([
					cut,
					"'Max Credits' (25 credits) is spent, so nothing is returned",
				]),
			);
		},
	);
});
