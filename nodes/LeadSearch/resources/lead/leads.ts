/** Leads to fetch: what Preview and Search have in common. */
import { ENDPOINTS, MAX_RESULTS, type Endpoint, type Json } from '../../api/contract';
import {
	describeReadableRows,
	describeMaxResults,
	describeNextRows,
	describeNoMatch,
	describeIgnoredStatus,
	describeRefusal,
	describeDuplicateItems,
	describeNotes,
	type Hint,
} from '../../messages/hints';
import type { Missing } from '../../messages/stoppedRun';
import { LeadJob } from '../../paging/leadJob';
import type { LeadList, RowRange } from '../../paging/leadList';
import { toCanonicalJson, canonicalizeSearch } from '../../parameters/canonical';
import { requestOptions, skip as skipOption } from '../../parameters/fetching';
import {
	groupBy,
	type Group,
	type ItemRequest,
	type Operation,
	type RowsOptions,
	type Task,
} from '../operation';
import { shapeRow, type OutputFields } from '../simplify';
import { labelFilters } from './filters';

/** Options of both, with Page Size in rows. */
export function leadOptions(pageSize: number) {
	const meaning = 'The most results to ask for in one request. Larger pages take fewer requests.';
	return { ...requestOptions(pageSize, meaning), skip: skipOption.option };
}

/** What an input item asks for. */
export interface LeadsRequest extends RowsOptions {
	/** What selects leads, as fields of the body. */
	filters: Json;
	skip: number;
	includeRaw: boolean;
	/** Whether an Email Status was set, which a preview doesn't know. */
	leavesOutStatus?: boolean;
	/** Rows that an agent has requested, which may be more than it can read and so than its limit; undefined for people. */
	agentLimit?: number | undefined;
}

/** The most leads that are bought for an agent at once: n8n's own Agents show a model 50,000 tokens, of which these are a part. */
const MAX_AGENT_LEADS = { simplified: 400, raw: 100 };

/** @returns the rows wanted, and for an agent no more than it can read, with what it has requested */
export function limitForCaller(isTool: boolean, limit: number, form: OutputFields) {
	if (!isTool) return { limit };
	const most = MAX_AGENT_LEADS[form === 'raw' ? 'raw' : 'simplified'];
	return { limit: Math.min(limit, most), agentLimit: limit };
}

/** What an agent is told of a list that goes on, or may: how to get the next rows. */
function hintNextRows({ agentLimit: requested, limit, skip }: LeadsRequest, rows: number): Hint {
	if (requested === undefined || rows < limit) return false;
	return requested > limit
		? describeReadableRows(rows, requested, skip + rows)
		: describeNextRows(skip + rows);
}

/** The rows that an input item wants. */
function rangeOf({ request: { skip, limit } }: ItemRequest<LeadsRequest>): RowRange {
	return [skip, Math.min(skip + limit, MAX_RESULTS)];
}

/** What tells a list from others of an account. */
export function listId(endpoint: Endpoint, { baseUrl, body }: LeadsRequest): unknown {
	return [endpoint, baseUrl, canonicalizeSearch(body)];
}

/** Requests that mean the same to the service share a list, so that no row is fetched for two of them. */
export function planLeads(endpoint: Endpoint): Operation<LeadsRequest>['plan'] {
	return (requests, lists) =>
		groupBy(requests, ({ baseUrl, body }) =>
			toCanonicalJson([baseUrl, canonicalizeSearch(body)]),
		).flatMap((members) => {
			const [{ request }] = members;
			const hasRaw = members.some((member) => member.request.includeRaw);
			const list = lists.leads(listId(endpoint, request), hasRaw, members.map(rangeOf));
			return groupBy(members, ({ skip, limit }) => `${skip} ${limit}`).map((alike) =>
				leadsTask(endpoint, alike, list),
			);
		});
}

export function leadsTask(endpoint: Endpoint, members: Group<LeadsRequest>, list: LeadList): Task {
	const [{ request }] = members;
	const { skip, limit, settings, body, baseUrl } = request;
	const items = members.map(({ item }) => item);
	const [, to] = rangeOf(members[0]);
	return {
		items,
		settings,
		baseUrl,
		job: new LeadJob(list, { skip, limit, pageSize: settings.pageSize }),
		body: ({ page, size, maxResults }) => ({
			...body,
			_page: page,
			_per_page: size,
			// It counts from the first row of the list. A preview takes neither.
			...(ENDPOINTS[endpoint].costsCredits && {
				max_results: maxResults,
				_include_raw: list.hasRaw,
			}),
		}),
		output(end) {
			const { end: listEnd } = list;
			const rows = list.rowsBetween(skip, to);
			// They may belong to whatever has not come.
			const isOpen = end === undefined || end === 'budget';
			const isNobody = end === 'complete' && listEnd?.at === 0 && listEnd.isStated;
			for (const row of isOpen ? list.unmatchedRows : []) if (rows.length < limit) rows.push(row);
			return {
				rows,
				entries: members.map(({ item, request: { form, includeRaw } }) => ({
					item,
					json: rows.map((row) => shapeRow(row, form, includeRaw)),
				})),
				warnings: [
					items.length > 1 && describeDuplicateItems(items.length, endpoint),
					members.some((member) => member.request.leavesOutStatus) && describeIgnoredStatus(),
					end === 'maxResults' && describeMaxResults(),
					end === 'refused' && describeRefusal(listEnd?.at ?? 0, listEnd?.refusal?.text),
					isNobody && describeNoMatch(labelFilters(request.filters)),
					...describeNotes(list.notes, list.confirmedSize),
					end === 'limit' && hintNextRows(request, rows.length),
				],
				nextSkip: end === 'limit' && !(listEnd?.isConfirmed && listEnd.at <= to) ? to : undefined,
				absentCountries: findAbsentCountries(request.filters, rows),
				missing: isOpen ? missingAfter(list, skip) : {},
			};
		},
	};
}

/** Finds the first row that is missing from `skip` on. */
function missingAfter({ cells }: LeadList, skip: number): Missing {
	let firstRow = skip;
	while (cells.get(firstRow)) firstRow++;
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
