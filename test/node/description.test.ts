/** Tests the names and defaults that users save in workflows and use in scripts. They must never change. */
import Ajv from 'ajv';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import countSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/lead/count.json';
import previewSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/lead/preview.json';
import searchSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/lead/buyLeads.json';
import lookUpSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/linkedInProfile/buyProfiles.json';
import triggerSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/output.json';
import checkSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/linkedInProfile/check.json';
import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { OPTION_NAMES } from '../../nodes/LeadSearch/parameters/collections';
import { LEAD_FIELDS, PROFILE_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import { createNode, nodeTypes } from './n8nCore';
import { icelandUrls, matching, useService, type Customer } from './useService';

const { customer } = useService();
const { description } = new LeadSearch();
const trigger = new LeadSearchTrigger().description;

/** Returns the names and defaults of the parameters, or of a collection's options, that are shown with these values. */
function parametersShown(
	values: INodeParameters,
	properties: INodeProperties[],
	node = description,
) {
	const shown = properties.filter((property) => isShown(values, property, node));
	return Object.fromEntries(shown.map(({ name, default: preset }) => [name, preset]));
}

/** Returns the names and defaults of the options of a collection that is shown with these values. */
function optionsOffered(values: INodeParameters, collection: string, node = description) {
	const shown = node.properties.find(
		(property) => property.name === collection && isShown(values, property, node),
	);
	return parametersShown(values, (shown?.options ?? []) as INodeProperties[], node);
}

type Shown = Parameters<typeof NodeHelpers.displayParameter>[1];
function isShown(values: INodeParameters, shown: Shown, node = description) {
	return NodeHelpers.displayParameter(values, shown, { typeVersion: 1 }, node, values);
}

const leadFilters = {
	emailStatus: 'all',
	jobTitles: '',
	jobTitleSeniority: '',
	personLocationCountry: '',
	otherFilters: '{}',
};
const free = { timeout: 300, pageSize: 100 };
const pages = { parallelPages: 8 };
const limited = { returnAll: false, limit: 50 };
const triggerOptions = { includeUsage: false, pageSize: 100, timeout: 300 };
const leads = { includePhones: false, includeRaw: false, skip: 0 };
const details = {
	includePersonalEmails: true,
	includePhones: false,
	onlyWithEmails: true,
	unmatched: 'leaveOut',
};
const simplified = { limit: 50, maxCredits: '', simplify: true };
const lookUpParameters = { linkedinUrls: '', returnAll: true, includeInputFields: false };
const paid = {
	reusePaidResults: 30,
	pageSize: 100,
	timeout: 300,
	includeUsage: false,
};
const forLeads = { ...paid, ...pages, ...leads };
const forProfiles = { ...paid, ...details };

test.each<[string, string, object, object, object]>([
	['lead', 'count', { baseUrl: '' }, free, leadFilters],
	['lead', 'preview', { baseUrl: '', ...limited }, { ...free, ...pages, skip: 0 }, leadFilters],
	['lead', 'buyLeads', { returnAll: false, ...simplified }, forLeads, leadFilters],
	['linkedInProfile', 'check', { linkedinUrls: '' }, {}, {}],
	['linkedInProfile', 'buyProfiles', { ...lookUpParameters, ...simplified }, forProfiles, {}],
])('the resource %s with the operation %s has its parameters, with their defaults', (...row) => {
	const [resource, operation, parameters, options, filters] = row;
	const values = { resource, operation, returnAll: false, simplify: false };
	const defaultOperation = resource === 'lead' ? 'preview' : 'check';
	expect(parametersShown(values, description.properties)).toEqual({
		resource: 'lead',
		operation: defaultOperation,
		...parameters,
		...(operation !== 'check' && { options: {} }),
		...(resource === 'lead' && { filters: {} }),
	});
	expect(optionsOffered(values, 'options')).toEqual(options);
	expect(Object.keys(options).length).toBeLessThanOrEqual(9);
	expect(optionsOffered(values, 'filters')).toEqual(filters);
	// Return All hides Limit, and paid operations then show a notice.
	const isPaid = operation.startsWith('buy');
	const all = parametersShown({ ...values, returnAll: true }, description.properties);
	expect(all).not.toHaveProperty('limit');
	expect('returnAllNotice' in all).toBe(isPaid);
	const withSimplify = Object.entries(options).filter(([name]) => name !== 'includeRaw');
	expect(optionsOffered({ ...values, simplify: true }, 'options')).toEqual(
		Object.fromEntries(withSimplify),
	);
	const credentials = (description.credentials ?? []).filter((one) => isShown({ operation }, one));
	expect(credentials.map(({ name }) => name)).toEqual(
		operation === 'check' ? [] : ['leadSearchApi'],
	);
	// The credential is optional, because n8n would require it for free operations too. Paid operations check it.
	expect(credentials.some(({ required }) => required)).toBe(false);
});

test('the node is usable as a tool, and the names and actions of paid operations say that they cost credits', () => {
	expect(description).toMatchObject({
		displayName: 'Lead Search',
		name: 'leadSearch',
		version: 1,
		usableAsTool: true,
	});
	const listed = description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options as INodePropertyOptions[])
		.map(({ value, name, action }) => [value, name, action]);
	expect(listed).toEqual([
		['count', 'Count', 'Count leads'],
		['preview', 'Preview', 'Preview leads'],
		['buyLeads', 'Search (Paid)', 'Search leads (1 credit each)'],
		['check', 'Check URLs', 'Check LinkedIn URLs'],
		['buyProfiles', 'Look Up (Paid)', 'Look up profiles (1 credit each)'],
	]);
	const notices = description.properties.filter(({ type }) => type === 'notice');
	const filterNotice = matching(/^The agent can set only the filters that you add/);
	expect(notices.map(({ displayName }) => displayName)).toEqual([
		filterNotice,
		filterNotice,
		filterNotice,
		matching(
			/^'Return All' can cost up to 100,000 credits\. To limit the cost, set 'Max Credits'\.$/,
		),
		matching(/^Each call can cost up to 'Limit' credits/),
		matching(/^Each profile found costs 1 credit/),
		matching(/^Each call can cost 1 credit for each profile found/),
	]);
});

