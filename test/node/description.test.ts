/** The names and defaults that people save in workflows and script against; they never change. */
import { runInNewContext } from 'node:vm';

import Ajv from 'ajv';
import {
	NodeHelpers,
	Workflow,
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
import { nodeOf, nodeTypes, runNode } from './n8nCore';
import { icelanders, matching, useService, type Customer } from './useService';

const { customer } = useService();
const { description } = new LeadSearch();
const trigger = new LeadSearchTrigger().description;

/** The names and defaults of what is shown with these values, of the node or in a collection. */
function shownWith(values: INodeParameters, properties: INodeProperties[], node = description) {
	const shown = properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, node, values),
	);
	return Object.fromEntries(shown.map(({ name, default: preset }) => [name, preset]));
}

/** The same of a collection that is shown with these values. */
function offeredWith(values: INodeParameters, collection: string, node = description) {
	const shown = node.properties.find(
		(property) =>
			property.name === collection &&
			NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, node),
	);
	return shownWith(values, (shown?.options ?? []) as INodeProperties[], node);
}

const previewFilters = {
	...{ jobTitles: '', jobTitleSeniority: '', personLocationCountry: '', otherFilters: '{}' },
};
const searchFilters = { emailStatus: 'all', ...previewFilters };
const requests = { maxRetries: 3, timeout: 300 };
const free = { ...requests, pageSize: 100 };
const pages = { parallelPages: 'automatic' };
const limited = { returnAll: false, limit: 50 };
const paid = { maxCredits: 1000, reusePaidResults: 60, pageSize: 1000, ...requests };
const leads = { includeEmails: true, includePhones: false, includeRaw: true, skip: 0 };
const details = {
	...{ includeWorkEmails: true, includePersonalEmails: true, includePhones: false },
	...{ onlyWithEmails: true, includeInputFields: false, alreadyLookedUp: 'lookUpAgain' },
	unmatched: 'leaveOut',
};
const simplified = { limit: 50, simplify: true };

test.each<[string, string, object, object, object]>([
	['lead', 'count', { baseUrl: '' }, free, previewFilters],
	['lead', 'preview', { baseUrl: '', ...limited }, { ...free, ...pages, skip: 0 }, previewFilters],
	[
		'lead',
		'buyLeads',
		{ returnAll: false, ...simplified },
		{ ...paid, ...pages, ...leads },
		searchFilters,
	],
	['linkedInProfile', 'check', { linkedinUrls: '' }, {}, {}],
	[
		'linkedInProfile',
		'buyProfiles',
		{ linkedinUrls: '', returnAll: true, ...simplified },
		{ ...paid, ...pages, ...details },
		{},
	],
])('%s %s has its parameters, with their defaults', (...row) => {
	const [resource, operation, parameters, options, filters] = row;
	const values = { resource, operation, returnAll: false, simplify: false };
	const defaultOperation = resource === 'lead' ? 'preview' : 'check';
	expect(shownWith(values, description.properties)).toEqual({
		...{ resource: 'lead', operation: defaultOperation, ...parameters },
		...(operation !== 'check' && { options: {} }),
		...(resource === 'lead' && { filters: {} }),
	});
	expect(offeredWith(values, 'options')).toEqual(options);
	expect(offeredWith(values, 'filters')).toEqual(filters);
	const withSimplify = Object.entries(options).filter(([name]) => name !== 'includeRaw');
	expect(offeredWith({ ...values, simplify: true }, 'options')).toEqual(
		Object.fromEntries(withSimplify),
	);
	// What costs credits asks for a credential.
	const [credential] = description.credentials ?? [];
	expect(credential?.name).toBe('leadSearchApi');
	const isShown =
		credential &&
		NodeHelpers.displayParameter({ operation }, credential, { typeVersion: 1 }, description);
	expect(isShown).toBe(operation.startsWith('buy'));
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
	const values = { simplify: false };
	expect(shownWith(values, trigger.properties, trigger)).toEqual({
		...{ costNotice: '', event: 'nextLeads', filters: {}, leadsPerPoll: 50 },
		...{ maxCreditsPerDay: 1000, simplify: true, options: {} },
	});
	expect(offeredWith(values, 'filters', trigger)).toEqual(searchFilters);
	const { maxCredits, ...options } = { ...paid, ...leads, maxCreditsInTotal: 10_000 };
	expect(maxCredits).toBe(1000);
	expect(offeredWith(values, 'options', trigger)).toEqual(options);
});

test('the credential', () => {
	const { name, displayName, properties } = new LeadSearchApi();
	expect([name, displayName]).toEqual(['leadSearchApi', 'Lead Search API']);
	expect(
		Object.fromEntries(properties.map(({ name: field, default: preset }) => [field, preset])),
	).toMatchObject({ baseUrl: '', authentication: 'bearer', apiKey: '', sessionToken: '' });
	const secrets = properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(secrets.map((property) => property.name)).toEqual(['apiKey', 'sessionToken']);
});

const options = { includePhones: true };
const linkedinUrls = icelanders.slice(0, 50).join();
test.each([
	[
		'Search (Paid)',
		searchSchema,
		LEAD_FIELDS,
		async ({ search }: Customer) => (await search({ options })).json,
	],
	[
		'Look Up (Paid)',
		lookUpSchema,
		PROFILE_FIELDS,
		async ({ lookUp }: Customer) => (await lookUp({ linkedinUrls, options })).json,
	],
	['Count', countSchema, undefined, async ({ count }: Customer) => (await count()).json],
	[
		'Check URLs',
		checkSchema,
		undefined,
		async () => {
			const parameters = { resource: 'linkedInProfile', linkedinUrls: 'a' };
			return (await runNode({ parameters })).items.map(({ json }) => json);
		},
	],
] as const)(
	'%s returns what the editor offers before the first run',
	async (_, { version, ...schema }, fields, run) => {
		expect(version).toBe(1);
		// What is not known of a lead is null, or not there; the editor knows no null.
		const rows = (await run(customer())).map((row) =>
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
	const written = { resource: 'lead', operation: 'buyLeads', ...parameters };
	const node = nodeOf('Lead Search', 'leadSearch', written);
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: nodeTypes({ leadSearch: new LeadSearch() }),
	});
	const shown = (description.hints ?? []).filter(({ displayCondition = '' }) =>
		workflow.expression.getSimpleParameterValue(node, displayCondition, 'internal', {}),
	);
	expect(shown.map(({ message }) => message)).toEqual(expected.map(matching));
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
			config: { parameters: INodeParameters };
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
