/**
 * `npm run screenshots`: takes the pictures of the documentation anew, from a real n8n with the
 * package in it, and puts them into `docs/images`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { chain, manualTrigger } from '../n8n/index';
import { projectFolder } from '../paths';
import { leadAt, type Account } from '../service/index';
import type { NodePanel } from './node-panel';
import { takePicture, type Subject } from './picture';
import { startStand, type Stand } from './stand';

/** Sets something up in the editor, and says what of it to show. */
type Scene = (stand: Stand) => Promise<Subject>;

const imageFolder = join(projectFolder, 'docs', 'images');
const filters = { jobTitles: 'Marketing, Sales', personLocationCountry: 'Iceland' };

const nodesPanel: Scene = async ({ client, editor }) => {
	await editor.openWorkflow(await client.createWorkflow(chain('Leads', [manualTrigger])));
	const nodes = await editor.openNodesPanel();
	await nodes.search('Lead Search');
	await nodes.choose('Lead Search');
	await nodes.toggle('Triggers');
	const last = nodes.entry('On new Lead Search event');
	await last.waitFor();
	return { elements: [nodes.panel], last };
};

const searchParameters: Scene = async (stand) => {
	const panel = await openNode(stand, {
		resource: 'lead',
		operation: 'search',
		filters: { ...filters, emailStatus: 'verified' },
		options: { maxCredits: 500 },
	});
	return { elements: [panel.middle], last: panel.addButton('Options') };
};

const lookUpParameters: Scene = async (stand) => {
	const panel = await openNode(
		stand,
		{
			resource: 'linkedInProfile',
			operation: 'lookUp',
			linkedinUrls: '={{ $json.linkedin }}',
			options: { unmatched: 'returnAsNotFound' },
		},
		{ input: { linkedin: leadAt(0).linkedin_url } },
	);
	await panel.field('LinkedIn URLs').getByText(leadAt(0).linkedin_url).waitFor();
	return { elements: [panel.middle], last: panel.addButton('Options') };
};

const credential: Scene = async (stand) => {
	const panel = await openNode(stand, { resource: 'lead', operation: 'search' });
	await stand.editor.resize(1_060, 900);
	const dialog = await panel.editCredential();
	await dialog.passed();
	return { elements: [dialog.dialog], address: dialog.input('baseUrl') };
};

const searchOutput: Scene = async (stand) => {
	const panel = await openNode(stand, {
		resource: 'lead',
		operation: 'search',
		filters,
		limit: 8,
	});
	await panel.execute();
	await panel.output.showAs('Table');
	return { elements: [panel.output.panel], last: panel.output.table };
};

const notEnoughCredits: Scene = async (stand) => {
	const panel = await openNode(
		stand,
		{ resource: 'lead', operation: 'search', returnAll: true, options: { pageSize: 25 } },
		{
			account: stand.service.admin.createAccount({ apiCredits: 60 }),
			onError: 'continueErrorOutput',
		},
	);
	await panel.execute();
	await panel.output.showAs('Table');
	await panel.output.showBranch('Error');
	return { elements: [panel.output.panel], last: panel.output.table };
};

const preview: Scene = async (stand) => {
	const panel = await openNode(stand, {
		resource: 'lead',
		operation: 'preview',
		baseUrl: stand.service.baseUrl,
		filters,
		limit: 6,
	});
	await panel.execute();
	await panel.output.showAs('Table');
	return {
		elements: [panel.middle, panel.output.panel],
		last: panel.addButton('Options'),
		address: panel.field('Base URL').locator('input'),
	};
};

const scenes: Readonly<Record<string, Scene>> = {
	'nodes-panel': nodesPanel,
	'search-parameters': searchParameters,
	'look-up-parameters': lookUpParameters,
	credential,
	'search-output': searchOutput,
	'not-enough-credits': notEnoughCredits,
	preview,
};

interface NodeOptions {
	/** Whose key the credential has; an account with plenty of credits unless another one is given. */
	readonly account?: Account;
	readonly onError?: string;
	/** The item that comes in. */
	readonly input?: Readonly<Record<string, unknown>>;
}

/** Opens a node that has these parameters, in a workflow of its own. */
async function openNode(
	stand: Stand,
	parameters: Readonly<Record<string, unknown>>,
	{ account, onError, input = {} }: NodeOptions = {},
): Promise<NodePanel> {
	const { client, editor, service } = stand;
	const { id, name } = await client.createCredential('leadSearchApi', 'Lead Search account', {
		baseUrl: service.baseUrl,
		authentication: 'bearer',
		apiKey: (account ?? service.admin.createAccount()).apiKey,
	});
	const workflow = await client.createWorkflow({
		...chain('Leads', [
			manualTrigger,
			{
				name: 'Lead Search',
				type: 'n8n-nodes-lead-search.leadSearch',
				typeVersion: 1,
				parameters,
				credentials: { leadSearchApi: { id, name } },
				...(onError !== undefined && { onError }),
			},
		]),
		pinData: { [manualTrigger.name]: [{ json: input }] },
	});
	await editor.openWorkflow(workflow);
	return editor.openNode('Lead Search');
}

async function main(): Promise<void> {
	mkdirSync(imageFolder, { recursive: true });
	const stand = await startStand({ scale: 1.5 });
	try {
		for (const [name, setUp] of Object.entries(scenes)) {
			// So wide that a table has room beside the parameters.
			await stand.editor.resize(1_720, 1_000);
			const subject = await setUp(stand);
			await takePicture(stand.editor, join(imageFolder, `${name}.png`), subject);
			process.stdout.write(`docs/images/${name}.png\n`);
		}
	} finally {
		await stand.close();
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
