/** Fetches leads, for Preview and for Search. */
import { ENDPOINTS, MAX_RESULTS, type Endpoint, type Json } from '../../api/contract';
import {
	describeReadableRows,
	describeMaxResults,
	describeNextRows,
	describeNoMatch,
	describeIgnoredStatus,
	describeRefusal,
	describeDuplicateItems,
	describeListHints,
	type Hint,
} from '../../messages/hints';
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

/**
 * Returns the options that Preview and Search share.
 *
 * @param pageSize the default of Page Size, in rows
 */
export function leadOptions(pageSize: number) {
	const description =
		'Max number of results per request. With larger pages, the node sends fewer requests.';
	return { ...requestOptions(pageSize, description), skip: skipOption.option };
}

/** The leads that an input item requests. */
export interface LeadsRequest extends ServiceOptions {
	/** Fields of the body that select leads. */
	filters: Json;
	/** The fields of the body that are the same for all pages. */
	body: Json;
	skip: number;
	/** Number of rows; Infinity for all. */
	limit: number;
	form: OutputFields;
	includeRaw: boolean;
	/** Whether Email Status was set, which a preview ignores. */
	ignoresStatus?: boolean;
	/**
	 * The number of rows that an agent requested; undefined if the node isn't a tool. `limit` may be smaller: it is
	 * reduced to the number of rows that an agent can read.
	 */
	agentLimit?: number | undefined;
}

/**
 * The limit of leads that one call of an agent buys. n8n's own Agents show a model 50,000 tokens, and this many leads
 * fit into them.
 */
const MAX_AGENT_LEADS = { simplified: 400, raw: 100 };

/** Returns the number of rows to fetch. For an agent, it is at most what an agent can read. */
export function limitForCaller(isTool: boolean, limit: number, form: OutputFields) {
	if (!isTool) return { limit };
	const maxRows = MAX_AGENT_LEADS[form === 'raw' ? 'raw' : 'simplified'];
	return { limit: Math.min(limit, maxRows), agentLimit: limit };
}

/** Returns the rows that an input item requests. */
function rangeOf({ request: { skip, limit } }: ItemRequest<LeadsRequest>): RowRange {
	return [skip, Math.min(skip + limit, MAX_RESULTS)];
}

/** Returns the ID of a list, which distinguishes it from other lists of the account. */
export function listId(endpoint: Endpoint, { baseUrl, body }: LeadsRequest): unknown {
	return [endpoint, baseUrl, canonicalizeSearch(body)];
}

/** Plans tasks. Requests that mean the same to the service share a list, so that no row is fetched for each of them. */
export function planLeads(endpoint: Endpoint): Operation<LeadsRequest>['plan'] {
	return (requests, lists) =>
		groupBy(requests, ({ baseUrl, body }) =>
			toCanonicalJson([baseUrl, canonicalizeSearch(body)]),
		).flatMap((members) => {
			const [{ request }] = members;
			const hasRaw = members.some((member) => member.request.includeRaw);
			const list = lists.leads(listId(endpoint, request), hasRaw, members.map(rangeOf));
			return groupBy(members, ({ skip, limit }) => `${skip} ${limit}`).map((sameRange) =>
				leadsTask(endpoint, sameRange, list),
			);
		});
}

/** Returns a task that fetches the same rows of a list for one or several input items. */
export function leadsTask(endpoint: Endpoint, members: Group<LeadsRequest>, list: LeadList): Task {
	const [{ request }] = members;
	const { skip, limit, settings, baseUrl } = request;
	return {
		items: members.map(({ item }) => item),
		settings,
		baseUrl,
		job: new LeadJob(list, { skip, limit, pageSize: settings.pageSize }),
		body: (page) => pageBody(endpoint, request, page, list.hasRaw),
		output: (end) => leadsOutput(endpoint, members, list, end),
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
	end: Result['end'],
): TaskOutput {
	const [first] = members;
	const { skip, limit } = first.request;
	const [, endIndex] = rangeOf(first);
	const rows = list.rowsBetween(skip, endIndex);
	const isIncomplete = end === undefined || end === 'budget';
	const nextSkip = end === 'limit' && !endsWithin(list, endIndex) ? endIndex : undefined;
	// An unmatched row can be any of the missing rows.
	if (isIncomplete) rows.push(...list.unmatchedRows.slice(0, Math.max(0, limit - rows.length)));
	return {
		rows,
		entries: members.map(({ item, request: { form, includeRaw } }) => ({
			item,
			json: rows.map((row) => shapeRow(row, form, includeRaw)),
		})),
		warnings: leadsHints(endpoint, members, list, { end, returned: rows.length, nextSkip }),
		nextSkip,
		absentCountries: findAbsentCountries(first.request.filters, rows),
		missing: isIncomplete ? missingAfter(list, skip) : {},
	};
}

/** Whether the service has said that no row follows the requested ones. */
function endsWithin({ end }: LeadList, endIndex: number): boolean {
	return end?.isConfirmed === true && end.at <= endIndex;
}

function leadsHints(
	endpoint: Endpoint,
	members: Group<LeadsRequest>,
	list: LeadList,
	{
		end,
		returned,
		nextSkip,
	}: { end: Result['end']; returned: number; nextSkip?: number | undefined },
): Hint[] {
	const [{ request }] = members;
	const listEnd = list.end;
	const isEmptyList = end === 'complete' && listEnd?.at === 0 && listEnd.isLikely;
	return [
		members.length > 1 && describeDuplicateItems(members.length, endpoint),
		members.some((member) => member.request.ignoresStatus) && describeIgnoredStatus(),
		end === 'maxResults' && describeMaxResults(),
		end === 'refused' && describeRefusal(listEnd?.at ?? 0, listEnd?.refusal?.text),
		isEmptyList && describeNoMatch(labelFilters(request.filters)),
		...describeListHints(list.hints, list.confirmedSize),
		nextSkip !== undefined && hintNextRows(request, returned, nextSkip),
	];
}

/** Says to an agent how to get the next rows, if its limit truncated the list. */
function hintNextRows({ agentLimit, limit }: LeadsRequest, returned: number, next: number): Hint {
	if (agentLimit === undefined) return false;
	return agentLimit > limit
		? describeReadableRows(returned, agentLimit, next)
		: describeNextRows(next);
}

/** Finds the first row that is missing from `skip` on. */
function missingAfter({ cells }: LeadList, skip: number): Missing {
	let firstRow = skip;
	while (cells.has(firstRow)) firstRow++;
	return { firstRow, rowsBefore: firstRow - skip };
}

/** Finds countries in the filter that no row has. It finds none if a row has no country. */
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
