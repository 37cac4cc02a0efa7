import type { IExecuteFunctions, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { MAX_RESULTS } from '../api/contract';
import { configurationError, formatInvalid } from '../messages/nodeErrors';
import { resolveExpressions } from '../parameters/expression';
import { optionsOf } from '../parameters/collections';
import {
	itemValues,
	notice,
	toProperties,
	readParameters,
	toggle,
	wholeNumber,
} from '../parameters/parameter';
import { leadFilters } from '../resources/lead/filters';
import { searchFor, searchOptions } from '../resources/lead/search.operation';
import { leadOutput } from '../resources/simplify';

/** What was paid for before its place is no poll's business; what comes after it, and was paid for, costs nothing. */
const { reusePaidResults, ...polledOptions } = searchOptions;

const parameters = {
	costNotice: notice(
		"Each lead costs 1 credit, once. Polls of a day cost no more than 'Max Credits per Day', which Every Minute, the schedule that n8n presets, reaches within the hour. Publishing polls at once for a search that has not run before. A test buys the next lead; further tests, and the first poll, within 60 minutes have it for nothing.",
	),
	filters: leadFilters,
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
	simplify: leadOutput.simplify,
	options: optionsOf({
		...polledOptions,
		includeUsage: toggle(
			'Include Usage',
			false,
			'Whether each item says under "usage" what its poll cost: credits, creditsToday, creditsInTotal, creditsLeft (by the maximums), requests, and place, the number of leads that have come so far',
		),
		maxCreditsInTotal: wholeNumber(
			'Max Credits in Total',
			{ default: 10_000, valueIfAbsent: Infinity, min: 1 },
			'The most credits that all polls may spend since the search began. Other filters begin a new one.',
		),
	}),
};

/** What the nodes panel of the editor calls the trigger; without it, n8n makes up a name. */
const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'hidden',
	options: [{ name: 'Next', value: 'nextLeads', action: 'On a schedule: next leads of a search' }],
	default: 'nextLeads',
};

export const triggerProperties: INodeProperties[] = [event, ...toProperties(parameters)];

/** @returns what a poll asks for, and what all polls may spend: Infinity for any. @throws NodeOperationError */
export function readTrigger(context: IPollFunctions) {
	const node = context.getNode();
	// Of every context in n8n, though its types name it for few.
	const evaluating = context as IPollFunctions & Pick<IExecuteFunctions, 'evaluateExpression'>;
	const evaluate = (template: string) => evaluating.evaluateExpression(template, 0);
	const values = itemValues(node.parameters, (name) =>
		resolveExpressions(node.parameters[name], evaluate),
	);
	try {
		const read = readParameters(parameters, values);
		const { maxCreditsPerDay, leadsPerPoll, options } = read;
		const limits = { perDay: maxCreditsPerDay || Infinity, inTotal: options.maxCreditsInTotal };
		const all = { ...options, reusePaidResults: reusePaidResults.property.default as number };
		return { request: searchFor({ ...read, options: all }, leadsPerPoll), limits };
	} catch (thrown) {
		throw configurationError(node, formatInvalid(thrown));
	}
}
