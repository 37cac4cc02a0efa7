import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toProperties } from '../parameters/parameter';
import { count } from './lead/count.operation';
import { preview } from './lead/preview.operation';
import { search } from './lead/search.operation';
import { check } from './linkedInProfile/check.operation';
import { lookUp } from './linkedInProfile/lookUp.operation';
import type { LocalOperation, Operation } from './operation';

/** n8n requires that operations are sorted by name. */
const LEAD_OPERATIONS: Array<Operation | LocalOperation> = [count, preview, search];
const PROFILE_OPERATIONS: typeof LEAD_OPERATIONS = [check, lookUp];

/**
 * The resources with their operations. n8n doesn't save default values, so a saved workflow without an operation runs
 * `initial`. Therefore it must be free.
 */
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

/** The operations that send no request, and so need no credential. */
export const LOCAL_OPERATIONS = OPERATIONS.filter((operation) => 'compute' in operation).map(
	({ option }) => option.value,
);

/** The action texts without prices: 'Search leads (1 credit each)' becomes 'Search leads'. */
export const OPERATION_SUMMARIES: Readonly<Record<string, string>> = Object.fromEntries(
	OPERATIONS.map(({ option: { value, action } }) => [value, action.replace(/ \(.*/, '')]),
);

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
					description: 'Describes this tool to the AI agent',
				},
				...toProperties(parameters),
			]),
		),
	),
];
