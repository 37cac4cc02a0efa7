/** Parameters about how much is fetched, and how. */
import type { INodeProperties } from 'n8n-workflow';

import { MAX_RESULTS } from '../api/contract';
import { InvalidParameterError, show } from './invalidParameter';
import { asWholeNumber, isEmpty, toggle, wholeNumber, type Parameter } from './parameter';
import type { ParameterValues } from './values';

/** How pages are fetched. Checked. */
export interface FetchSettings {
	/** The largest page, in rows (look up: URLs). */
	pageSize: number;
	/** The most requests in flight at once. */
	parallelPages: number;
	/** How often a request is repeated. */
	maxRetries: number;
	/** For one request, in milliseconds. */
	timeoutMs: number;
}

/** The most requests that may be in flight at once. */
const MAX_PARALLEL_PAGES = 10;

/** The same where it is left to the node. */
const AUTOMATIC_PARALLEL_PAGES = 8;

export const returnAll = toggle({
	displayName: 'Return All',
	name: 'returnAll',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

export const limit = wholeNumber(
	{
		displayName: 'Limit',
		name: 'limit',
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
	{ min: 1, max: MAX_RESULTS },
);

/** @returns rows wanted, Infinity for all */
export function readLimit(values: ParameterValues): number {
	return returnAll.read(values) ? Infinity : limit.read(values);
}

/** In credits; Infinity where it was not added. */
export const maxCredits = wholeNumber(
	{
		displayName: 'Max Credits per Execution',
		name: 'maxCredits',
		default: 1000,
		builderHint: {
			propertyHint:
				'Without this option there is no budget. 1000 is only what the editor fills in.',
		},
		description:
			'The most credits that this node may spend in one execution of the workflow, over all input items, loops and retries. The value for the first item counts.',
	},
	{ min: 1 },
	Infinity,
);

/** In minutes. */
export const reusePaidResults = wholeNumber(
	{
		displayName: 'Reuse Paid Results (Minutes)',
		name: 'reusePaidResults',
		default: 60,
		description:
			'For how many minutes results that were paid for are reused, when a run is repeated that stopped part-way, or when you run the workflow by hand. At 0, a Retry pays for everything again.',
	},
	{ min: 0, max: 1_440 },
);

/** In rows from the start of a list. */
export const skip = wholeNumber(
	{
		displayName: 'Skip',
		name: 'skip',
		default: 0,
		description:
			'How many results to pass over, for example to go on where an earlier run stopped. Those passed over cost nothing.',
	},
	{ min: 0, max: MAX_RESULTS - 1 },
);

export const maxRetries = wholeNumber(
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		default: 3,
		description:
			'How often to ask for a page again when the service does not answer it. Three times as often when it answers that these are too many requests, which costs nothing.',
	},
	{ min: 0, max: 10 },
);

const parallelPagesRange = `'automatic' or a whole number from 1 to ${MAX_PARALLEL_PAGES}`;

/** The most pages in flight at once. */
export const parallelPages: Parameter<number> = {
	property: {
		displayName: 'Parallel Pages',
		name: 'parallelPages',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: `One at first, then up to ${AUTOMATIC_PARALLEL_PAGES} as the service takes it`,
			},
			{ name: '1', value: 1, description: 'One at a time' },
			...Array.from({ length: MAX_PARALLEL_PAGES - 1 }, (_, index) => ({
				name: `Up to ${index + 2}`,
				value: index + 2,
			})),
		],
		default: 'automatic',
		description:
			'How many pages to ask for at the same time, at most. One more is tried for each page that comes, as long as it is faster, and half as many when the service says that these are too many requests.',
	},
	read(values) {
		const value = values.has('parallelPages') ? values.get('parallelPages') : 'automatic';
		if (value === 'automatic') return AUTOMATIC_PARALLEL_PAGES;
		const number = asWholeNumber(value, { min: 1, max: MAX_PARALLEL_PAGES });
		if (number !== undefined) return number;
		throw new InvalidParameterError(
			'Parallel Pages',
			isEmpty(value) ? 'is empty' : `is ${show(value)}, not ${parallelPagesRange}`,
			`Choose an option from the list, or write ${parallelPagesRange}.`,
		);
	},
};

/** In seconds. */
export const timeout = wholeNumber(
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		default: 300,
		description: 'How many seconds to wait for the answer to one request',
	},
	{ min: 1, max: 3600 },
);

/** @param defaultSize in rows (look up: URLs) */
export function pageSize(defaultSize: number, description: string): Parameter<number> {
	return wholeNumber(
		{
			displayName: 'Page Size',
			name: 'pageSize',
			default: defaultSize,
			description,
		},
		{ min: 1, max: MAX_RESULTS },
	);
}

/** @param size the operation's Page Size */
export function readFetchSettings(
	options: ParameterValues,
	size: Parameter<number>,
): FetchSettings {
	return {
		pageSize: size.read(options),
		parallelPages: parallelPages.read(options),
		maxRetries: maxRetries.read(options),
		timeoutMs: timeout.read(options) * 1_000,
	};
}

/** The Options collection, its options in the order of their labels as n8n wants them. */
export function optionsCollection(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...options].sort((one, other) =>
			one.displayName.localeCompare(other.displayName, 'en'),
		),
	};
}
