import type { INodeProperties } from 'n8n-workflow';

import type { Json } from '../../api/contract';
import {
	maxCredits,
	limit,
	maxRetries,
	optionsCollection,
	pageSize,
	parallelPages,
	readFetchSettings,
	readLimit,
	returnAll,
	reusePaidResults,
	skip,
	timeout,
} from '../../parameters/fetching';
import { toggle } from '../../parameters/parameter';
import { collectionValues, type ParameterValues } from '../../parameters/values';
import type { Operation } from '../operation';
import { ALL_LEAD_FIELDS, LEAD_FIELDS, readRowForm, rowFormProperties } from '../simplify';
import { filtersProperty, readFilters, requireFilter } from './filters';
import { planLeads, type LeadsRequest } from './leads';

const size = pageSize(
	1_000,
	'The most results to ask for in one request. Larger pages take fewer requests.',
);

const includeEmails = toggle({
	displayName: 'Include Emails',
	name: 'includeEmails',
	default: true,
	description: 'Whether to return the email addresses of leads',
});

const includePhones = toggle({
	displayName: 'Include Phones',
	name: 'includePhones',
	default: false,
	description: 'Whether to return the mobile phones of leads',
});

const includeRaw = toggle({
	displayName: 'Include Raw',
	name: 'includeRaw',
	displayOptions: { show: { '/simplify': [false] } },
	default: true,
	description: 'Whether to return the original fields of each lead too, under "raw"',
});

/** The Options of a paid search. */
export const searchOptions = optionsCollection(
	[
		maxCredits,
		includeEmails,
		includePhones,
		includeRaw,
		maxRetries,
		size,
		parallelPages,
		reusePaidResults,
		skip,
		timeout,
	].map(({ property }): INodeProperties => property),
);

/** A paid search. */
export interface SearchRequest extends LeadsRequest {
	/** What selects leads, as fields of the body. */
	filters: Json;
}

/**
 * Reads a paid search.
 *
 * @param rows how many leads are wanted
 * @throws InvalidParameterError
 */
export function readSearch(values: ParameterValues, rows: number): SearchRequest {
	const options = collectionValues(values, 'options');
	const form = readRowForm(values, LEAD_FIELDS);
	const filters = readFilters(values);
	return {
		filters,
		body: {
			...filters,
			include_emails: includeEmails.read(options),
			include_phones: includePhones.read(options),
		},
		includeRaw: form === 'raw' && includeRaw.read(options),
		skip: skip.read(options),
		limit: rows,
		form,
		settings: readFetchSettings(options, size),
	};
}

/** A paid search: a credit for each lead. */
export const search: Operation<SearchRequest> = {
	option: {
		name: 'Search (Paid)',
		value: 'buyLeads',
		action: 'Buy leads (1 credit each)',
		description: 'Get the leads that match, for 1 credit each',
	},
	toolDescription:
		'Returns business leads that match the filters, with their email addresses. Each lead costs 1 credit, so a call costs at most as many credits as its limit, and all calls together never more than the Max Credits per Execution of this tool, where one is set. Leads that were paid for in this run cost nothing the second time. Set a filter: a search without one is refused. n8n shows you about 500 leads of an answer, fewer with all fields: ask for no more than that at once.',

	endpoint: 'search',

	properties: [
		filtersProperty(true),
		returnAll.property,
		{
			displayName:
				'Return All costs 1 credit for each lead that matches, up to 100,000. Count names the price, for free; Max Credits per Execution (under Options) limits it.',
			name: 'returnAllNotice',
			type: 'notice',
			displayOptions: { show: { returnAll: [true] } },
			default: '',
		},
		limit.property,
		...rowFormProperties(ALL_LEAD_FIELDS),
		searchOptions,
	],

	read: (values) => readSearch(values, readLimit(values)),

	checkForTool: ({ filters }) => {
		requireFilter(filters);
	},

	plan: (requests, sources) => planLeads('search', requests, sources),
};
