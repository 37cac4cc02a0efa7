import type { INodeProperties } from 'n8n-workflow';

import { MAX_RESULTS, type Json } from '../service/contract';
import { readPaidPage } from '../service/answer';
import { filtersProperty, readFilters } from './filters';
import {
	PAGE_SIZE,
	type CountParameter,
	type Fetching,
	type ItemParameters,
} from './itemParameters';
import { listJob } from './listJob';
import { groupSame, maxResults, type ItemRequest, type Job, type Operation } from './operation';
import { creditBudget, fetchingOptions, limit, returnAll, simplify } from './sharedParameters';
import { LEAD_FIELDS, pick } from './simplify';

/** A paid search: a credit for each lead. */
export interface SearchRequest {
	/** Everything in the request's body but the paging. */
	body: Json;
	simplify: boolean;
	fetching: Fetching;
}

const { maxRetries, pageSize, parallelPages, skip, timeout } = fetchingOptions(PAGE_SIZE.search);

/** The Options of a paid search. */
export const searchOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		creditBudget,
		{
			displayName: 'Include Emails',
			name: 'includeEmails',
			type: 'boolean',
			default: true,
			description: 'Whether to return the email addresses of leads',
		},
		{
			displayName: 'Include Phones',
			name: 'includePhones',
			type: 'boolean',
			default: false,
			description: 'Whether to return the mobile phones of leads',
		},
		{
			displayName: 'Include Raw',
			name: 'includeRaw',
			type: 'boolean',
			displayOptions: { show: { '/simplify': [false] } },
			default: true,
			description:
				'Whether to return the original fields of each lead too, under <code>raw</code>',
		},
		maxRetries,
		pageSize,
		parallelPages,
		skip,
		timeout,
	],
};

/**
 * Reads a paid search.
 *
 * @param count the parameter that says how many leads; Limit unless given
 * @throws BadParameter
 */
export function readSearch(parameters: ItemParameters, count?: CountParameter): SearchRequest {
	const isSimplified = parameters.simplify();
	return {
		body: {
			...readFilters(parameters.filters()),
			include_emails: parameters.option('includeEmails', true),
			include_phones: parameters.option('includePhones', false),
			_include_raw: !isSimplified && parameters.option('includeRaw', true),
		},
		simplify: isSimplified,
		fetching: parameters.fetching(PAGE_SIZE.search, count),
	};
}

export const search: Operation<SearchRequest> = {
	endpoint: 'search',

	properties: [
		filtersProperty(true),
		returnAll,
		{
			displayName:
				'Return All costs 1 credit for each lead that matches, up to 100,000. Preview shows for free who matches, and Credit Budget (under Options) sets a ceiling.',
			name: 'returnAllNotice',
			type: 'notice',
			displayOptions: { show: { returnAll: [true] } },
			default: '',
		},
		limit,
		simplify,
		searchOptions,
	],

	read: (parameters) => readSearch(parameters),

	plan(requests: Array<ItemRequest<SearchRequest>>): Job[] {
		return groupSame(requests, (request) => request).map(
			({ items, request: { body, fetching, simplify: isSimplified } }) => ({
				...listJob(items, fetching, (row) => (isSimplified ? pick(row, LEAD_FIELDS) : row)),
				body: (ask) => ({
					...body,
					_page: ask.page,
					_per_page: ask.size,
					max_results: maxResults(fetching, MAX_RESULTS),
				}),
				readPage: (answer, secrets) => readPaidPage(answer, 'preview_data', secrets),
			}),
		);
	},
};
