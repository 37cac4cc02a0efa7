/** What the pictures of the documentation show. */
import type { Locator } from 'playwright-core';

import { leadAt } from '../service/index';
import { openLeadSearch, openLeadSearchTrigger, openNewWorkflow } from './lead-workflow';
import type { Fixture } from './fixture';

/** What a picture shows. */
export interface Subject {
	/** The picture is as large as it takes to hold these. */
	readonly elements: readonly Locator[];
	/** It ends a little below this one, if that is higher up. */
	readonly last?: Locator;
	/** The input that holds the mock service's address. */
	readonly address?: Locator;
}

/** Sets something up in the editor, and says what of it to show. */
type Scene = (fixture: Fixture) => Promise<Subject>;

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
	const panel = await openLeadSearch(fixture, { ...search, limit: 6 }, { account });
	await panel.execute();
	await panel.output.showTable();
	return { elements: [panel.output.panel], last: panel.output.table };
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

const lookUpParameters: Scene = async (fixture) => {
	const { linkedin_url } = leadAt(0);
	const panel = await openLeadSearch(
		fixture,
		{
			resource: 'linkedInProfile',
			operation: 'lookUp',
			linkedinUrls: '={{ $json.linkedin_url }}',
			options: { unmatched: 'returnAsNotFound' },
		},
		{
			account: fixture.service.admin.createAccount(),
			input: [{ linkedin_url }],
		},
	);
	await panel.field('LinkedIn URLs').getByText(linkedin_url).waitFor();
	return { elements: [panel.middle], last: panel.addButton('Options') };
};

const credential: Scene = async (fixture) => {
	const account = fixture.service.admin.createAccount();
	const panel = await openLeadSearch(fixture, search, { account });
	await fixture.editor.resize(1_060, 900);
	const dialog = await panel.editCredential();
	await dialog.passed();
	return {
		elements: [dialog.dialog],
		last: dialog.input('apiKey'),
		address: dialog.input('baseUrl'),
	};
};

const trigger: Scene = async (fixture) => {
	const panel = await openLeadSearchTrigger(
		fixture,
		{ filters, pollTimes: { item: [{ mode: 'everyDay', hour: 7, minute: 0 }] } },
		{ account: fixture.service.admin.createAccount() },
	);
	return { elements: [panel.middle], last: panel.addButton('Options') };
};

/** Every picture by the name of its file. */
export const scenes: Readonly<Record<string, Scene>> = {
	'nodes-panel': nodesPanel,
	preview,
	'search-parameters': searchParameters,
	'search-output': searchOutput,
	'not-enough-credits': notEnoughCredits,
	'look-up-parameters': lookUpParameters,
	credential,
	trigger,
};