test.each(['count', 'preview'])(
	'%s has Base URL as its last parameter, and says when to leave it empty',
	(operation) => {
		const values = { resource: 'lead', operation };
		const shown = description.properties.filter((property) => isShown(values, property));
		const last = shown.filter(({ type }) => type !== 'hidden').at(-1);
		expect(last).toMatchObject({ name: 'baseUrl', hint: 'Leave empty if a credential is chosen' });
	},
);

test.each(['count', 'preview', 'buyLeads'])(
	'%s as a tool says that an agent can fill only filters that were added',
	(operation) => {
		const values = { resource: 'lead', operation };
		const tool = { ...description, name: 'leadSearchTool' };
		expect(parametersShown(values, description.properties, tool)).toHaveProperty('toolNotice');
		expect(parametersShown(values, description.properties)).not.toHaveProperty('toolNotice');
	},
);

test.each([
	['lead', 'buyLeads'],
	['linkedInProfile', 'buyProfiles'],
])(
	'a tool for %s %s says what a call and an execution may cost until Max Credits is set, and nothing else about costs',
	(resource, operation) => {
		const tool = { ...description, name: 'leadSearchTool' };
		const costNotices = (maxCredits: unknown, node = tool) => {
			const values = { resource, operation, returnAll: true, maxCredits } as INodeParameters;
			const shown = parametersShown(values, description.properties, node);
			return ['toolCostNotice', 'returnAllNotice'].filter((name) => name in shown);
		};
		expect(costNotices('')).toEqual(['toolCostNotice']);
		for (const maxCredits of [5, '={{ 5 }}']) expect(costNotices(maxCredits)).toEqual([]);
		expect(costNotices('', description)).toEqual(['returnAllNotice']);
		const written = { resource, operation, returnAll: true, filters: { jobTitles: 'CEO' } };
		expect(hintsOf(written, tool)).toEqual([]);
		expect(hintsOf(written)).toHaveLength(1);
	},
);

test('every operation accepts the options of the others', () => {
	const collections = description.properties.filter(
		({ name, type }) => name === 'options' && type === 'collection',
	);
	const names = collections.flatMap(({ options = [] }) => options.map(({ name }) => name));
	expect(OPTION_NAMES).toEqual(expect.arrayContaining(names));
});

test('no filter is lost when the user changes the operation of Lead', () => {
	const filters = { emailStatus: 'verified', jobTitles: 'CEO' };
	// The editor also leaves out hidden parameters.
	const shown = description.properties.filter(({ type }) => type !== 'hidden');
	const flags = [true, false, { typeVersion: 1 }, description] as const;
	let values: INodeParameters | null = { resource: 'lead', operation: 'buyLeads', filters };
	for (const operation of ['count', 'preview', 'buyLeads'])
		values = NodeHelpers.getNodeParameters(shown, { ...values, operation }, ...flags);
	expect(values?.filters).toEqual(filters);
});

