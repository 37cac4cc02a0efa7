/**
 * A day of runs in a real n8n: what the lines of its log say about credits adds up to the ledger of the service, for each
 * execution and in total, and no line has personal data. With the log off, everything else is the same.
 */
import { readFile } from 'node:fs/promises';

import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import type { Fields, SavedWorkflow, WorkflowNode } from '../../sandbox/n8n/index';
import { leadAt, urlsMatching, type Account, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';
import { agentWorkflow, startModel } from './scriptedModel';

/** A line of n8n's log in its JSON format. */
interface LogLine {
	level: string;
	message: string;
	metadata?: { workflowId?: string; executionId?: string; nodeId?: string; nodeName?: string };
}

const onceAYear = [{ mode: 'custom', cronExpression: '0 0 1 1 *' }];
const smallPages = { pageSize: 25, parallelPages: 1 };
const inCountry = (country: string) => ({ filters: { personLocationCountry: country } });
const owners = { filters: { personLocationCountry: 'Iceland', jobTitleSeniority: 'owner' } };
const icelandicOwners = urlsMatching({
	person_location_country: ['Iceland'],
	job_title_seniority: ['owner'],
});
const germans = urlsMatching({ person_location_country: ['Germany'] });
const lookUp = (urls: readonly string[]) => ({
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	linkedinUrls: urls.join('\n'),
	options: { onlyWithEmails: false },
});

describe.each(['info', 'error'])('With the log level %s', (level) => {
	const n8n = useN8n({ N8N_LOG_LEVEL: level, N8N_LOG_FORMAT: 'json' });
	const accounts: Account[] = [];
	/** The credits of each execution, and of each workflow that polls, by ID. From the ledger. */
	const ledger = new Map<string, number>();
	/** The status of each execution. */
	const statuses: Record<string, string> = {};

	const spentByAll = () => accounts.reduce((sum, { spent }) => sum + spent.apiCredits, 0);

	async function open(options: AccountOptions = {}) {
		const account = n8n.service.admin.createAccount(options);
		accounts.push(account);
		const credential = await credentialOf(n8n, account);
		const search = (parameters: Fields, more?: Partial<WorkflowNode>) =>
			leadSearch(parameters, credential, more);
		return { account, credential, search };
	}

	/** Does something that buys, and books what it cost under the ID that the log names. */
	async function book(act: () => Promise<string>): Promise<string> {
		const before = spentByAll();
		const id = await act();
		ledger.set(id, spentByAll() - before);
		return id;
	}

	/** Runs a workflow manually, after a change to it while it runs, if any. */
	async function run(
		kind: string,
		workflow: SavedWorkflow,
		whileRunning?: (id: string) => Promise<void>,
	) {
		return await book(async () => {
			const id = await n8n.client.run(workflow);
			await whileRunning?.(id);
			statuses[kind] = (await n8n.client.waitForExecution(id)).status;
			await n8n.service.admin.idle();
			return id;
		});
	}
	const save = async (...nodes: WorkflowNode[]) =>
		await n8n.client.createWorkflow(chain('Day', [manualTrigger, ...nodes]));

	beforeAll(async () => {
		const { admin } = n8n.service;
		const { credential, search } = await open();
		await run('search', await save(search({ ...inCountry('Iceland'), limit: 30 })));
		await run('the same search again', await save(search({ ...inCountry('Iceland'), limit: 30 })));
		await run('a larger one', await save(search({ ...inCountry('Iceland'), limit: 45 })));
		await run('look up', await save(search(lookUp(germans.slice(0, 20)))));
		await run(
			'return all',
			await save(search({ ...owners, returnAll: true, options: smallPages })),
		);
		const two = ['Spain', 'Canada'].map((country) =>
			search({ ...inCountry(country), limit: 5 }, { name: country, executeOnce: true }),
		);
		await run('two nodes', await save(...two));

		const renaming = await open({ readings: { profiles: { renamedEvery: 7 } } });
		const unmatched = [
			leadAt(7).linkedin_url,
			leadAt(8).linkedin_url,
			'https://www.linkedin.com/in/nobody-at-all',
		];
		await run('look up with unmatched', await save(renaming.search(lookUp(unmatched))));

		const poor = await open({ apiCredits: 7 });
		const continues = { onError: 'continueRegularOutput' };
		await run(
			'402, continued',
			await save(poor.search({ ...inCountry('France'), limit: 10 }, continues)),
		);
		admin.setCredits(poor.account.id, { apiCredits: 30 });
		const cut = { ...inCountry('United States'), limit: 60, options: smallPages };
		const stopped = await run('402, stopped', await save(poor.search(cut)));
		admin.setCredits(poor.account.id, { apiCredits: 1_000 });
		await book(async () => {
			const retried = await n8n.client.retry(stopped);
			statuses['its Retry'] = retried.status;
			return retried.id;
		});

		const lossy = await open();
		admin.addFault({ kind: 'loseAfterAnswer', account: lossy.account.id, page: 2 });
		await run(
			'a lost response',
			await save(lossy.search({ ...inCountry('Iceland'), limit: 60, options: smallPages })),
		);

		const slow = await open();
		admin.addFault({ kind: 'hang', charge: true, account: slow.account.id, page: 3 });
		await run(
			'a stopped execution',
			await save(slow.search({ ...inCountry('Iceland'), limit: 90, options: smallPages })),
			async (id) => {
				await admin.waitForRequest(
					(request) => request.account === slow.account.id && request.page === 3,
				);
				await n8n.client.call('POST', `/executions/${id}/stop`);
			},
		);

		const tool = search(
			{
				toolDescription: 'Searches leads',
				...inCountry('France'),
				limit: "={{ $fromAI('limit', 'How many', 'number') }}",
			},
			{ name: 'Search leads', type: 'n8n-nodes-lead-search.leadSearchTool' },
		);
		const calls = [3, 8].map((limit) => [{ tool: 'Search_leads', input: { limit } }]);
		using model = await startModel(n8n.client, calls);
		await run(
			'an agent',
			await n8n.client.createWorkflow(agentWorkflow(3.1, tool, model.credential)),
		);

		const parameters = { pollTimes: { item: onceAYear }, ...inCountry('Spain'), leadsPerPoll: 12 };
		const trigger = node(
			'Leads',
			'n8n-nodes-lead-search.leadSearchTrigger',
			1,
			parameters,
			credential,
		);
		await book(async () => {
			const workflow = await n8n.client.createWorkflow(
				chain('Poll', [trigger, node('Done', 'n8n-nodes-base.noOp', 1)]),
			);
			// Without a cursor, it polls once when it is published.
			await n8n.client.activate(workflow);
			const [polled] = await until('a poll has ended', async () => {
				const ended = await n8n.client.executions(workflow);
				return ended.some(({ status }) => status === 'success') && ended;
			});
			statuses['a poll'] = polled?.status ?? '';
			return workflow.id;
		});
	});

	const readLog = async () => await readFile(n8n.server.logFile, 'utf8');
	const readLines = async () =>
		(await readLog())
			.split('\n')
			.filter((line) => line.startsWith('{'))
			.map((line) => JSON.parse(line) as LogLine)
			.filter(({ message }) => message.startsWith('Lead Search'));

	test('each run ends as it should', () => {
		expect(statuses).toEqual({
			search: 'success',
			'the same search again': 'success',
			'a larger one': 'success',
			'look up': 'success',
			'return all': 'success',
			'two nodes': 'success',
			'look up with unmatched': 'success',
			'402, continued': 'success',
			'402, stopped': 'error',
			'its Retry': 'success',
			'a lost response': 'success',
			'a stopped execution': 'canceled',
			'an agent': 'success',
			'a poll': 'success',
		});
		expect([...ledger.values()]).toEqual([
			30,
			0,
			15,
			20,
			icelandicOwners.length,
			10,
			3,
			7,
			30,
			30,
			85,
			75,
			8,
			// Five of the 12 leads were paid for before.
			7,
		]);
	});

	if (level === 'info') {
		test('the credits in the lines of each execution and poll add up to the ledger', async () => {
			const logged = new Map<string, number>();
			for (const { message, metadata } of await readLines()) {
				const { executionId, workflowId = '' } = metadata ?? {};
				const id = executionId ?? workflowId;
				const credits = [...message.matchAll(/(?:for|up to) ([\d,]+) credits?/g)];
				const sum = credits.reduce(
					(all, [, text = '']) => all + Number(text.replaceAll(',', '')),
					0,
				);
				logged.set(id, (logged.get(id) ?? 0) + sum);
			}
			expect(Object.fromEntries(logged)).toEqual(Object.fromEntries(ledger));
		});

		test('each line names the workflow and the node', async () => {
			const lines = await readLines();
			expect(lines.length).toBeGreaterThanOrEqual(ledger.size);
			for (const { metadata } of lines)
				for (const name of ['workflowId', 'workflowName', 'nodeId', 'nodeName'])
					expect(metadata).toHaveProperty(name, expect.stringMatching(/./));
		});

		test('no line of the log has a name, an email, a LinkedIn URL or a key', async () => {
			const log = await readLog();
			const people = accounts
				.flatMap(({ chargedLeads }) => chargedLeads)
				.map((lead) => leadAt(lead));
			const personal = people.flatMap(
				({ full_name, work_email, personal_emails, linkedin_url }) => [
					full_name,
					...(work_email === null ? [] : [work_email]),
					...personal_emails,
					linkedin_url.replace(/.*\//, ''),
				],
			);
			expect(people.length).toBe(spentByAll());
			const secrets = accounts.flatMap(({ apiKey, sessionToken }) => [apiKey, sessionToken]);
			const found = ['linkedin.com/in/', ...personal, ...secrets].filter((text) =>
				log.includes(text),
			);
			expect(found).toEqual([]);
		});
	} else {
		test('the log has no line of the nodes', async () => {
			expect(await readLines()).toEqual([]);
		});
	}
});
