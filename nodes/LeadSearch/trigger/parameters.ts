import { NodeOperationError, type INodeProperties, type IPollFunctions } from 'n8n-workflow';

import { MAX_RESULTS } from '../api/contract';
import { asInvalid, messageOf } from '../messages/nodeErrors';
import { InvalidParameterError } from '../parameters/invalidParameter';
import {
	itemValues,
	notice,
	optionsOf,
	propertiesOf,
	readAll,
	wholeNumber,
} from '../parameters/parameter';
import { searchFilters } from '../resources/lead/filters';
import { searchFor, searchOptions, type SearchRequest } from '../resources/lead/search.operation';
import { leadForm } from '../resources/simplify';
import type { Ceilings } from './cursor';

const parameters = {
	costNotice: notice(
		'Each lead costs 1 credit, once: 50 leads a poll at Every Minute come to 72,000 credits a day. Publishing the workflow polls at once, and a test in the editor costs 1 credit. Without filters, the trigger goes through the whole database, up to 100,000 leads.',
	),
	filters: searchFilters,
	leadsPerPoll: wholeNumber(
		'Leads per Poll',
		{ default: 50, min: 1, max: MAX_RESULTS },
		'How many leads each poll returns at most, for 1 credit each',
	),
	maxCreditsPerDay: wholeNumber(
		'Max Credits per Day',
		{ default: 1000, min: 0 },
		"The most credits that all polls of a day may spend, in the workflow's time zone. Once they are spent, polls send nothing until the next day. 0 sets no maximum.",
	),
	simplify: leadForm.simplify,
	options: optionsOf({
		...searchOptions,
		maxCreditsInTotal: wholeNumber(
			'Max Credits in Total',
			{ default: 10_000, absent: Infinity, min: 1 },
			'The most credits that all polls may spend since the search began. Other filters begin a new one.',
		),
	}),
};

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

export const triggerProperties: INodeProperties[] = [event, ...propertiesOf(parameters)];

/** What a poll is asked for. Checked. */
export interface TriggerParameters extends Ceilings {
	/** Its limit is Leads per Poll. */
	request: SearchRequest;
}

/** @throws NodeOperationError */
export function readTrigger(context: IPollFunctions): TriggerParameters {
	const node = context.getNode();
	const values = itemValues(node.parameters, (name) => context.getNodeParameter(name, null));
	try {
		const read = readAll(parameters, values);
		return {
			request: searchFor(read, read.leadsPerPoll),
			perDay: read.maxCreditsPerDay || Infinity,
			inTotal: read.options.maxCreditsInTotal,
		};
	} catch (thrown) {
		if (thrown instanceof InvalidParameterError) throw asInvalid(node, thrown);
		throw new NodeOperationError(node, messageOf(thrown), {
			description: 'Check the parameters of the node. Nothing was sent or charged.',
		});
	}
}
