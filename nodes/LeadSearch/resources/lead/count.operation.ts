import { ENDPOINTS, type Json } from '../../api/contract';
import { LeadCount, type CountRequest } from '../../api/leadCount';
import { ListRows, NOTHING_HELD } from '../../api/listRows';
import { baseUrl } from '../../parameters/baseUrl';
import {
	maxRetries,
	optionsCollection,
	pageSize,
	readFetchSettings,
	timeout,
	type FetchSettings,
} from '../../parameters/fetching';
import { collectionValues } from '../../parameters/values';
import { groupBy, type Fetch, type ItemRequest, type Operation } from '../operation';
import { filtersProperty, readFilters } from './filters';

const size = pageSize(100, 'The most results to look at in one request');

interface CountedRequest {
	baseUrl: string;
	/** What selects leads, as fields of the request. */
	filters: Json;
	settings: FetchSettings;
}

/** How many leads match, for free, found by previews. Needs no credential and never sends one. */
export const count: Operation<CountedRequest> = {
	option: {
		name: 'Count',
		value: 'count',
		action: 'Count leads',
		description: 'Find out how many leads match, for free and without a credential',
	},
	toolDescription:
		'Counts the business leads that match the filters, for free. Use it to tell what a search would cost before it is made.',

	endpoint: 'preview',

	properties: [
		baseUrl.property,
		filtersProperty(false),
		optionsCollection([maxRetries, size, timeout].map(({ property }) => property)),
	],

	read(values) {
		const options = collectionValues(values, 'options');
		return {
			baseUrl: baseUrl.read(values),
			filters: readFilters(values),
			settings: readFetchSettings(options, size),
		};
	},

	plan: (requests) => groupBy(requests, (request) => request).map(countFetch),
};

function countFetch(members: Array<ItemRequest<CountedRequest>>): Fetch<CountRequest> {
	const [{ request }] = members as [ItemRequest<CountedRequest>];
	const { settings, filters } = request;
	const items = members.map(({ item }) => item);
	const leads = new LeadCount(settings.pageSize, ENDPOINTS.preview.documentedPageSize);
	let isComplete = false;
	return {
		items,
		settings,
		baseUrl: request.baseUrl,
		source: new ListRows(),
		start: () => leads,
		body: ({ page, size: perPage, isUnfiltered }) => ({
			...(!isUnfiltered && filters),
			_page: page,
			_per_page: perPage,
		}),
		emit(output) {
			isComplete = leads.isComplete;
			for (const item of isComplete ? items : []) {
				output.add(item, { count: leads.count, isAtLeast: leads.isAtLeast });
			}
			return NOTHING_HELD;
		},
		remainder: () => ({ items: isComplete ? [] : items }),
	};
}
