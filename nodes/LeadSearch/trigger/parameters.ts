import type { IExecuteFunctions, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { MAX_RESULTS } from '../api/contract';
import { configurationError, formatInvalid } from '../messages/nodeErrors';
import { resolveExpressions } from '../parameters/expression';
import { optionsOf } from '../parameters/collections';
import { skip } from '../parameters/fetching';
import {
	itemValues,
	notice,
	toProperties,
	readParameters,
	toggle,
	wholeNumber,
} from '../parameters/parameter';
import { leadFilters } from '../resources/lead/filters';
import {
	hiddenSearchOptions,
	searchFor,
	shownSearchOptions,
} from '../resources/lead/search.operation';
import { leadOutput } from '../resources/simplify';

const parameters = {
	costNotice: notice(
		"Set 'Poll Times' first. Publishing the workflow immediately buys the first leads, 50 by default ('Leads per Poll'). A test buys 1 lead.",
	),
	filters: leadFilters,
	leadsPerPoll: wholeNumber(
		'Leads per Poll',
		{ default: 50, min: 1, max: MAX_RESULTS },
		'Max number of leads that each poll returns, for 1 credit each',
	),
	maxCreditsPerDay: wholeNumber(
		'Max Credits per Day',
		{ default: 1000, min: 0 },
		"Max number of credits that all polls of a day may spend, in the workflow's time zone. After that, polls send nothing until the next day. Tests in the editor don't count. 0 means no limit.",
	),
	simplify: leadOutput.simplify,
	options: optionsOf(
		{
			...shownSearchOptions,
			skip: skip.triggerOption,
			includeUsage: toggle(
				'Include Usage',
				false,
				'Whether each item says in "usage" what its poll cost: credits, creditsToday, creditsThisMonth, creditsInTotal, creditsUntilLimit (what the limits still allow), requests, deliveredBefore (leads that came again), and cursor, the number of leads that the trigger has delivered so far',
			),
			maxCreditsPerMonth: wholeNumber(
				'Max Credits per Month',
				{ default: 1_000, valueIfAbsent: 0, min: 0 },
				"Max number of credits that all polls of a calendar month may spend, in the workflow's time zone. After that, polls send nothing until the next month. Tests in the editor don't count. 0 means no limit.",
			),
			maxCreditsInTotal: wholeNumber(
				'Max Credits in Total',
				{ default: 10_000, valueIfAbsent: Infinity, min: 1 },
				"Max number of credits that all polls may spend since the search started. Tests in the editor don't count. Other filters start a new search.",
			),
		},
		hiddenSearchOptions,
	),
};

/** n8n shows `action` as the trigger's name in the nodes panel. Without this parameter, n8n makes a name up. */
const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'hidden',
	options: [
		{
			name: 'Next',
			value: 'nextLeads',
			action: 'On a schedule: next leads of a search (1 credit each)',
		},
	],
	default: 'nextLeads',
};

export const triggerProperties: INodeProperties[] = [event, ...toProperties(parameters)];

/** @throws NodeOperationError for an invalid parameter */
export function readTrigger(context: IPollFunctions) {
	const node = context.getNode();
	// All contexts of n8n have this method, but the type of this one doesn't.
	const evaluating = context as IPollFunctions & Pick<IExecuteFunctions, 'evaluateExpression'>;
	const evaluate = (template: string) => evaluating.evaluateExpression(template, 0);
	const values = itemValues(node.parameters, (name) =>
		resolveExpressions(node.parameters[name], evaluate),
	);
	try {
		const read = readParameters(parameters, values);
		const { maxCreditsPerDay, leadsPerPoll, options } = read;
		const limits = {
			perDay: maxCreditsPerDay || Infinity,
			perMonth: options.maxCreditsPerMonth || Infinity,
			inTotal: options.maxCreditsInTotal,
		};
		return { request: searchFor(read, leadsPerPoll), limits };
	} catch (thrown) {
		throw configurationError(node, formatInvalid(thrown));
	}
}
