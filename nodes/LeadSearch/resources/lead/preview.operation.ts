import { baseUrl } from '../../parameters/baseUrl';
import { parallelPages, rowLimits, settingsOf } from '../../parameters/fetching';
import { optionsOf } from '../../parameters/collections';
import { readAll } from '../../parameters/parameter';
import type { Operation } from '../operation';
import { formFor, LEAD_FIELDS } from '../simplify';
import { previewFilters } from './filters';
import { leadOptions, planLeads, type LeadsRequest } from './leads';

const parameters = {
	baseUrl,
	filters: previewFilters,
	...rowLimits(false),
	options: optionsOf({ ...leadOptions(100), parallelPages }),
};

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
	parameters,
	read(values) {
		const { options, ...read } = readAll(parameters, values);
		return {
			...read,
			body: read.filters,
			skip: options.skip,
			form: formFor(LEAD_FIELDS, false),
			includeRaw: false,
			settings: settingsOf(options),
		};
	},
	plan: planLeads('preview'),
};
