import { startFixture, type Fixture } from '../../sandbox/browser/fixture';
import { openLeadSearch, type NodeSetup } from '../../sandbox/browser/lead-workflow';
import type { Fields } from '../../sandbox/n8n/index';
import type { Account } from '../../sandbox/service/index';
import { withForm, type FormPanel } from './form';

/** What the tests have of the editor. Only usable in tests and hooks. */
export interface EditorFixture extends Omit<Fixture, 'close'> {
	/** An account at the lead service, with as many credits of either kind. */
	openAccount(credits?: number): Account;
	/** Opens the node Lead Search in a workflow of its own. */
	openNode(parameters: Fields, setup?: NodeSetup): Promise<FormPanel>;
	/** Opens Lead Search Trigger in a workflow of its own. */
	openTrigger(parameters: Fields, setup?: Pick<NodeSetup, 'account'>): Promise<FormPanel>;
}

/** On a bare machine the start also installs Chromium. */
const startMilliseconds = 900_000;
const testMilliseconds = 120_000;

let shared: Fixture | undefined;

/**
 * The editor of a real n8n that has the built package installed, and a lead service. All files of
 * tests share it, since its start takes longer than a test; every test loads the editor anew, with
 * a workflow and an account of its own. A test also fails when the browser complains.
 */
export const fixture: EditorFixture = {
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
		fixture.service.admin.createAccount({
			apiCredits: credits,
			subscriptionCredits: credits,
		}),
	openNode: async (parameters, setup) =>
		withForm(await openLeadSearch(started(), parameters, setup)),
	openTrigger: async (parameters, setup) =>
		withForm(await openLeadSearch(started(), parameters, { ...setup, isTrigger: true })),
};

jest.setTimeout(testMilliseconds);

beforeAll(async () => {
	shared = await startFixture();
}, startMilliseconds);

afterEach(() => {
	shared?.service.admin.clearFaults();
	expect(shared?.editor.takeComplaints()).toEqual([]);
});

afterAll(async () => {
	await shared?.close();
}, startMilliseconds);

function started(): Fixture {
	if (shared === undefined) throw new Error('The editor is not open yet, or did not open');
	return shared;
}
