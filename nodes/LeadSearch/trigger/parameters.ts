import type { INodeProperties } from 'n8n-workflow';

import { filtersProperty } from '../operations/filters';
import { searchOptions } from '../operations/search.operation';
import { simplify } from '../operations/sharedParameters';

// A poll asks for one page at a time: its place is one row, up to which everything came.
const options: INodeProperties = {
	...searchOptions,
	options: searchOptions.options?.filter(({ name }) => name !== 'parallelPages'),
};

export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'Each lead costs 1 credit, once: 50 leads a poll at Every Minute come to 72,000 credits a day. Publishing the workflow polls at once, and a test in the editor costs 1 credit. Without filters, the trigger goes through the whole database, up to 100,000 leads.',
		name: 'costNotice',
		type: 'notice',
		default: '',
	},
	filtersProperty(true),
	{
		displayName: 'Leads per Poll',
		name: 'leadsPerPoll',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'How many leads each poll returns at most, for 1 credit each',
	},
	{
		displayName: 'When Exhausted',
		name: 'whenExhausted',
		type: 'options',
		options: [
			{
				name: 'Start Over',
				value: 'startOver',
				description: 'Begin again at the next poll, and pay for the same leads again',
			},
			{
				name: 'Stop',
				value: 'stop',
				description: 'Return nothing more until the filters change',
			},
		],
		default: 'stop',
		description: 'What to do when every lead of the search has been returned',
	},
	simplify,
	options,
];
