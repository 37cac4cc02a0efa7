/** The node's table of contents: resources, operations, and where each one's parameters show. */
import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { count } from './lead/count.operation';
import { preview } from './lead/preview.operation';
import { search } from './lead/search.operation';
import { lookUp } from './linkedInProfile/lookUp.operation';
import type { Operation } from './operation';

const OPERATIONS = { count, preview, search, lookUp };

/** The operation behind a value of the parameter `operation`; Search for values that are none. */
export function operationFor(value: unknown): Operation {
	const found = Object.entries(OPERATIONS).find(([name]) => name === value);
	return found?.[1] ?? search;
}

const shownFor = (resource: string, operation: string, properties: INodeProperties[]) =>
	updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, properties);

export const operationProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Lead', value: 'lead' },
			{ name: 'LinkedIn Profile', value: 'linkedInProfile' },
		],
		default: 'lead',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['lead'] } },
		options: [
			{
				name: 'Count',
				value: 'count',
				action: 'Count leads',
				description: 'Find out how many leads match, for free and without a credential',
			},
			{
				name: 'Preview',
				value: 'preview',
				action: 'Preview leads',
				description: 'See who matches, for free and without a credential',
			},
			{
				name: 'Search',
				value: 'search',
				action: 'Search leads',
				description: 'Get the leads that match, for 1 credit each',
			},
		],
		default: 'search',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['linkedInProfile'] } },
		options: [
			{
				name: 'Look Up',
				value: 'lookUp',
				action: 'Look up profiles',
				description: 'Get emails and phones for LinkedIn profile URLs, for 1 credit each',
			},
		],
		default: 'lookUp',
	},
	...shownFor('lead', 'count', count.properties),
	...shownFor('lead', 'preview', preview.properties),
	...shownFor('lead', 'search', search.properties),
	...shownFor('linkedInProfile', 'lookUp', lookUp.properties),
];
