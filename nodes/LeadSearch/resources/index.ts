/** Lists the resources and their operations, and declares n8n's properties for them. */
import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toProperties } from '../parameters/parameter';
import { count } from './lead/count.operation';
import { preview } from './lead/preview.operation';
import { search } from './lead/search.operation';
import { check } from './linkedInProfile/check.operation';
import { lookUp } from './linkedInProfile/lookUp.operation';
import type { LocalOperation, Operation } from './operation';

/** The operations on leads. They are sorted by name, as n8n requires. */
const LEAD_OPERATIONS: Array<Operation | LocalOperation> = [count, preview, search];
const PROFILE_OPERATIONS: typeof LEAD_OPERATIONS = [check, lookUp];

/**
 * The resources with their operations. `initial` is the default operation. n8n doesn't save default values, so a
 * saved workflow without an operation runs the default operation. Therefore the default operation must be free.
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

/** The values of the parameter `operation` for the operations that send no request, and so need no credential. */
export const LOCAL_OPERATIONS = OPERATIONS.filter((operation) => 'compute' in operation).map(
	({ option }) => option.value,
);

/**
 * The action texts of all operations without their prices, by the value of the parameter `operation`. The action
 * 'Search leads (1 credit each)' becomes 'Search leads'.
 */
export const OPERATION_SUMMARIES: Readonly<Record<string, string>> = Object.fromEntries(
	OPERATIONS.map(({ option: { value, action } }) => [value, action.replace(/ \(.*/, '')]),
);

/**
 * Finds an operation by the values of the parameters `resource` and `operation`.
 *
 * @returns the operation; undefined if the resource doesn't exist or has no such operation
 */
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
