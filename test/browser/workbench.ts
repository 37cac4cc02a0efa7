import {
	openLeadSearch,
	openLeadSearchTrigger,
	startStand,
	type NodePanel,
	type NodeSetup,
	type Parameters,
	type Stand,
} from '../../sandbox/browser/index';
import type { Account } from '../../sandbox/service/index';

/** What the tests have of the editor. Only usable in tests and hooks. */
export interface Workbench extends Omit<Stand, 'close'> {
	/** An account at the lead service, with as many credits of either kind. */
	openAccount(credits?: number): Account;
	/** Opens the node Lead Search in a workflow of its own. */
	openNode(parameters: Parameters, setup?: NodeSetup): Promise<NodePanel>;
	/** Opens Lead Search Trigger in a workflow of its own. */
	openTrigger(parameters: Parameters, setup?: Pick<NodeSetup, 'account'>): Promise<NodePanel>;
}

/** On a bare machine the start also installs Chromium. */
const startMilliseconds = 900_000;
const testMilliseconds = 120_000;

let stand: Stand | undefined;

/**
 * The editor of a real n8n that has the built package installed, and a lead service. All files of
 * tests share it, since its start takes longer than a test; every test loads the editor anew, with
 * a workflow and an account of its own. A test also fails when the browser complains.
 */
export const workbench: Workbench = {
	get service() {
		return started().service;
	},
	get client() {
		return started().client;
	},
	get editor() {
		return started().editor;
	},
	openAccount: (credits = 1_000) =>
		workbench.service.admin.createAccount({
			apiCredits: credits,
			subscriptionCredits: credits,
		}),
	openNode: (parameters, setup) => openLeadSearch(started(), parameters, setup),
	openTrigger: (parameters, setup) => openLeadSearchTrigger(started(), parameters, setup),
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

function started(): Stand {
	if (stand === undefined) throw new Error('The editor is not open yet, or did not open');
	return stand;
}
