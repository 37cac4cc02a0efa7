/** What the pictures of the documentation show. */
import type { Locator } from 'playwright-core';

import { leadAt } from '../service/index';
import { openLeadSearch, openNewWorkflow } from './lead-workflow';
import type { Fixture } from './fixture';

/** What a picture shows. */
export interface Subject {
	/** The picture is as large as it takes to hold these. */
	readonly elements: readonly Locator[];
	/** Pixels around them. */
	readonly padding?: number;
	/** It ends a little below this one, if that is higher up. */
	readonly last?: Locator;
	/** CSS that counts in the picture alone. */
	readonly style?: string;
	/** The input that holds the mock service's address. */
	readonly address?: Locator;
}

/** Sets something up in the editor, and says what of it to show. */
export type Scene = (fixture: Fixture) => Promise<Subject>;

const filters = { jobTitles: 'Marketing, Sales', personLocationCountry: 'Iceland' };
const search = { resource: 'lead', operation: 'search', filters };

const nodesPanel: Scene = async (fixture) => {
	await openNewWorkflow(fixture);
	const nodes = await fixture.editor.openNodesPanel();
	await nodes.search('Lead Search');
	await nodes.choose('Lead Search');
	await nodes.toggle('Triggers');
	const last = nodes.entry('On a schedule: next leads of a search');
	await last.waitFor();
	return { elements: [nodes.panel], last };
};

const preview: Scene = async (fixture) => {
	const panel = await openLeadSearch(fixture, {
		resource: 'lead',
		operation: 'preview',
		baseUrl: fixture.service.baseUrl,
		filters,
		limit: 6,
	});
	await panel.execute();
	await panel.output.showTable();
	return {
		elements: [panel.middle, panel.output.panel],
		last: panel.addButton('Options'),
		address: panel.field('Base URL').locator('input'),
	};
};

const searchParameters: Scene = async (fixture) => {
	const panel = await openLeadSearch(
		fixture,
		{
			...search,
			filters: { ...filters, emailStatus: 'verified' },
			options: { maxCredits: 500 },
		},
		{ account: fixture.service.admin.createAccount() },
	);
	return { elements: [panel.middle], last: panel.addButton('Options') };
};

const searchOutput: Scene = async (fixture) => {
	const account = fixture.service.admin.createAccount();
	const panel = await openLeadSearch(fixture, { ...search, limit: 50 }, { account });
	await panel.execute();
	await panel.output.showTable();
	return { elements: [panel.output.panel], last: panel.output.rows.nth(4) };
};

const reusedResults: Scene = async (fixture) => {
	const account = fixture.service.admin.createAccount();
	const panel = await openLeadSearch(fixture, { ...search, limit: 50 }, { account });
	await panel.execute();
	await panel.output.showTable();
	await panel.execute();
	await panel.output.panel.getByText('50 of 50 leads were paid for').waitFor();
	return { elements: [panel.output.panel], last: panel.output.rows.nth(2) };
};

const notEnoughCredits: Scene = async (fixture) => {
	const panel = await openLeadSearch(
		fixture,
		{ ...search, returnAll: true, options: { pageSize: 25 } },
		{
			account: fixture.service.admin.createAccount({ apiCredits: 60 }),
			onError: 'continueErrorOutput',
		},
	);
	await panel.execute();
	await panel.output.showTable();
	await panel.output.showBranch('Error');
	return { elements: [panel.output.panel], last: panel.output.table };
};

/** Look Up of a field of its input items. */
async function openLookUp(fixture: Fixture, urls: readonly string[], unmatched: string) {
	return await openLeadSearch(
		fixture,
		{
			resource: 'linkedInProfile',
			operation: 'lookUp',
			linkedinUrls: '={{ $json.linkedin_url }}',
			options: { unmatched },
		},
		{
			account: fixture.service.admin.createAccount(),
			input: urls.map((linkedin_url) => ({ linkedin_url })),
		},
	);
}

const lookUpParameters: Scene = async (fixture) => {
	const { linkedin_url } = leadAt(0);
	const panel = await openLookUp(fixture, [linkedin_url], 'returnAsNotFound');
	await panel.field('LinkedIn URLs').getByText(linkedin_url).waitFor();
	return { elements: [panel.middle], last: panel.addButton('Options') };
};

function leadsWithEmail(count: number) {
	const leads = Array.from({ length: 100 }, (_, index) => leadAt(index));
	return leads.filter(({ work_email }) => work_email !== null).slice(0, count);
}

const notFoundOutput: Scene = async (fixture) => {
	const known = leadsWithEmail(3).map(({ linkedin_url }) => linkedin_url);
	const unknown = ['jane-roe', 'max-muster'].map((slug) => `https://www.linkedin.com/in/${slug}`);
	const panel = await openLookUp(fixture, [...known, ...unknown], 'secondOutput');
	await panel.execute();
	await panel.output.showTable();
	await panel.output.showBranch('Not Found');
	return { elements: [panel.output.panel], last: panel.output.table };
};

const credential: Scene = async (fixture) => {
	const account = fixture.service.admin.createAccount();
	const panel = await openLeadSearch(fixture, search, { account });
	await fixture.editor.page.setViewportSize({ width: 1_060, height: 900 });
	const dialog = await panel.editCredential();
	await dialog.passed();
	return {
		elements: [dialog.dialog],
		last: dialog.input('apiKey'),
		address: dialog.input('baseUrl'),
	};
};

const trigger: Scene = async (fixture) => {
	const panel = await openLeadSearch(
		fixture,
		{ filters, pollTimes: { item: [{ mode: 'everyDay', hour: 7, minute: 0 }] } },
		{ account: fixture.service.admin.createAccount(), isTrigger: true },
	);
	return { elements: [panel.middle], last: panel.addButton('Options') };
};

/** Every picture by the name of its file. */
export const scenes: Readonly<Record<string, Scene>> = {
	'nodes-panel': nodesPanel,
	preview,
	'search-parameters': searchParameters,
	'search-output': searchOutput,
	'reused-results': reusedResults,
	'not-enough-credits': notEnoughCredits,
	'look-up-parameters': lookUpParameters,
	'not-found-output': notFoundOutput,
	credential,
	trigger,
};
