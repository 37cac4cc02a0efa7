/** The names and defaults that people save in workflows and script against; they never change. */
import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';

import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';

const { description } = new LeadSearch();

/** Parameters that show for an operation, with their defaults. */
function shownFor(resource: string, operation: string): INodeProperties[] {
	const values = { resource, operation, returnAll: false };
	return description.properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description),
	);
}

const defaultsOf = (properties: INodeProperties[]) =>
	Object.fromEntries(properties.map(({ name, default: preset }) => [name, preset]));

const optionsOf = (properties: INodeProperties[], collection: string) =>
	defaultsOf(
		(properties.find(({ name }) => name === collection)?.options ?? []) as INodeProperties[],
	);

test('the node is called Lead Search, version 1, and AI agents can use it', () => {
	expect(description).toMatchObject({
		displayName: 'Lead Search',
		name: 'leadSearch',
		version: 1,
		usableAsTool: true,
	});
});

test('Count', () => {
	const shown = shownFor('lead', 'count');
	expect(defaultsOf(shown)).toEqual({
		resource: 'lead',
		operation: 'preview',
		baseUrl: '',
		filters: {},
		options: {},
	});
	expect(optionsOf(shown, 'options')).toEqual({ maxRetries: 3, pageSize: 100, timeout: 300 });
	expect(optionsOf(shown, 'filters')).not.toHaveProperty('emailStatus');
});

test('Preview', () => {
	const shown = shownFor('lead', 'preview');
	expect(defaultsOf(shown)).toEqual({
		resource: 'lead',
		operation: 'preview',
		baseUrl: '',
		filters: {},
		returnAll: false,
		limit: 50,
		options: {},
	});
	expect(optionsOf(shown, 'options')).toEqual({
		maxRetries: 3,
		pageSize: 100,
		parallelPages: 'automatic',
		skip: 0,
		timeout: 300,
	});
	expect(optionsOf(shown, 'filters')).not.toHaveProperty('emailStatus');
});

test('Search', () => {
	const shown = shownFor('lead', 'buyLeads');
	expect(defaultsOf(shown)).toEqual({
		resource: 'lead',
		operation: 'preview',
		filters: {},
		returnAll: false,
		limit: 50,
		simplify: true,
		options: {},
	});
	expect(optionsOf(shown, 'filters')).toEqual({
		emailStatus: 'all',
		jobTitles: '',
		jobTitleSeniority: '',
		otherFilters: '{}',
		personLocationCountry: '',
	});
	expect(optionsOf(shown, 'options')).toEqual({
		includeEmails: true,
		includePhones: false,
		includeRaw: true,
		maxCredits: 1000,
		maxRetries: 3,
		pageSize: 1000,
		parallelPages: 'automatic',
		reusePaidResults: 60,
		skip: 0,
		timeout: 300,
	});
});

test('Look Up', () => {
	const shown = shownFor('linkedInProfile', 'buyProfiles');
	expect(defaultsOf(shown)).toEqual({
		resource: 'lead',
		operation: 'check',
		linkedinUrls: '',
		returnAll: true,
		limit: 50,
		simplify: true,
		options: {},
	});
	expect(optionsOf(shown, 'options')).toEqual({
		alreadyLookedUp: 'lookUpAgain',
		includePersonalEmails: true,
		includePhones: false,
		includeWorkEmails: true,
		maxCredits: 1000,
		maxRetries: 3,
		onlyWithEmails: true,
		pageSize: 1000,
		parallelPages: 'automatic',
		reusePaidResults: 60,
		timeout: 300,
		unmatched: 'leaveOut',
	});
});

test('Check URLs', () => {
	expect(defaultsOf(shownFor('linkedInProfile', 'check'))).toEqual({
		resource: 'lead',
		operation: 'check',
		linkedinUrls: '',
	});
});

test('operations that cost credits say so in their names and actions', () => {
	const listed = description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options as INodePropertyOptions[])
		.map(({ value, name, action }) => [value, name, action]);
	expect(listed).toEqual([
		['count', 'Count', 'Count leads'],
		['preview', 'Preview', 'Preview leads'],
		['buyLeads', 'Search (Paid)', 'Buy leads (1 credit each)'],
		['check', 'Check URLs', 'Check LinkedIn URLs'],
		['buyProfiles', 'Look Up (Paid)', 'Buy profiles by LinkedIn URL (1 credit each)'],
	]);
});

test('what costs credits asks for the credential Lead Search API, nothing else does', () => {
	const [credential] = description.credentials ?? [];
	expect(credential?.name).toBe('leadSearchApi');
	const asksFor = (operation: string) =>
		credential &&
		NodeHelpers.displayParameter({ operation }, credential, { typeVersion: 1 }, description);
	const operations = ['count', 'preview', 'buyLeads', 'check', 'buyProfiles'];
	expect(operations.filter(asksFor)).toEqual(['buyLeads', 'buyProfiles']);
});

test('the trigger is called Lead Search Trigger, version 1, and polls', () => {
	const trigger = new LeadSearchTrigger().description;
	expect(trigger).toMatchObject({
		displayName: 'Lead Search Trigger',
		name: 'leadSearchTrigger',
		version: 1,
		polling: true,
	});
	expect(defaultsOf(trigger.properties)).toEqual({
		costNotice: '',
		event: 'nextLeads',
		filters: {},
		leadsPerPoll: 50,
		whenExhausted: 'stop',
		simplify: true,
		options: {},
	});
	const { parallelPages, reusePaidResults, ...others } = optionsOf(
		shownFor('lead', 'buyLeads'),
		'options',
	);
	expect([parallelPages, reusePaidResults]).toEqual(['automatic', 60]);
	expect(optionsOf(trigger.properties, 'options')).toEqual({
		...others,
		maxCreditsPerDay: 1000,
		maxCreditsInTotal: 10_000,
	});
});

test('Return All of a paid search says what it can cost', () => {
	const [notice, lookUpNotice] = description.properties.filter(({ type }) => type === 'notice');
	expect(lookUpNotice?.displayName).toContain('Each profile found costs 1 credit');
	expect(notice?.displayName).toContain(
		'costs 1 credit for each lead that matches, up to 100,000',
	);
	expect(notice?.displayOptions?.show).toEqual({
		resource: ['lead'],
		operation: ['buyLeads'],
		returnAll: [true],
	});
});

test('the credential', () => {
	const credential = new LeadSearchApi();
	expect(credential).toMatchObject({ name: 'leadSearchApi', displayName: 'Lead Search API' });
	expect(defaultsOf(credential.properties)).toEqual({
		baseUrl: '',
		authentication: 'bearer',
		apiKey: '',
		sessionToken: '',
	});
	const secrets = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(secrets.map(({ name }) => name)).toEqual(['apiKey', 'sessionToken']);
});
