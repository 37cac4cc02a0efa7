import type { INodeProperties } from 'n8n-workflow';

import { optionsCollection } from '../parameters/fetching';
import { choice, wholeNumber } from '../parameters/parameter';
import { MAX_RESULTS } from '../api/contract';
import { filtersProperty } from '../resources/lead/filters';
import { searchOptions } from '../resources/lead/search.operation';
import { simplify } from '../resources/simplify';

export const leadsPerPoll = wholeNumber(
	{
		displayName: 'Leads per Poll',
		name: 'leadsPerPoll',
		default: 50,
		description: 'How many leads each poll returns at most, for 1 credit each',
	},
	{ min: 1, max: MAX_RESULTS },
);

/** In credits; Infinity where it was not added. */
export const creditsPerDay = wholeNumber(
	{
		displayName: 'Credits per Day',
		name: 'maxCreditsPerDay',
		default: 1000,
		description:
			"The most credits that all polls of a day may spend, in the workflow's time zone. Once they are spent, polls send nothing until the next day.",
	},
	{ min: 1 },
	Infinity,
);

/** In credits; Infinity where it was not added. */
export const creditsInTotal = wholeNumber(
	{
		displayName: 'Credits in Total',
		name: 'maxCreditsInTotal',
		default: 10_000,
		description:
			'The most credits that all polls may spend since the search began. Starting over does not reset it, other filters do.',
	},
	{ min: 1 },
	Infinity,
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

/** Options of a search that mean nothing in a poll: it requests one page at a time, each row once. */
const NOT_IN_POLLS = ['parallelPages', 'reusePaidResults'];

const options = optionsCollection([
	...(searchOptions.options as INodeProperties[]).filter(
		({ name }) => !NOT_IN_POLLS.includes(name),
	),
	creditsPerDay.property,
	creditsInTotal.property,
]);

/** What the nodes panel of the editor calls the trigger; without it, n8n makes up a name. */
const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'hidden',
	options: [
		{
			name: 'Next Leads of a Search',
			value: 'nextLeads',
			action: 'On a schedule: next leads of a search',
		},
	],
	default: 'nextLeads',
};

export const triggerProperties: INodeProperties[] = [
	event,
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