test('the trigger is a polling trigger with its own parameters', () => {
	expect(trigger).toMatchObject({
		displayName: 'Lead Search Trigger',
		name: 'leadSearchTrigger',
		version: 1,
		polling: true,
	});
	const values = { simplify: false };
	expect(parametersShown(values, trigger.properties, trigger)).toEqual({
		costNotice: '',
		event: 'nextLeads',
		filters: {},
		leadsPerPoll: 50,
		maxCreditsPerDay: 1000,
		simplify: true,
		options: {},
	});
	expect(optionsOffered(values, 'filters', trigger)).toEqual(leadFilters);
	const limits = { maxCreditsPerMonth: 1_000, maxCreditsInTotal: 10_000 };
	const options = { ...triggerOptions, ...leads, ...limits };
	expect(optionsOffered(values, 'options', trigger)).toEqual(options);
});

test('the credential has its fields with their defaults, and its secrets are passwords', () => {
	const { name, displayName, properties } = new LeadSearchApi();
	expect([name, displayName]).toEqual(['leadSearchApi', 'Lead Search API']);
	const ceiling = properties.find((property) => property.name === 'creditCeiling');
	expect([ceiling?.default, ceiling?.placeholder]).toEqual(['', 'none']);
	expect(
		Object.fromEntries(properties.map(({ name: field, default: preset }) => [field, preset])),
	).toMatchObject({ baseUrl: '', authentication: 'bearer', apiKey: '', sessionToken: '' });
	const secrets = properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(secrets.map((property) => property.name)).toEqual(['apiKey', 'sessionToken']);
});

const options = { includePhones: true };
const linkedinUrls = icelandUrls.slice(0, 50).join();

const RUNS = {
	Preview: ({ preview }: Customer) => preview({ limit: 100 }),
	'Search (Paid)': ({ search }: Customer) => search({ options }),
	'Look Up (Paid)': ({ lookUp }: Customer) => lookUp({ linkedinUrls, options }),
	Count: ({ count }: Customer) => count(),
	'Check URLs': ({ lookUp }: Customer) => lookUp({ operation: 'check', linkedinUrls }),
};
test.each([
	// Previews return no phones.
	['Preview', previewSchema, undefined],
	['Search (Paid)', searchSchema, LEAD_FIELDS],
	['Look Up (Paid)', lookUpSchema, PROFILE_FIELDS],
	['Count', countSchema, undefined],
	['Check URLs', checkSchema, undefined],
] as const)('%s returns the fields that the editor offers before the first run', async (...row) => {
	const [name, { version, ...schema }, fields] = row;
	expect(version).toBe(1);
	// Unknown fields of a lead are null or missing, and n8n's schemas don't support null.
	const rows = (await RUNS[name](customer())).json.map((json) =>
		Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null)),
	);
	expect(rows).not.toEqual([]);
	const validate = new Ajv().compile({ ...schema, additionalProperties: false });
	expect(rows.filter((json) => !validate(json))).toEqual([]);
	const offered = Object.keys(schema.properties).sort();
	expect([...new Set(rows.flatMap((json) => Object.keys(json)))].sort()).toEqual(offered);
	if (fields) expect(Object.keys(fields).sort()).toEqual(offered);
	// The trigger returns the same fields as a search.
	expect(triggerSchema).toEqual(searchSchema);
});

test('the fields that users pay for are the first columns of a table', () => {
	expect(Object.keys(LEAD_FIELDS).slice(0, 6)).toEqual([
		'full_name',
		'work_email',
		'job_title',
		'company',
		'linkedin_url',
		'country',
	]);
	expect(Object.keys(PROFILE_FIELDS).slice(0, 7)).toEqual([
		'full_name',
		'work_email',
		'job_title',
		'company',
		'linkedin_url',
		'personal_emails',
		'mobile_phone',
	]);
	expect(Object.keys(searchSchema.properties)).toEqual(Object.keys(LEAD_FIELDS));
	expect(Object.keys(lookUpSchema.properties)).toEqual(Object.keys(PROFILE_FIELDS));
});

const lookUpOf = (more: INodeParameters) => ({
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	...more,
});

test.each<[INodeParameters, string]>([
	[{ operation: 'buyLeads' }, 'Search leads'],
	[{ operation: 'count' }, 'Count leads'],
	[lookUpOf({}), 'Look up profiles'],
])('the subtitle of a node with %j is "%s"', (parameters, subtitle) => {
	const evaluate = evaluatorOf({ resource: 'lead', ...parameters });
	expect(evaluate(description.subtitle)).toBe(subtitle);
});

