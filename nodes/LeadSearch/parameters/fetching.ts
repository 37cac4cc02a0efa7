/** Parameters that several operations have: how many results to fetch, and how. */
import type { INodeProperties } from 'n8n-workflow';

import { MAX_RESULTS } from '../api/contract';
import { DEFAULT_PAGE_SIZE } from '../paging/pages';
import {
	notice,
	readParameter,
	toggle,
	wholeNumber,
	type Parameter,
	type ValuesOf,
} from './parameter';

const PARALLEL_PAGES = 8;

const rowLimit = wholeNumber(
	'Limit',
	{ default: 50, min: 1, max: MAX_RESULTS },
	'Max number of results to return',
	// Hidden if true, instead of shown if false: for an expression that returns a string, the editor would drop the Limit.
	{ displayOptions: { hide: { returnAll: [true] } } },
);

/** Declares Return All and Limit. If Return All is on, Limit is read as Infinity. */
export function rowLimits(isAllByDefault: boolean) {
	const returnAll = toggle(
		'Return All',
		isAllByDefault,
		'Whether to return all results or only up to a given limit',
	);
	const limit: Parameter<number> = {
		...rowLimit,
		read: (value, others) =>
			readParameter('returnAll', returnAll, others) ? Infinity : rowLimit.read(value, others),
	};
	return { returnAll, limit };
}

const creditLimit = wholeNumber(
	'Max Credits',
	{ default: 0, min: 1 },
	"Max number of credits that this node may spend in one execution of the workflow, including all input items, loops and agent calls. A Retry is a new execution. Outside of executions (n8n's own Agents, MCP), the limit applies to the last 60 minutes. Leave empty for no limit. The value for the first item applies to the whole run.",
);

/**
 * An empty field means no limit. An expression that returns an empty string, for example from an empty cell, is
 * rejected. Max Credits is a parameter and not an option, because Return All next to it can buy 100,000 leads.
 */
export const maxCredits: Parameter<number> = {
	property: {
		...creditLimit.property,
		default: '',
		placeholder: 'none',
		builderHint: { propertyHint: 'Empty means no limit. If returnAll is true, set a value.' },
	},
	valueIfAbsent: Infinity,
	read: (value, others) =>
		value === '' && !others.isExpression('maxCredits') ? Infinity : creditLimit.read(value, others),
};

/**
 * Declares the notice of a tool about its cost. It is shown until Max Credits is set.
 *
 * @param callCost the sentence about the cost of a call
 */
export const toolCostNotice = (callCost: string): Parameter<undefined> =>
	notice(
		`${callCost} An execution, such as a message of a chat, costs as much as all its calls. To limit that, set 'Max Credits'.`,
		{ show: { '@tool': [true] }, hide: { maxCredits: [{ _cnd: { exists: true } }] } },
	);

/** The default of Reuse Paid Results. Polls always use it. */
export const REUSE_MINUTES = 30;

export const reusePaidResults = wholeNumber(
	'Reuse Paid Results (Minutes)',
	{ default: REUSE_MINUTES, min: 0, max: 1_440 },
	'How many minutes the node reuses results that any workflow has paid for with this credential. If you set 0, it reuses only results that were paid for after the execution started.',
);

const createSkip = (
	description: string,
	property?: Pick<INodeProperties, 'displayOptions'>,
): Parameter<number> =>
	wholeNumber('Skip', { default: 0, min: 0, max: MAX_RESULTS - 1 }, description, property);

const skipDescription =
	'How many results to skip, for example to continue where an earlier run stopped. Skipped results cost nothing.';

/** A tool has `toolParameter` in place of `option`: an agent needs it to get the next results. */
export const skip = {
	option: createSkip(skipDescription, { displayOptions: { hide: { '@tool': [true] } } }),
	toolParameter: createSkip(skipDescription, { displayOptions: { show: { '@tool': [true] } } }),
	triggerOption: createSkip(
		'How many leads to skip once, before the first poll of a search, for example because you have them already. Skipped leads cost nothing.',
	),
};

export const parallelPages = wholeNumber(
	'Parallel Pages',
	{ default: PARALLEL_PAGES, min: 1, max: 10 },
	'Max number of pages to request at the same time. The node starts with one page. It adds one for each page received as long as this is faster. It halves the number if the service reports too many requests.',
);

const includeUsage = toggle(
	'Include Usage',
	false,
	'Whether each output item contains the cost of the run under "usage": credits, creditsSoFar (everything that counts toward Max Credits) and requests',
	// A tool returns the cost in its last item instead.
	{ hide: { '@tool': [true] } },
);

/** The options of the operations that cost credits. Preview has Parallel Pages, too. */
export const paidOptions = {
	includeUsage,
	parallelPages,
	reusePaidResults,
};

/** Declares the options of all operations that send requests. */
export function requestOptions(unit: 'results' | 'URLs') {
	const setPageSize = wholeNumber(
		'Page Size',
		{ default: DEFAULT_PAGE_SIZE, min: 1, max: MAX_RESULTS },
		`Max number of ${unit} per request. Larger pages need fewer requests, but the service may refuse them, and each lost response can cost more. More than 1,000 brings no speed.`,
	);
	const pageSize: Parameter<number | undefined> = {
		...setPageSize,
		// A size that a user has set isn't replaced by a smaller one if the service refuses it.
		read: (value, others) => (others.has('pageSize') ? setPageSize.read(value, others) : undefined),
	};
	return {
		pageSize,
		maxRetries: wholeNumber(
			'Max Retries',
			{ default: 3, min: 0, max: 10 },
			'How often to retry a page if the service does not respond, or responds with a server error. If the service reports too many requests, which costs nothing, the node retries three times as often.',
		),
		timeout: wholeNumber(
			'Timeout (Seconds)',
			{ default: 300, min: 1, max: 3600 },
			'How many seconds to wait for the response to one request',
		),
	};
}

/**
 * `pageSize` is a number of rows, or of URLs for a lookup; undefined if no user has set it. `reusePaidResults` is in
 * minutes. `timeoutMs` limits each single request.
 */
export type FetchSettings = ReturnType<typeof toFetchSettings>;

/** Converts the values of options and Max Credits. Options that the operation doesn't have get their defaults. */
export function toFetchSettings({
	pageSize,
	maxRetries,
	timeout,
	parallelPages = PARALLEL_PAGES,
	maxCredits: maxCreditsOrInfinity = Infinity,
	reusePaidResults = REUSE_MINUTES,
	includeUsage: includesUsage = false,
	includePhones: includesPhones = false,
}: ValuesOf<ReturnType<typeof requestOptions>> &
	Partial<ValuesOf<typeof paidOptions>> & {
		maxCredits?: number | undefined;
		includePhones?: boolean;
	}) {
	const timeoutMs = timeout * 1_000;
	return {
		pageSize,
		maxRetries,
		timeoutMs,
		parallelPages,
		maxCredits: maxCreditsOrInfinity,
		reusePaidResults,
		includesUsage,
		includesPhones,
	};
}
