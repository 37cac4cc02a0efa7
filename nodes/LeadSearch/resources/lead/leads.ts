/** Fetches leads, for Preview and for Search. */
import { ENDPOINTS, MAX_RESULTS, type Endpoint, type Json } from '../../api/contract';
import { describeNextRows, type Hint, type LabelledFilters } from '../../messages/hint';
import type { Missing } from '../../messages/stoppedRun';
import type { PageRequest } from '../../paging/job';
import type { Result } from '../../paging/fetchAll';
import { LeadJob } from '../../paging/leadJob';
import type { LeadList, RowRange } from '../../paging/leadList';
import { toCanonicalJson, canonicalizeSearch } from '../../parameters/canonical';
import { requestOptions, skip as skipOption } from '../../parameters/fetching';
import {
	groupBy,
	type Group,
	type ItemRequest,
	type Operation,
	type ServiceOptions,
	type Task,
	type TaskOutput,
} from '../operation';
import { shapeRow, type OutputFields } from '../simplify';
import { labelFilters } from './filters';
import {
	describeDuplicateItems,
	describeIgnoredStatus,
	describeListHints,
	describeMaxResults,
	describeNoMatch,
	describeReadableRows,
	describeRefusal,
	describeRepeats,
} from './hints';

export function leadOptions() {
	return {
		...requestOptions('results'),
		skip: skipOption.option,
	};
}

export interface LeadsRequest extends ServiceOptions {
	filters: Json;
	/** The fields that the requests for all pages have. */
	body: Json;
	skip: number;
	limit: number;
	fields: OutputFields;
	includeRaw: boolean;
	splitLists?: LabelledFilters;
	/** Whether Email Status is set, which a preview ignores. */
	ignoresStatus?: boolean;
	/**
	 * The number of rows that an agent requested, of which `limit` may be only a part. It is undefined if the node
	 * isn't a tool.
	 */
	agentLimit?: number | undefined;
}

/** n8n's own Agents show a model 50,000 tokens, and this many leads fit into them. */
const MAX_AGENT_LEADS = { simplified: 400, raw: 100 };

/** Reduces Limit for an agent, which can't read more leads at once. */
export function limitForCaller(isTool: boolean, limit: number, fields: OutputFields) {
	if (!isTool) return { limit };
	const maxRows = MAX_AGENT_LEADS[fields === 'raw' ? 'raw' : 'simplified'];
	return { limit: Math.min(limit, maxRows), agentLimit: limit };
}

/** Returns [20, 70] for Skip 20 and Limit 50. A search ends at row 100,000. */
function rangeOf({ request: { skip, limit } }: ItemRequest<LeadsRequest>): RowRange {
	return [skip, Math.min(skip + limit, MAX_RESULTS)];
}

/** Requests that differ only in Skip and Limit have the same ID. The cache finds rows by it. */
export function listId(endpoint: Endpoint, { baseUrl, body }: LeadsRequest): unknown {
	return [endpoint, baseUrl, canonicalizeSearch(body)];
}

/**
 * Plans the tasks of Preview or Search. Requests with the same address and body share a list, so a row that several
 * input items request is fetched once.
 */
export function planLeads(endpoint: Endpoint): Operation<LeadsRequest>['plan'] {
	return (requests, lists) =>
		groupBy(requests, ({ baseUrl, body }) =>
			toCanonicalJson([baseUrl, canonicalizeSearch(body)]),
		).flatMap((members) => {
			const [{ request }] = members;
			const hasRaw = members.some((member) => member.request.includeRaw);
			const list = lists.createLeads(listId(endpoint, request), hasRaw, members.map(rangeOf));
			return groupBy(members, ({ skip, limit }) => `${skip} ${limit}`).map((sameRange) =>
				leadsTask(endpoint, sameRange, list),
			);
		});
}

/** Creates the task of input items with the same address, body, Skip and Limit. */
export function leadsTask(endpoint: Endpoint, members: Group<LeadsRequest>, list: LeadList): Task {
	const [{ request }] = members;
	const { skip, limit, settings, baseUrl } = request;
	return {
		items: members.map(({ item }) => item),
		settings,
		baseUrl,
		job: new LeadJob(list, { skip, limit, pageSize: settings.pageSize }),
		body: (page) => pageBody(endpoint, request, page, list.hasRaw),
		output: (outcome) => leadsOutput(endpoint, members, list, outcome),
	};
}

