import { openLeadSearch, startFixture } from '../../sandbox/browser/fixture';
import type { Fixture, NodeSetup } from '../../sandbox/browser/fixture';
import type { Fields } from '../../sandbox/n8n/index';
import { withForm } from './form';

/** n8n may have to make its database first. */
const startMilliseconds = 900_000;
const started = {} as Fixture;

/**
 * The editor of a real n8n that has the built package installed, and a lead service. All files of
 * tests share it, since its start takes longer than a test; every test loads the editor again, with
 * a workflow and an account of its own. A test also fails when the browser complains.
 */
export const fixture = Object.assign(started, {
	openAccount: () => started.service.admin.createAccount(),
	openNode: async (parameters: Fields, setup?: NodeSetup) =>
		withForm(await openLeadSearch(started, parameters, setup)),
});

beforeAll(async () => Object.assign(started, await startFixture()), startMilliseconds);

afterEach(() => {
	started.service.admin.clearFaults();
	expect(started.editor.takeComplaints()).toEqual([]);
});

afterAll(() => started.close(), startMilliseconds);
