import { estimatePrice, type Json } from '../../api/contract';
import type { LabelledFilters } from '../../messages/hint';
import { CountJob, LeadCount } from '../../paging/leadCount';
import { baseUrl } from '../../parameters/baseUrl';
import { toCanonicalJson } from '../../parameters/canonical';
import { requestOptions, toFetchSettings } from '../../parameters/fetching';
import { optionsOf } from '../../parameters/collections';
import { readParameters } from '../../parameters/parameter';
import {
	groupBy,
	type Group,
	type Operation,
	type ServiceOptions,
	type Task,
	type TaskOutput,
} from '../operation';
import {
	previewFilters,
	findSplitLists,
	hasEmailStatus,
	labelFilters,
	filterNotice,
	leadFilters,
} from './filters';
import { describeIgnoredStatus, describeLowerBound, describeNoMatch } from './hints';

/** Count is free, so users can run it again if it fails. Therefore the editor doesn't show Max Retries. */
const { maxRetries, ...shownOptions } = requestOptions('results');

const parameters = {
	toolNotice: filterNotice,
	filters: leadFilters,
	options: optionsOf(shownOptions, { maxRetries }),
	baseUrl,
};

interface CountRequest extends ServiceOptions {
	filters: Json;
	splitLists: LabelledFilters;
	ignoresStatus: boolean;
}

/** It sends preview requests, which are free and need no credential. */
export const count: Operation<CountRequest> = {
	option: {
		name: 'Count',
		value: 'count',
		action: 'Count leads',
		description:
			'Count the leads that match, for free. Use a node of its own: n8n forgets Limit and Max Credits if you change the operation of a node.',
	},
	toolDescription:
		'Counts the business leads that match the filters, for free, and returns what a search for all of them would cost: "credits", and US dollars from "usdFrom" to "usdTo", which depends on the package of credits. If "isAtLeast" is true, more leads may match.',
	endpoint: 'preview',
	parameters,
	read(values) {
		const { options, filters, baseUrl } = readParameters(parameters, values);
		return {
			baseUrl,
			filters: previewFilters(filters),
			splitLists: findSplitLists(values),
			ignoresStatus: hasEmailStatus(filters),
			settings: toFetchSettings(options),
		};
	},
	plan(requests) {
		return groupBy(requests, toCanonicalJson).map(countTask);
	},
};

function countTask(members: Group<CountRequest>): Task {
	const [{ request }] = members;
	const { filters, settings, baseUrl } = request;
	const items = members.map(({ item }) => item);
	const list = new LeadCount();
	return {
		items,
		settings,
		baseUrl,
		job: new CountJob(list, settings.pageSize),
		body: ({ page, size, purpose }) => ({
			...(purpose === 'rows' && filters),
			_page: page,
			_per_page: size,
		}),
		output: (outcome) => countOutput(request, items, outcome === 'complete' ? list : undefined),
	};
}

/** `list` is undefined if its count isn't complete. The output then has no items. */
function countOutput(
	{ filters, ignoresStatus, splitLists }: CountRequest,
	items: number[],
	list: LeadCount | undefined,
): TaskOutput {
	if (!list) return { entries: [], rows: [], warnings: [], missing: {} };
	const { count: leads, isAtLeast } = list;
	const result = { count: leads, isAtLeast, ...estimatePrice(leads) };
	return {
		entries: items.map((item) => ({ item, json: [{ ...result }] })),
		rows: [],
		isEstimate: true,
		splitLists,
		warnings: [
			ignoresStatus && describeIgnoredStatus(),
			isAtLeast ? describeLowerBound(leads) : leads === 0 && describeNoMatch(labelFilters(filters)),
		],
		missing: {},
	};
}
