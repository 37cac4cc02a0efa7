/**
 * What n8n's AI assistant does with our operations when it verifies a workflow that it built: it runs
 * for real what it takes for a read, and simulates the rest. This asks n8n's own classifier.
 */
import { join } from 'node:path';

import execa from 'execa';
import { NodeHelpers, type INodeParameters, type INodePropertyOptions } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { chain, findInstallation, manualTrigger, node } from '../../sandbox/n8n/index';
import type { Workflow } from '../../sandbox/n8n/index';
import { sandboxFolder } from '../../sandbox/paths';
import { withTools } from './harness';

const classifier = join(
	sandboxFolder,
	'n8n/node_modules/@n8n/instance-ai/dist/tools/workflows/classify-node-destructiveness.service.js',
);

const script = `require(process.argv[1])
	.classifyNodesForSimulation({ workflow: JSON.parse(process.argv[2]) })
	.then((verdicts) => console.log(JSON.stringify(verdicts)));`;

interface Verdict {
	readonly nodeName: string;
	readonly verdict: 'execute' | 'simulate';
	/** From its fixed lists, or for want of a model that could tell. */
	readonly source: 'deterministic' | 'fallback';
}

/** Asks n8n's classifier, in an environment that holds no model's key. */
async function classify(workflow: Workflow): Promise<ReadonlyMap<string, Verdict>> {
	const args = ['-e', script, classifier, JSON.stringify(workflow)];
	const options = { env: {}, extendEnv: false };
	const { stdout } = await execa(findInstallation().node, args, options);
	const verdicts = JSON.parse(stdout) as readonly Verdict[];
	return new Map(verdicts.map((verdict) => [verdict.nodeName, verdict]));
}

const { description } = new LeadSearch();
const [credential] = description.credentials ?? [];

const operations = description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions?.show?.resource as string[];
		const values = (options as INodePropertyOptions[]).map(({ value }) => value);
		return values.map((operation) => ({ resource, operation }));
	});

/** What asks for the credential costs credits. */
const costsCredits = (parameters: INodeParameters): boolean =>
	credential !== undefined &&
	NodeHelpers.displayParameter(parameters, credential, { typeVersion: 1 }, description);

/** The parameters as n8n's editor saves them: without what is a default. */
const saved = (parameters: INodeParameters): INodeParameters => {
	const how = [false, false, { typeVersion: 1 }, description] as const;
	return NodeHelpers.getNodeParameters(description.properties, parameters, ...how) ?? {};
};

const nodes = (type: string, all: INodeParameters[]) =>
	all.map((one, index) => node(String(index), `n8n-nodes-lead-search.${type}`, 1, one));

const places: Record<string, (parameters: INodeParameters[]) => Workflow> = {
	node: (all) => chain('Nodes', [manualTrigger, ...nodes('leadSearch', all)]),
	'tool of an agent': (all) => {
		const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', 3);
		const tools = nodes('leadSearchTool', all);
		return withTools(chain('Tools', [manualTrigger, agent]), 'Agent', { ai_tool: tools });
	},
};

describe.each(Object.entries(places))('As a %s', (_, workflowOf) => {
	let verdicts: ReadonlyMap<string, Verdict>;

	beforeAll(async () => {
		verdicts = await classify(workflowOf(operations.map(saved)));
	});

	test.each(operations.map((operation, index) => ({ ...operation, index })))(
		'$resource $operation is on no list of reads or writes, so without a model it is simulated',
		({ index }) => {
			const simulated = { verdict: 'simulate', source: 'fallback' };
			expect(verdicts.get(String(index))).toMatchObject(simulated);
		},
	);

	test('search, lookUp, get and list, by contrast, would be run for real', async () => {
		const reads = ['search', 'lookUp', 'get', 'list'].map((operation) => ({ operation }));
		const taken = await classify(workflowOf(reads));
		expect(reads.map((_read, index) => taken.get(String(index))?.verdict)).toEqual(
			reads.map(() => 'execute'),
		);
	});
});

test('what costs credits names its operation in a saved workflow, since no default does', () => {
	const paid = operations.filter(costsCredits);
	for (const names of [paid, paid.map(saved)])
		expect(names.map(({ operation }) => operation)).toEqual(['buyLeads', 'buyProfiles']);
	expect(saved({ resource: 'lead', operation: 'preview' })).toEqual({});
	const resource = 'linkedInProfile';
	expect(saved({ resource, operation: 'check' })).toEqual({ resource });
});