function pageBody(
	endpoint: Endpoint,
	{ body }: LeadsRequest,
	{ page, size, maxResults }: PageRequest,
	includesRaw: boolean,
): Json {
	const pageFields = { ...body, _page: page, _per_page: size };
	// A preview accepts none of these fields. `max_results` counts from the first row of the list.
	return ENDPOINTS[endpoint].costsCredits
		? { ...pageFields, max_results: maxResults, _include_raw: includesRaw }
		: pageFields;
}

function leadsOutput(
	endpoint: Endpoint,
	members: Group<LeadsRequest>,
	list: LeadList,
	outcome: Result['outcome'],
): TaskOutput {
	const [first] = members;
	const { skip, limit } = first.request;
	const [, endIndex] = rangeOf(first);
	// Cached rows after the end of a list that has become shorter don't exist any more.
	const listEnd = outcome === 'complete' || outcome === 'refused' ? list.end : undefined;
	const { rows, repeats } = list.rowsBetween(skip, Math.min(endIndex, listEnd?.at ?? Infinity));
	const isIncomplete = outcome === undefined || outcome === 'budget';
	const nextSkip = outcome === 'limit' && !endsWithin(list, endIndex) ? endIndex : undefined;
	// Unmatched rows were charged, too. If rows are missing, they can be any of them.
	rows.push(...list.unmatchedRows.slice(0, Math.max(0, limit - rows.length)));
	return {
		rows,
		entries: members.map(({ item, request: { fields, includeRaw } }) => ({
			item,
			json: rows.map((row) => shapeRow(row, fields, includeRaw)),
		})),
		warnings: leadsHints(endpoint, members, list, {
			outcome,
			returned: rows.length,
			repeats,
			nextSkip,
		}),
		absentCountries: findAbsentCountries(first.request.filters, rows),
		splitLists: members.flatMap(({ request: { splitLists = [] } }) => splitLists),
		nextSkip,
		missing: isIncomplete ? missingAfter(list, skip) : {},
	};
}

function endsWithin({ end }: LeadList, endIndex: number): boolean {
	return end?.isConfirmed === true && end.at <= endIndex;
}

function leadsHints(
	endpoint: Endpoint,
	members: Group<LeadsRequest>,
	list: LeadList,
	{
		outcome,
		returned,
		repeats,
		nextSkip,
	}: {
		outcome: Result['outcome'];
		returned: number;
		repeats: number;
		nextSkip: number | undefined;
	},
): Hint[] {
	const [{ request }] = members;
	const listEnd = list.end;
	const isEmptyList = outcome === 'complete' && listEnd?.at === 0 && listEnd.isLikely;
	return [
		members.length > 1 && describeDuplicateItems(members.length, endpoint),
		members.some((member) => member.request.ignoresStatus) && describeIgnoredStatus(),
		outcome === 'maxResults' && describeMaxResults(),
		outcome === 'refused' && describeRefusal(listEnd?.at ?? 0, listEnd?.refusal?.text),
		isEmptyList && describeNoMatch(labelFilters(request.filters)),
		(repeats > 0 || list.hasChanged) && describeRepeats(repeats, list.cost.charged > 0),
		...describeListHints(list.hints),
		nextSkip !== undefined && hintNextRows(request, returned, nextSkip),
	];
}

function hintNextRows({ agentLimit, limit }: LeadsRequest, returned: number, next: number): Hint {
	if (agentLimit === undefined) return false;
	return agentLimit > limit
		? describeReadableRows(returned, agentLimit, next)
		: describeNextRows(next, true);
}

function missingAfter({ cells }: LeadList, skip: number): Missing {
	let firstIndex = skip;
	while (cells.has(firstIndex)) firstIndex++;
	return { firstIndex, rowsBefore: firstIndex - skip };
}

/**
 * Returns the countries in the filter that no row has. If a row doesn't name its country, the result is empty, because
 * that row may be in any of them.
 */
function findAbsentCountries(filters: Json, rows: readonly Json[]): string[] {
	const wanted = [filters.person_location_country ?? []].flat();
	if (rows.length === 0 || wanted.length === 0) return [];
	const countries = new Set<string>();
	for (const { country } of rows) {
		if (typeof country !== 'string' || country.trim() === '') return [];
		countries.add(country.trim().toLowerCase());
	}
	return wanted.map(String).filter((name) => !countries.has(name.trim().toLowerCase()));
}
