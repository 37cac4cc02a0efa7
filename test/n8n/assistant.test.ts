/**
 * n8n's AI assistant verifies the workflows that it builds. It runs operations for real that it takes for reads, and
 * simulates the others. This test asks n8n's own classifier.
 */
import { join } from 'node:path';

import execa from 'execa';
import { NodeHelpers, type INodeParameters, type INodePropertyOptions } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { chain, findInstallation, manualTrigger, node } from '../../sandbox/n8n/index';
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
	/** The classifier decides by its fixed lists, or simulates the operation because it has no model to ask. */
	readonly source: 'deterministic' | 'fallback';
}

/** Asks n8n's classifier about the nodes of a workflow and the tools of its agent, without the key of a model. */
async function classify(all: INodeParameters[]): Promise<Verdict[]> {
	const nodesOf = (type: string) =>
		all.map((one, at) => node(`${type} ${at}`, `n8n-nodes-lead-search.${type}`, 1, one));
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', 3);
	const nodes = chain('Nodes', [manualTrigger, ...nodesOf('leadSearch'), agent]);
	const workflow = withTools(nodes, 'Agent', { ai_tool: nodesOf('leadSearchTool') });
	const args = ['-e', script, classifier, JSON.stringify(workflow)];
	const options = { env: {}, extendEnv: false };
	const { stdout } = await execa(findInstallation().node, args, options);
	const verdicts = JSON.parse(stdout) as Verdict[];
	return verdicts.filter(({ nodeName }) => nodeName.startsWith('leadSearch'));
}

const { description } = new LeadSearch();
const operations = description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions?.show?.resource as string[];
		const values = (options as INodePropertyOptions[]).map(({ value }) => value);
		return values.map((operation) => ({ resource, operation }));
	});

/** Returns the parameters as n8n's editor saves them, without default values. */
const saved = (parameters: INodeParameters): INodeParameters => {
	const how = [false, false, { typeVersion: 1 }, description] as const;
	return NodeHelpers.getNodeParameters(description.properties, parameters, ...how) ?? {};
};

test("no operation is on n8n's lists of reads and writes, so it is simulated without a model", async () => {
	const verdicts = await classify(operations.map(saved));
	expect(verdicts).toHaveLength(2 * operations.length);
	for (const verdict of verdicts)
		expect(verdict).toMatchObject({ verdict: 'simulate', source: 'fallback' });
});

test('operations with the values search, lookUp, get and list would be run for real', async () => {
	const reads = ['search', 'lookUp', 'get', 'list'].map((operation) => ({ operation }));
	const verdicts = await classify(reads);
	expect(verdicts.map(({ verdict }) => verdict)).toEqual(Array(8).fill('execute'));
});

test('a paid operation is named in a saved workflow, because no paid operation is a default', () => {
	const savedOperations = operations.map(saved).map(({ operation }) => operation);
	expect(savedOperations).toEqual(['count', undefined, 'buyLeads', undefined, 'buyProfiles']);
});
