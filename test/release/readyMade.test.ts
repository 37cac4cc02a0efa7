/** Checks the files and pages of the ready-made workflows, without n8n. */
import { readWorkflow, workflowNames } from '../../sandbox/n8n/workflow';
import { matching } from '../../sandbox/service';
import { read } from './project';

/** The request fields of filters, by the name of the filter or of the field that sets it. */
const FILTERS: Readonly<Record<string, string>> = {
	jobTitles: 'job_titles',
	personLocationCountry: 'person_location_country',
	countries: 'person_location_country',
};
const FILTER_VALUES = new RegExp(
	`"(${Object.keys(FILTERS).join('|')})"(?:,"value")?:"([^"=][^"]*)"`,
	'g',
);

test('each filter value in a ready-made workflow finds leads in the mock service', () => {
	const found = workflowNames().flatMap((workflow) =>
		[...JSON.stringify(readWorkflow(workflow)).matchAll(FILTER_VALUES)].flatMap(
			([, name = '', values = '']) =>
				values.split(', ').map((value) => ({ workflow, filter: FILTERS[name] ?? '', value })),
		),
	);
	expect(new Set(found.map(({ workflow }) => workflow)).size).toBeGreaterThanOrEqual(5);
	expect(found.filter(({ filter, value }) => matching({ [filter]: [value] }).length === 0)).toEqual(
		[],
	);
});

/** Returns the filters of each paid search in a workflow. A tool's filters are expressions that a model fills in. */
function paidFilters(workflow: string) {
	return readWorkflow(workflow).nodes.flatMap(({ type, parameters }) => {
		const isSearch = parameters.operation === 'buyLeads' || type.endsWith('leadSearchTrigger');
		return isSearch ? [(parameters.filters ?? {}) as Readonly<Record<string, string>>] : [];
	});
}

test('each paid search in a ready-made workflow has a filter in addition to Email Status', () => {
	const searches = workflowNames().flatMap(paidFilters);
	expect(searches.length).toBeGreaterThan(5);
	for (const filters of searches) {
		const set = Object.keys(filters).filter((name) => name !== 'emailStatus' && filters[name]);
		expect(set).not.toEqual([]);
	}
});

test('no lead in the mock service is in the audiences of two ready-made workflows', () => {
	const audiences = workflowNames().flatMap((name) =>
		readWorkflow(name).nodes.flatMap(({ parameters }) => {
			const { jobTitles, personLocationCountry } = (parameters.filters ?? {}) as Readonly<
				Record<string, string | undefined>
			>;
			if (!jobTitles || jobTitles.startsWith('=')) return [];
			const filters = {
				job_titles: jobTitles.split(', '),
				person_location_country: personLocationCountry?.split(', '),
			};
			return [{ name, leads: matching(filters) }];
		}),
	);
	expect(audiences.length).toBeGreaterThan(3);
	const all = audiences.flatMap(({ leads }) => [...leads]);
	expect(new Set(all).size).toBe(all.length);
});

test('there are at most twelve ready-made workflows, and the table of the gallery has each', () => {
	expect(workflowNames().length).toBeLessThanOrEqual(12);
	const rows = [...read('workflows/README.md').matchAll(/^\| \[([\w-]+)\]\(([\w-]+)\) /gm)];
	expect(rows.map(([, name]) => name).sort()).toEqual(workflowNames());
	expect(rows.map(([, , link]) => link)).toEqual(rows.map(([, name]) => name));
});

test('the name of each data table that a workflow makes contains the ID of the workflow, and rows are written by the ID of the table', () => {
	const nodes = workflowNames().flatMap((name) => readWorkflow(name).nodes);
	const tables = nodes.flatMap(({ parameters: { tableName } }) =>
		typeof tableName === 'string' ? [tableName.toLowerCase()] : [],
	);
	expect(new Set(tables).size).toBe(4);
	for (const one of tables) expect(one).toMatch(/^=[\w ]+ \{\{ \$workflow\.id \}\}$/);
	for (const { type, parameters } of nodes) {
		if (type !== 'n8n-nodes-base.dataTable' || parameters.resource !== 'row') continue;
		// The user chooses a table of their own in one node.
		const { mode, value } = parameters.dataTableId as { mode: string; value: string };
		expect(mode).toBe(value === '' ? 'list' : 'id');
	}
});

type Connections = Readonly<Record<string, { readonly main?: unknown[][] }>>;

