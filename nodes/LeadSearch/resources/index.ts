/** The node's table of contents: resources, their operations, and where the parameters of each show. */
import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toProperties } from '../parameters/parameter';
import { count } from './lead/count.operation';
import { preview } from './lead/preview.operation';
import { search } from './lead/search.operation';
import { check } from './linkedInProfile/check.operation';
import { lookUp } from './linkedInProfile/lookUp.operation';
import type { LocalOperation, Operation } from './operation';

/** In the order of their names, as n8n wants them. */
const LEAD_OPERATIONS: Array<Operation | LocalOperation> = [count, preview, search];
const PROFILE_OPERATIONS: typeof LEAD_OPERATIONS = [check, lookUp];

/** `initial` is what a new node starts with. It is free: n8n leaves defaults out of what it saves. */
const RESOURCES = [
	{ name: 'Lead', value: 'lead', operations: LEAD_OPERATIONS, initial: 'preview' },
	{
		name: 'LinkedIn Profile',
		value: 'linkedInProfile',
		operations: PROFILE_OPERATIONS,
		initial: 'check',
	},
];

const OPERATIONS = RESOURCES.flatMap(({ operations }) => operations);

/** Those that send nothing, and so use no credential, by the value of the parameter `operation`. */
export const LOCAL_OPERATIONS = OPERATIONS.filter((operation) => 'answer' in operation).map(
	({ option }) => option.value,
);

/** What operations do, in a few words, by the value of the parameter `operation`. */
export const OPERATION_SUMMARIES: Readonly<Record<string, string>> = Object.fromEntries(
	OPERATIONS.map(({ option: { value, action } }) => [value, action.replace(/ \(.*/, '')]),
);

/** The operation behind the values of the parameters `resource` and `operation`, if it exists. */
export function findOperation(resource: unknown, operation: unknown) {
	const { operations = [] } = RESOURCES.find(({ value }) => value === resource) ?? {};
	return operations.find(({ option }) => option.value === operation);
}

export const operationProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: RESOURCES.map(({ name, value }) => ({ name, value })),
		default: 'lead',
	},
	...RESOURCES.map(({ value, operations, initial }): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(({ option }) => option),
		default: initial,
	})),
	...RESOURCES.flatMap(({ value, operations }) =>
		operations.flatMap(({ option, toolDescription, parameters }) =>
			updateDisplayOptions({ show: { resource: [value], operation: [option.value] } }, [
				{
					displayName: 'Description',
					name: 'toolDescription',
					type: 'string',
					typeOptions: { rows: 4 },
					displayOptions: { show: { '@tool': [true] } },
					default: toolDescription,
					description: 'What the AI agent reads about this tool',
				},
				...toProperties(parameters),
			]),
		),
	),
];
