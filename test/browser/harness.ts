import { randomUUID } from 'node:crypto';

import { startStand, type NodePanel, type Stand } from '../../sandbox/browser/index';
import { chain, manualTrigger, type SavedCredential } from '../../sandbox/n8n/index';
import type { WorkflowNode } from '../../sandbox/n8n/index';
import type { Account, Behaviour } from '../../sandbox/service/index';

/** What a test file has of the editor. Only usable in tests and hooks. */
export interface Workbench extends Omit<Stand, 'close'> {
	/** An account at the lead service, with as many credits of either kind. */
	openAccount(credits?: number, behaviour?: Behaviour): Account;
	/** Saves a credential without the dialog. */
	saveCredential(account: Account): Promise<SavedCredential>;
	/** Opens a workflow that begins with a trigger and goes on with these nodes. */
	openWorkflow(...nodes: readonly WorkflowNode[]): Promise<void>;
	/** Opens the node "Lead Search" of such a workflow, which has these parameters. */
	openNode(parameters: Readonly<Record<string, unknown>>, more?: NodeOptions): Promise<NodePanel>;
}

/** How a node is set up besides its parameters. */
export interface NodeOptions {
	readonly account?: Account;
	readonly onError?: string;
	/** Nodes between the trigger and the node. */
	readonly after?: readonly WorkflowNode[];
}

/** On a bare machine the first start also installs Chromium. */
const startMilliseconds = 900_000;
const testMilliseconds = 120_000;
const name = 'Lead Search';
const type = 'n8n-nodes-lead-search.leadSearch';

/**
 * Gives a test file the editor of a real n8n that has the built package installed, and a lead
 * service. Every test also fails when the browser has something to complain about. Call it once,
 * at the top of the file.
 */
export function useEditor(): Workbench {
	let stand: Stand | undefined;
	const started = () => {
		if (stand === undefined) throw new Error('The editor is not open yet, or did not open');
		return stand;
	};

	jest.setTimeout(testMilliseconds);
	beforeAll(async () => {
		stand = await startStand();
	}, startMilliseconds);
	afterEach(() => {
		stand?.service.admin.clearFaults();
		expect(stand?.editor.complaints.take()).toEqual([]);
	});
	afterAll(async () => {
		await stand?.close();
	}, startMilliseconds);

	const workbench: Workbench = {
		get service() {
			return started().service;
		},
		get client() {
			return started().client;
		},
		get editor() {
			return started().editor;
		},
		openAccount: (credits = 1_000, behaviour = {}) =>
			workbench.service.admin.createAccount({
				apiKey: `key-${randomUUID()}`,
				sessionToken: `token-${randomUUID()}`,
				apiCredits: credits,
				subscriptionCredits: credits,
				...behaviour,
			}),
		saveCredential: ({ apiKey }) =>
			workbench.client.createCredential('leadSearchApi', `Account ${randomUUID()}`, {
				baseUrl: workbench.service.baseUrl,
				authentication: 'bearer',
				apiKey,
			}),
		async openWorkflow(...nodes) {
			const workflow = chain(`Leads ${randomUUID()}`, [manualTrigger, ...nodes]);
			const { client, editor } = workbench;
			await editor.openWorkflow(await client.createWorkflow(workflow));
		},
		async openNode(parameters, { account, onError, after = [] } = {}) {
			const saved = account && (await workbench.saveCredential(account));
			await workbench.openWorkflow(...after, {
				name,
				type,
				typeVersion: 1,
				parameters,
				...(saved && {
					credentials: { leadSearchApi: { id: saved.id, name: saved.name } },
				}),
				...(onError !== undefined && { onError }),
			});
			return workbench.editor.openNode(name);
		},
	};
	return workbench;
}
