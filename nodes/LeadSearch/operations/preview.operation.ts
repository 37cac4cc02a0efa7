import type { Json } from '../service/contract';
import { readPreviewPage } from '../service/answer';
import { filtersProperty, readFilters } from './filters';
import { PAGE_SIZE, type Fetching, type ItemParameters } from './itemParameters';
import { groupSame, type ItemRequest, type Job, type Operation } from './operation';
import { listJob } from './listJob';
import { fetchingOptions, limit, returnAll } from './sharedParameters';

/** A free look at an audience. Needs no credential and never sends one. */
interface PreviewRequest {
	baseUrl: string;
	filters: Json;
	fetching: Fetching;
}

const { maxRetries, pageSize, skip, timeout } = fetchingOptions(PAGE_SIZE.preview);

export const preview: Operation<PreviewRequest> = {
	endpoint: 'preview',

	properties: [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://leads.example.com',
			description:
				'Address of the lead search service. A preview is free and needs no credential.',
		},
		filtersProperty(false),
		returnAll,
		limit,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [maxRetries, pageSize, skip, timeout],
		},
	],

	read(parameters: ItemParameters): PreviewRequest {
		return {
			baseUrl: parameters.baseUrl(),
			filters: readFilters(parameters.filters()),
			fetching: parameters.fetching(PAGE_SIZE.preview),
		};
	},

	plan(requests: Array<ItemRequest<PreviewRequest>>): Job[] {
		return groupSame(requests, (request) => [request, request.fetching.rows === Infinity]).map(
			({ items, request }) => ({
				...listJob(items, request.fetching, (row) => row),
				baseUrl: request.baseUrl,
				body: (ask) => ({ ...request.filters, _page: ask.page, _per_page: ask.size }),
				readPage: readPreviewPage,
			}),
		);
	},
};
