/** The names and defaults that people save in workflows and script against; they never change. */
import { runInNewContext } from 'node:vm';

import Ajv from 'ajv';
import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import countSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/lead/count.json';
import searchSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/lead/buyLeads.json';
import lookUpSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/linkedInProfile/buyProfiles.json';
import checkSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/linkedInProfile/check.json';
import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { LEAD_FIELDS, PROFILE_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import { runNode } from './n8nCore';
import { iceland as filters, icelanders, jsonOf, useService, type Customer } from './useService';

const { customer } = useService();
const { description } = new LeadSearch();
const trigger = new LeadSearchTrigger().description;

/** Parameters that show for an operation. */
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

const previewFilters = {
	jobTitles: '',
	jobTitleSeniority: '',
	otherFilters: '{}',
	personLocationCountry: '',
};
const searchFilters = { emailStatus: 'all', ...previewFilters };
const requests = { maxRetries: 3, timeout: 300 };
const free = { ...requests, pageSize: 100 };
const pages = { parallelPages: 'automatic' };
const limited = { returnAll: false, limit: 50 };
const paid = { maxCredits: 1000, reusePaidResults: 60, pageSize: 1000, ...requests };
const leads = { includeEmails: true, includePhones: false, includeRaw: true, skip: 0 };

describe.each([
	['lead', 'count', { baseUrl: '' }, free, previewFilters],
	['lead', 'preview', { baseUrl: '', ...limited }, { ...free, ...pages, skip: 0 }, previewFilters],
	[
		'lead',
		'buyLeads',
		{ ...limited, simplify: true },
		{ ...paid, ...pages, ...leads },
		searchFilters,
	],
	['linkedInProfile', 'check', { linkedinUrls: '' }, undefined, undefined],
	[
		'linkedInProfile',
		'buyProfiles',
		{ linkedinUrls: '', returnAll: true, limit: 50, simplify: true },
		{
			...paid,
			...pages,
			alreadyLookedUp: 'lookUpAgain',
			includeInputFields: false,
			includePersonalEmails: true,
			includePhones: false,
			includeWorkEmails: true,
			onlyWithEmails: true,
			unmatched: 'leaveOut',
		},
		undefined,
	],
])('%s: %s', (resource, operation, parameters, options, filterNames) => {
	const shown = shownFor(resource, operation);

	test('has its parameters, with their defaults', () => {
		expect(defaultsOf(shown)).toEqual({
			resource: 'lead',
			operation: resource === 'lead' ? 'preview' : 'check',
			...parameters,
			...(options && { options: {} }),
			...(filterNames && { filters: {} }),
		});
		expect(optionsOf(shown, 'options')).toEqual(options ?? {});
		expect(optionsOf(shown, 'filters')).toEqual(filterNames ?? {});
	});

	test('asks for the credential Lead Search API if it costs credits', () => {
		const [credential] = description.credentials ?? [];
		expect(credential?.name).toBe('leadSearchApi');
		const isShown =
			credential &&
			NodeHelpers.displayParameter({ operation }, credential, { typeVersion: 1 }, description);
		expect(isShown).toBe(operation.startsWith('buy'));
	});
});

test('the node is called Lead Search, version 1, and AI agents can use it', () => {
	expect(description).toMatchObject({
		displayName: 'Lead Search',
		name: 'leadSearch',
		version: 1,
		usableAsTool: true,
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

test('Return All says what it can cost', () => {
	const notices = description.properties.filter(({ type }) => type === 'notice');
	expect(notices.map(({ displayName }) => displayName)).toEqual([
		expect.stringContaining('costs 1 credit for each lead that matches, up to 100,000'),
		expect.stringContaining('Each profile found costs 1 credit'),
	]);
});

test('the trigger is called Lead Search Trigger, version 1, and polls', () => {
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
		maxCreditsPerDay: 1000,
		simplify: true,
		options: {},
	});
	expect(optionsOf(trigger.properties, 'filters')).toEqual(searchFilters);
	const { maxCredits, ...options } = { ...paid, ...leads, maxCreditsInTotal: 10_000 };
	expect(maxCredits).toBe(1000);
	expect(optionsOf(trigger.properties, 'options')).toEqual(options);
});

test('the credential', () => {
	const { name, displayName, properties } = new LeadSearchApi();
	expect([name, displayName]).toEqual(['leadSearchApi', 'Lead Search API']);
	expect(defaultsOf(properties)).toMatchObject({
		baseUrl: '',
		authentication: 'bearer',
		apiKey: '',
		sessionToken: '',
	});
	const secrets = properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(secrets.map((property) => property.name)).toEqual(['apiKey', 'sessionToken']);
});

const phones = { options: { includePhones: true } };
test.each([
	[
		'Search (Paid)',
		searchSchema,
		LEAD_FIELDS,
		async (buyer: Customer) => await buyer.search({ filters, ...phones }),
	],
	[
		'Look Up (Paid)',
		lookUpSchema,
		PROFILE_FIELDS,
		async (buyer: Customer) =>
			await buyer.lookUp({ linkedinUrls: icelanders.slice(0, 50).join(), ...phones }),
	],
	['Count', countSchema, undefined, async (buyer: Customer) => await buyer.count({ filters })],
	[
		'Check URLs',
		checkSchema,
		undefined,
		async () => await runNode({ parameters: { resource: 'linkedInProfile', linkedinUrls: 'a' } }),
	],
] as const)(
	'%s returns what the editor offers before the first run',
	async (_, { version, ...schema }, fields, run) => {
		expect(version).toBe(1);
		const { items } = await run(customer());
		// What is not known of a lead is null, or not there; the editor knows no null.
		const rows = jsonOf(items).map((row) =>
			Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
		);
		expect(rows).not.toEqual([]);
		const validate = new Ajv().compile({ ...schema, additionalProperties: false });
		expect(rows.filter((row) => !validate(row))).toEqual([]);
		const offered = Object.keys(schema.properties).sort();
		const seen = new Set(rows.flatMap((row) => Object.keys(row)));
		expect([...seen].sort()).toEqual(offered);
		if (fields) expect([...fields].sort()).toEqual(offered);
	},
);

test.each<[string, INodeParameters, RegExp[]]>([
	['a fresh search', {}, [/^No filter: this buys the first leads/]],
	['Return All', { returnAll: true }, [/^No filter: Return All buys the whole database/]],
	['Email Status alone', { filters: { emailStatus: 'verified' } }, [/^No filter: this/]],
	['filters that are empty', { filters: { jobTitles: ' ', otherFilters: '{}' } }, [/^No filter/]],
	['a filter', { filters: { jobTitles: 'CEO' } }, []],
	['an expression', { filters: { jobTitles: '={{ $json.title }}' } }, []],
	['Preview', { operation: 'preview' }, []],
])('%s: the hint before the run', (_, parameters, expected) => {
	const node: INode = {
		id: '1',
		name: 'Lead Search',
		type: 'leadSearch',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'lead', operation: 'buyLeads', ...parameters },
	};
	const type = new LeadSearch();
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	const shown = (description.hints ?? []).filter(({ displayCondition = '' }) =>
		workflow.expression.getSimpleParameterValue(node, displayCondition, 'internal', {}),
	);
	expect(shown.map(({ message }) => message)).toEqual(
		expected.map((text) => expect.stringMatching(text) as string),
	);
});

test.each([
	['node', description, ['buyLeads', 'buyProfiles']],
	['trigger', trigger, [undefined]],
])("examples for n8n's workflow builder name what the %s has", (kind, type, operations) => {
	const examples = (type.builderHint?.extraTypeDefContent ?? []).map(({ content }) => {
		const [code = ''] = new RegExp(`${kind}\\([^]*?\\n\\}\\);`).exec(content) ?? [];
		const helpers = { [kind]: (made: unknown) => made, expr: (text: unknown) => text };
		return runInNewContext(code, helpers) as {
			type: string;
			config: Pick<INode, 'parameters'>;
		};
	});
	expect(examples.map(({ config }) => config.parameters.operation)).toEqual(operations);
	const listed = type.properties.flatMap(({ options = [], ...property }) => [property, ...options]);
	const known = ['pollTimes', ...listed.map(({ name }) => name)];
	for (const { type: name, config } of examples) {
		expect(name).toBe(`n8n-nodes-lead-search.${type.name}`);
		const { options = {}, filters = {}, ...parameters } = config.parameters;
		const used = [parameters, options, filters].flatMap((values) => Object.keys(values as object));
		expect(known).toEqual(expect.arrayContaining(used));
	}
});
