import { NodeOperationError, type INodeProperties, type IPollFunctions } from 'n8n-workflow';

import { MAX_RESULTS } from '../api/contract';
import { asInvalid } from '../messages/nodeErrors';
import { optionsCollection, reusePaidResults } from '../parameters/fetching';
import { InvalidParameterError } from '../parameters/invalidParameter';
import { wholeNumber } from '../parameters/parameter';
import { collectionValues, itemValues } from '../parameters/values';
import { filtersProperty } from '../resources/lead/filters';
import { readSearch, searchOptions, type SearchRequest } from '../resources/lead/search.operation';
import { simplify } from '../resources/simplify';
import type { Ceilings } from './cursor';

export const leadsPerPoll = wholeNumber(
	{
		displayName: 'Leads per Poll',
		name: 'leadsPerPoll',
		default: 50,
		description: 'How many leads each poll returns at most, for 1 credit each',
	},
	{ min: 1, max: MAX_RESULTS },
);

/** In credits; 0 for none. */
export const maxCreditsPerDay = wholeNumber(
	{
		displayName: 'Max Credits per Day',
		name: 'maxCreditsPerDay',
		default: 1000,
		description:
			"The most credits that all polls of a day may spend, in the workflow's time zone. Once they are spent, polls send nothing until the next day. 0 sets no maximum.",
	},
	{ min: 0 },
);

/** In credits; Infinity where it was not added. */
export const maxCreditsInTotal = wholeNumber(
	{
		displayName: 'Max Credits in Total',
		name: 'maxCreditsInTotal',
		default: 10_000,
		description:
			'The most credits that all polls may spend since the search began. Other filters begin a new one.',
	},
	{ min: 1 },
	Infinity,
);

/** Options of a search that mean nothing in a poll: it requests one page at a time, each row once. */
const NOT_IN_POLLS = ['parallelPages', 'maxCredits'];

const options = optionsCollection([
	...(searchOptions.options as INodeProperties[]).filter(
		({ name }) => !NOT_IN_POLLS.includes(name),
	),
	maxCreditsInTotal.property,
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
	maxCreditsPerDay.property,
	simplify.property,
	options,
];

/** What a poll is asked for. Checked. */
export interface TriggerParameters extends Ceilings {
	/** Its limit is Leads per Poll. */
	request: SearchRequest;
	/** Reuse Paid Results, in minutes. */
	minutes: number;
}

/** @throws NodeOperationError */
export function readTrigger(context: IPollFunctions): TriggerParameters {
	const values = itemValues(context.getNode().parameters, (name) =>
		context.getNodeParameter(name, null),
	);
	try {
		const options = collectionValues(values, 'options');
		return {
			request: readSearch(values, leadsPerPoll.read(values)),
			perDay: maxCreditsPerDay.read(values) || Infinity,
			inTotal: maxCreditsInTotal.read(options),
			minutes: reusePaidResults.read(options),
		};
	} catch (thrown) {
		if (thrown instanceof InvalidParameterError) {
			const { message, description } = thrown;
			throw asInvalid(context.getNode(), { message, description });
		}
		throw new NodeOperationError(
			context.getNode(),
			thrown instanceof Error ? thrown.message : String(thrown),
			{ description: 'Check the parameters of the node. Nothing was sent or charged.' },
		);
	}
}
