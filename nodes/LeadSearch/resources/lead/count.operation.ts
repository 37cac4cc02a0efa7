import { estimatePrice, type Json } from '../../api/contract';
import { describeLowerBound, describeNoMatch, describeIgnoredStatus } from '../../messages/hints';
import { CountJob, LeadCount } from '../../paging/leadCount';
import { baseUrl } from '../../parameters/baseUrl';
import { toCanonicalJson } from '../../parameters/canonical';
import { requestOptions, toFetchSettings } from '../../parameters/fetching';
import { optionsOf } from '../../parameters/collections';
import { readParameters } from '../../parameters/parameter';
import { groupBy, type ItemOptions, type Group, type Operation, type Task } from '../operation';
import { previewFilters, hasEmailStatus, labelFilters, leadFilters } from './filters';

const parameters = {
	baseUrl,
	filters: leadFilters,
	options: optionsOf(requestOptions(100, 'The most results to look at in one request')),
};

interface CountRequest extends ItemOptions {
	filters: Json;
	/** Whether an Email Status was set, which doesn't count. */
	leavesOutStatus: boolean;
}

/** How many leads match, for free, found by previews. Neither needs nor sends a credential. */
export const count: Operation<CountRequest> = {
	option: {
		name: 'Count',
		value: 'count',
		action: 'Count leads',
		description: 'Find out how many leads match, for free and without a credential',
	},
	toolDescription:
		'Counts the business leads that match the filters, for free, and names what a search for all of them would cost: "credits", and in US dollars from "usdFrom" to "usdTo", by the package of credits that is bought. With "isAtLeast" there may be more.',
	endpoint: 'preview',
	parameters,
	read(values) {
		const { options, filters, baseUrl } = readParameters(parameters, values);
		return {
			...{ baseUrl, filters: previewFilters(filters), leavesOutStatus: hasEmailStatus(filters) },
			settings: toFetchSettings(options),
		};
	},
	plan(requests) {
		return groupBy(requests, toCanonicalJson).map(countTask);
	},
};

function countTask(members: Group<CountRequest>): Task {
	const [{ request }] = members;
	const { filters, ...rest } = request;
	const items = members.map(({ item }) => item);
	const list = new LeadCount(rest.settings.pageSize);
	return {
		...rest,
		items,
		job: new CountJob(list),
		body: ({ page, size, purpose }) => ({
			...(purpose === 'rows' && filters),
			_page: page,
			_per_page: size,
		}),
		output(end) {
			if (end !== 'complete') return { entries: [], rows: [], warnings: [], missing: {} };
			const { count: rows, isAtLeast } = list;
			const counted = { count: rows, isAtLeast, ...estimatePrice(rows) };
			return {
				entries: items.map((item) => ({ item, json: [{ ...counted }] })),
				rows: [],
				warnings: [
					request.leavesOutStatus && describeIgnoredStatus(),
					isAtLeast
						? describeLowerBound(rows)
						: rows === 0 && describeNoMatch(labelFilters(filters)),
				],
				missing: {},
			};
		},
	};
}