describe.each(workflowNames())('%s', (name) => {
	const workflow = readWorkflow(name);

	test('a workflow is short, and uses neither settings that an import drops nor a memory that fills up', () => {
		const nodes = workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote'));
		expect(nodes.length).toBeLessThanOrEqual(8);
		const linesOf = (text: unknown) =>
			typeof text === 'string' ? text.trimEnd().split('\n').length : 0;
		for (const { parameters } of nodes) {
			expect(linesOf(parameters.jsCode)).toBeLessThanOrEqual(10);
			expect(linesOf(parameters.query)).toBeLessThanOrEqual(15);
			// A temporary table needs a right that a role may lack.
			expect(parameters.query ?? '').not.toMatch(/TEMP/i);
		}
		expect(nodes.map(({ type }) => type)).not.toContain('n8n-nodes-base.executeWorkflow');
		// The memory of this operation rejects new items once it is full.
		expect(JSON.stringify(nodes)).not.toContain('removeItemsSeenInPreviousExecutions');
		expect(workflow.settings).toEqual({ executionOrder: 'v1' });
	});

	test('a workflow has no branch that n8n may run before another', () => {
		for (const [node, { main = [] }] of Object.entries(workflow.connections as Connections)) {
			for (const next of main) expect(next.length).toBeLessThanOrEqual(1);
			const { type = '' } = workflow.nodes.find((one) => one.name === node) ?? {};
			// A loop fills one of its outputs at a time.
			if (!type.endsWith('.splitInBatches')) expect(main.flat().length).toBeLessThanOrEqual(1);
		}
	});

	test('a workflow contains the name of each credential, and nothing else of the credential', () => {
		for (const { credentials = {} } of workflow.nodes)
			for (const placeholder of Object.values(credentials))
				expect(placeholder).toEqual({ id: null, name: expect.any(String) as string });
		expect(JSON.stringify(workflow)).not.toMatch(/apiKey|sessionToken|password|bearer/i);
		expect(workflow.pinData).toEqual({});
	});

	test('a workflow has one coloured note, which says what the workflow does, what to fill in and what a run costs at most', () => {
		const notes = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes).toHaveLength(1);
		const { content = '', color } = notes[0]?.parameters as { content?: string; color?: number };
		const grey = 7;
		expect(color).not.toBe(grey);
		const [purpose, fillIn = '', ...cost] = content.split('\n\n');
		expect(purpose).toMatch(/^[A-Z][^.]+\.$/);
		const [heading, ...steps] = fillIn.split('\n');
		expect(heading).toBe('**Fill in**');
		expect(steps.filter((line) => !/^\d\. /.test(line))).toEqual([]);
		expect(steps.length).toBeLessThanOrEqual(4);
		expect(cost.join(' ')).toMatch(/costs? at most \d+ credits?/);
		expect(content.split(/\s+/).length).toBeLessThanOrEqual(115);
		// The nodes that a step names before its colon are on the canvas.
		const named = steps.flatMap((step) => [
			...(/^(.*?):/.exec(step)?.[1]?.matchAll(/\*\*(.+?)\*\*/g) ?? []),
		]);
		const nodeNames = workflow.nodes.map((node) => node.name);
		expect(nodeNames).toEqual(expect.arrayContaining(named.map(([, one]) => one)));
	});

	test('the page of a workflow and the gallery start with the sentence of the note, and require the same n8n', () => {
		const note = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const { content = '' } = note?.parameters as { content?: string };
		const [purpose = ''] = content.split('\n\n');
		const page = read(`workflows/${name}/README.md`);
		expect(page.split('\n\n')[2]?.startsWith(purpose)).toBe(true);
		expect(read('workflows/README.md')).toContain(`| ${purpose} `);
		expect(page.includes('It needs n8n 2.')).toBe(content.includes('It needs n8n 2.'));
	});

	test('a workflow has a page with its name, its picture, its highest cost and at most five steps', () => {
		const page = read(`workflows/${name}/README.md`);
		const [title, picture, ...rest] = page.split('\n\n');
		expect(title).toBe(`# ${workflow.name}`);
		expect(picture).toMatch(/^!\[.+\]\(canvas\.png\)$/);
		const headings = rest.filter((part) => part.startsWith('## '));
		const expected = ['## What to fill in', '## What it costs'];
		expect([headings.slice(0, 2), headings.at(-1)]).toEqual([expected, '## Good to know']);
		expect(rest[rest.indexOf('## What it costs') + 1]).toContain('at most');
		const steps = rest[rest.indexOf('## What to fill in') + 1] ?? '';
		expect(steps.split('\n').length).toBeLessThanOrEqual(5);
	});
});
