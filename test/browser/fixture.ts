import { openLeadSearch, startFixture } from '../../sandbox/browser/fixture';
import type { Fixture, NodeSetup } from '../../sandbox/browser/fixture';
import type { Fields } from '../../sandbox/n8n/index';
import { withForm } from './form';

/** The time limit is high, because n8n may have to create its database first. */
const startMilliseconds = 900_000;
const started = {} as Fixture;

/**
 * The editor of a real n8n that has the built package installed, and a mock service. All test files share it, because
 * its start takes longer than a test. Every test loads the editor again, with its own workflow and account. A test also
 * fails if the browser logs an error.
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
