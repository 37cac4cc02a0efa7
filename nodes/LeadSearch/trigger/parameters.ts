import type { INodeProperties } from 'n8n-workflow';

import { simplify } from '../parameters/fetching';
import { choice, wholeNumber } from '../parameters/parameter';
import { MAX_RESULTS } from '../api/contract';
import { filtersProperty } from '../resources/lead/filters';
import { searchOptions } from '../resources/lead/search.operation';

// A poll requests one page at a time: its cursor is one row, up to which everything came.
const options: INodeProperties = {
	...searchOptions,
	options: searchOptions.options?.filter(
		({ name }) => name !== 'parallelPages' && name !== 'reusePaidResults',
	),
};

export const leadsPerPoll = wholeNumber(
	{
		displayName: 'Leads per Poll',
		name: 'leadsPerPoll',
		default: 50,
		description: 'How many leads each poll returns at most, for 1 credit each',
	},
	{ min: 1, max: MAX_RESULTS },
);

export const whenExhausted = choice({
	displayName: 'When Exhausted',
	name: 'whenExhausted',
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
});

export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'Each lead costs 1 credit, once: 50 leads a poll at Every Minute come to 72,000 credits a day. Publishing the workflow polls at once, and a test in the editor costs 1 credit. Without filters, the trigger goes through the whole database, up to 100,000 leads.',
		name: 'costNotice',
		type: 'notice',
		default: '',
	},
	filtersProperty(true),
	leadsPerPoll.property,
	whenExhausted.property,
	simplify.property,
	options,
];
