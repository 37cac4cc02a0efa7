import { baseUrl } from '../../parameters/baseUrl';
import {
	limit,
	maxRetries,
	optionsCollection,
	pageSize,
	parallelPages,
	readFetchSettings,
	readLimit,
	returnAll,
	skip,
	timeout,
} from '../../parameters/fetching';
import { collectionValues } from '../../parameters/values';
import type { Operation } from '../operation';
import { filtersProperty, readFilters } from './filters';
import { planLeads, type LeadsRequest } from './leads';

const size = pageSize(
	100,
	'The most results to ask for in one request. Larger pages take fewer requests.',
);

/** A free look at an audience. Needs no credential and never sends one. */
export const preview: Operation<LeadsRequest> = {
	option: {
		name: 'Preview',
		value: 'preview',
		action: 'Preview leads',
		description:
			'See who matches, for free and without a credential. The service may mask emails and phones; Search returns them.',
	},
	toolDescription:
		'Shows some of the business leads that match the filters, for free. Their emails and phones may be masked; a search returns them. Use it to check the filters before a search.',

	endpoint: 'preview',

	properties: [
		baseUrl.property,
		filtersProperty(false),
		returnAll.property,
		limit.property,
		optionsCollection(
			[maxRetries, size, parallelPages, skip, timeout].map(({ property }) => property),
		),
	],

	read(values) {
		const options = collectionValues(values, 'options');
		return {
			baseUrl: baseUrl.read(values),
			body: readFilters(values),
			skip: skip.read(options),
			limit: readLimit(values),
			form: 'simplified',
			includeRaw: true,
			settings: readFetchSettings(options, size),
		};
	},

	plan: (requests, sources) => planLeads('preview', requests, sources),
};
