/** The files of the ready-made workflows, as people get them: what can be told without an n8n. */
import { readWorkflow, workflowNames } from '../../sandbox/n8n/workflow';
import { matching } from '../../sandbox/service';
import { read } from './project';

/** Names of filters, and of the fields that a workflow sets for them. */
const FILTERS: Readonly<Record<string, string>> = {
	jobTitles: 'job_titles',
	personLocationCountry: 'person_location_country',
	countries: 'person_location_country',
};
const WRITTEN = new RegExp(
	`"(${Object.keys(FILTERS).join('|')})"(?:,"value")?:"([^"=][^"]*)"`,
	'g',
);

test('each value of a filter, as workflows come, finds somebody in the mock of the service', () => {
	const found = workflowNames().flatMap((workflow) =>
		[...JSON.stringify(readWorkflow(workflow)).matchAll(WRITTEN)].flatMap(
			([, name = '', values = '']) =>
				values.split(', ').map((value) => ({ workflow, filter: FILTERS[name] ?? '', value })),
		),
	);
	expect(new Set(found.map(({ workflow }) => workflow)).size).toBeGreaterThanOrEqual(8);
	expect(found.filter(({ filter, value }) => matching({ [filter]: [value] }).length === 0)).toEqual(
		[],
	);
});

test('workflows with data tables write into their own, which they name by its id', () => {
	const tables = workflowNames().flatMap((name) =>
		readWorkflow(name).nodes.flatMap(({ parameters: { tableName } }) =>
			typeof tableName === 'string' ? [tableName.toLowerCase()] : [],
		),
	);
	expect(tables.length).toBeGreaterThanOrEqual(5);
	// n8n finds a name in any longer one.
	for (const one of tables) expect(tables.filter((other) => other.includes(one))).toEqual([one]);
	for (const { type, parameters } of workflowNames().flatMap((name) => readWorkflow(name).nodes)) {
		if (type !== 'n8n-nodes-base.dataTable' || parameters.resource !== 'row') continue;
		expect(parameters.dataTableId).toMatchObject({ mode: 'id' });
	}
});

describe.each(workflowNames())('%s', (name) => {
	const workflow = readWorkflow(name);

	test('is read in a minute, and relies on no setting that an import drops, and no memory that fills up', () => {
		const nodes = workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote'));
		expect(nodes.length).toBeLessThanOrEqual(8);
		const linesOf = (text: unknown) =>
			typeof text === 'string' ? text.trimEnd().split('\n').length : 0;
		for (const { parameters } of nodes) {
			expect(linesOf(parameters.jsCode)).toBeLessThanOrEqual(10);
			expect(linesOf(parameters.query)).toBeLessThanOrEqual(15);
			// Not every role may make one.
			expect(parameters.query ?? '').not.toMatch(/TEMP/i);
		}
		expect(nodes.map(({ type }) => type)).not.toContain('n8n-nodes-base.executeWorkflow');
		// It takes nothing more once it is full.
		expect(JSON.stringify(nodes)).not.toContain('removeItemsSeenInPreviousExecutions');
		expect(workflow.settings).toEqual({ executionOrder: 'v1' });
	});

	test('has no branch that n8n may run before another', () => {
		const connections = Object.values(workflow.connections) as Array<{ main?: unknown[][] }>;
		for (const { main = [] } of connections)
			for (const next of main) expect(next.length).toBeLessThanOrEqual(1);
	});

	test('holds the name of each credential, and nothing else of it', () => {
		for (const { credentials = {} } of workflow.nodes)
			for (const placeholder of Object.values(credentials))
				expect(placeholder).toEqual({ id: null, name: expect.any(String) as string });
		expect(JSON.stringify(workflow)).not.toMatch(/apiKey|sessionToken|password|bearer/i);
		expect(workflow.pinData).toEqual({});
	});

	test('explains itself in notes, in a line for each question and in a picture', () => {
		const notes = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes.length).toBeGreaterThanOrEqual(3);
		const [lines = '', picture, ...rest] = read(`workflows/${name}/README.md`).split('\n\n');
		const questions = ['What it does', 'What it costs', 'What to set up', "What it can't"];
		const asked = lines.split('\n').map((line) => /^- \*\*(.+?):\*\* /.exec(line)?.[1]);
		// Only those that somebody else's service takes part in have to answer the last one.
		expect(asked).toEqual(questions.slice(0, Math.max(asked.length, 3)));
		expect([picture, rest]).toEqual([expect.stringMatching(/^!\[.+\]\(canvas\.png\)\n$/), []]);
	});

	test('says what it costs at most, and is set up in at most five steps', () => {
		const [, costs = '', setUp = ''] = read(`workflows/${name}/README.md`).split('\n');
		expect(costs).toMatch(/at most|, 500 in all|no credits/);
		expect(setUp.split(/;|, and (?=publish)/).length).toBeLessThanOrEqual(5);
	});
});
