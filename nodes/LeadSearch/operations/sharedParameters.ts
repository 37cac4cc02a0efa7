/** Parameters that several operations have in common. */
import type { INodeProperties } from 'n8n-workflow';

import { MAX_RESULTS } from '../service/contract';
import {
	DEFAULT_MAX_RETRIES,
	DEFAULT_TIMEOUT_SECONDS,
	MOST_PARALLEL_PAGES,
} from './itemParameters';

export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const creditBudget: INodeProperties = {
	displayName: 'Credit Budget',
	name: 'maxCredits',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1000,
	description:
		'The most credits that one execution of this node may spend, over all its input items. The value for the first item counts.',
};

/**
 * The options about how to fetch, in the order of their labels.
 *
 * @param pageSize the default of Page Size, in rows
 * @param mostSkipped the highest Skip, in rows
 */
export function fetchingOptions(
	pageSize: number,
	mostSkipped = MAX_RESULTS - 1,
): {
	maxRetries: INodeProperties;
	pageSize: INodeProperties;
	parallelPages: INodeProperties;
	skip: INodeProperties;
	timeout: INodeProperties;
} {
	return {
		maxRetries: {
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10 },
			default: DEFAULT_MAX_RETRIES,
			description: 'How often to ask for a page again when the service does not answer it',
		},
		pageSize: {
			displayName: 'Page Size',
			name: 'pageSize',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_RESULTS },
			default: pageSize,
			description:
				'The most results to ask for in one request. Larger pages take fewer requests.',
		},
		parallelPages: {
			displayName: 'Parallel Pages',
			name: 'parallelPages',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MOST_PARALLEL_PAGES },
			default: 1,
			description:
				'How many pages to ask for at the same time. More is faster where the service takes long to answer; when it answers that these are too many requests, the number is halved.',
		},
		skip: {
			displayName: 'Skip',
			name: 'skip',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: mostSkipped },
			default: 0,
			description:
				'How many results to pass over, for example to go on where an earlier run stopped. Those passed over cost nothing.',
		},
		timeout: {
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 3600 },
			default: DEFAULT_TIMEOUT_SECONDS,
			description: 'How many seconds to wait for the answer to one request',
		},
	};
}
