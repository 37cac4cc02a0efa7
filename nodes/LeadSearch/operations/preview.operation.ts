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

const { maxRetries, pageSize, parallelPages, skip, timeout } = fetchingOptions(PAGE_SIZE.preview);

export const preview: Operation<PreviewRequest> = {
	endpoint: 'preview',

	properties: [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			// Not `required`: n8n's own message names neither the item nor what to write.
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
			options: [maxRetries, pageSize, parallelPages, skip, timeout],
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
		return groupSame(requests, (request) => request).map(({ items, request }) => ({
			...listJob(items, request.fetching, (row) => row),
			baseUrl: request.baseUrl,
			body: (ask) => ({ ...request.filters, _page: ask.page, _per_page: ask.size }),
			readPage: repetitionsRefused(),
		}));
	},
};

/**
 * Reads previews, whose paging isn't shown: one that doesn't name its page and repeats the page
 * before would go on for ever.
 */
function repetitionsRefused(): Job['readPage'] {
	let before: string | undefined;
	return (answer, secrets) => {
		const reading = readPreviewPage(answer, secrets);
		if ('failure' in reading || reading.value.page !== undefined) return reading;
		const { rows } = reading.value;
		const text = JSON.stringify(rows);
		const isRepeated = rows.length > 0 && text === before;
		before = text;
		return isRepeated
			? { value: { rows: [], misfit: 'it answered with the same page again' } }
			: reading;
	};
}