/** Creates a function that evaluates expressions as n8n's editor does for a node with these parameters. */
function evaluatorOf(written: INodeParameters, type = description) {
	const node = createNode('Lead Search', type.name, written);
	const types = nodeTypes({ [type.name]: Object.assign(new LeadSearch(), { description: type }) });
	const setup = { nodes: [node], connections: {}, active: false, nodeTypes: types };
	const { expression } = new Workflow(setup);
	return (text?: string) => expression.getSimpleParameterValue(node, text, 'internal', {});
}

/** Returns the hints that the editor shows before the run of a node, which searches unless its parameters say otherwise. */
function hintsOf(parameters: INodeParameters, type = description): string[] {
	const written = { resource: 'lead', operation: 'buyLeads', ...parameters };
	const evaluate = evaluatorOf(written, type);
	return (type.hints ?? [])
		.filter(({ displayCondition }) => evaluate(displayCondition))
		.map(({ message }) => message);
}

test('the trigger shows the hints about filters and phones, too', () => {
	const filters = { jobTitles: 'VP, Sales', emailStatus: 'all' };
	expect(hintsOf({ filters, options: { includePhones: false } }, trigger)).toHaveLength(3);
	expect(hintsOf({ filters: { emailStatus: 'likely' } }, trigger)).toEqual([matching(noFilter)]);
});

const noFilter = /^No filter is set, so the whole database matches, and nothing is bought$/;

const noPhones =
	/^'Include Phones' is off: no phones come, and turning it on later costs all again$/;
type HintCase = [string, INodeParameters, RegExp[]];

test.each<HintCase>([
	['a new search', {}, [noFilter]],
	['Return All without a filter', { returnAll: true }, [noFilter]],
	['Email Status alone', { filters: { emailStatus: 'verified' } }, [noFilter]],
	['a search with empty filters', { filters: { jobTitles: ' ', otherFilters: '{}' } }, [noFilter]],
	['a filter', { filters: { jobTitles: 'CEO' } }, []],
	[
		'Email Status at its default',
		{ filters: { jobTitles: 'CEO', emailStatus: 'all' } },
		[/^'Email Status' is All, so it filters nothing$/],
	],
	['Email Status', { filters: { jobTitles: 'CEO', emailStatus: 'likely' } }, []],
	[
		'Include Phones off',
		{ filters: { jobTitles: 'CEO' }, options: { includePhones: false } },
		[noPhones],
	],
	['Include Phones on', { filters: { jobTitles: 'CEO' }, options: { includePhones: true } }, []],
	[
		'a lookup with Include Phones off',
		lookUpOf({ returnAll: false, options: { includePhones: false } }),
		[noPhones],
	],
	...['Vice President, Sales', 'CEO, "VP, Sales"', 'a,b', ' CEO , CTO ,'].map(
		(jobTitles): HintCase => [
			`the line ${jobTitles}`,
			{ filters: { jobTitles } },
			[/^'Job Titles': a comma separates values\. Put a value that contains one in quotes\.$/],
		],
	),
	...[
		'"VP, Sales"',
		'“VP, Sales”, CTO',
		'CEO,',
		'CEO; CTO',
		'CEO\nVP, Sales',
		'["VP", "CTO"]',
		'={{ "a, b" }}',
		['VP, Sales', 'CTO'],
	].map((jobTitles): HintCase => [
		`the value ${JSON.stringify(jobTitles)}`,
		{ filters: { jobTitles } },
		[],
	]),
	['an expression', { filters: { jobTitles: '={{ $json.title }}' } }, []],
	[
		'Return All with a filter',
		{ returnAll: true, filters: { jobTitles: 'CEO' } },
		[
			/^'Return All' buys every lead that matches, for 1 credit each\. To limit the cost, set 'Max Credits'\. To count the leads for free, add a Lead Search node with the operation Count\.$/,
		],
	],
	[
		'Return All with Max Credits',
		{ returnAll: true, maxCredits: 5, filters: { jobTitles: 'CEO' } },
		[],
	],
	[
		'a lookup',
		lookUpOf({}),
		[
			/^'Return All' looks up every URL, .* To limit the cost, set 'Max Credits'\. .* with the operation Check URLs\.$/,
		],
	],
	['a lookup with Max Credits', lookUpOf({ maxCredits: '={{ 5 }}' }), []],
	['a lookup without Return All', lookUpOf({ returnAll: false }), []],
])(
	'the editor shows the right hints before the run of a node with %s',
	(_, parameters, expected) => {
		expect(hintsOf(parameters)).toEqual(expected.map(matching));
	},
);
