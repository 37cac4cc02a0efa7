/** Leads to fetch: what Preview and Search have in common. */
import { ENDPOINTS, MAX_RESULTS, type Endpoint, type Json } from '../../api/contract';
import { hintMoved, hintSame } from '../../messages/hints';
import type { Missing } from '../../messages/stoppedRun';
import { LeadJob } from '../../paging/leadJob';
import type { LeadList } from '../../paging/leadList';
import type { FetchSettings } from '../../parameters/fetching';
import {
	groupBy,
	inOrderOfItems,
	type Group,
	type ItemRequest,
	type Sources,
	type Task,
} from '../operation';
import { shapeRow, type RowForm } from '../simplify';

/** What Page Size means where leads are fetched. */
export const PAGE_SIZE_DESCRIPTION =
	'The most results to ask for in one request. Larger pages take fewer requests.';

/** What one input item asks for. */
export interface LeadsRequest {
	/** The service's address; undefined where the credential's counts. */
	baseUrl?: string;
	/** Everything in the request's body but the paging and `_include_raw`. */
	body: Json;
	/** Rows to pass over. */
	skip: number;
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** What is put out of a row. */
	form: RowForm;
	/** Whether rows are to have the field `raw`. */
	includeRaw: boolean;
	settings: FetchSettings;
}

/** Requests with the same body share a list, so that no row is fetched for two of them. */
export function planLeads(
	endpoint: Endpoint,
	requests: Array<ItemRequest<LeadsRequest>>,
	sources: Sources,
): Task[] {
	const tasks = groupBy(requests, ({ baseUrl, body }) => [baseUrl, body]).flatMap((members) => {
		const [{ request }] = members;
		const needsRaw = members.some((member) => member.request.includeRaw);
		const source = sources.leads([endpoint, request.baseUrl, request.body], needsRaw);
		const emitted = new Set<Json>();
		return groupBy(members, ({ skip, limit }) => [skip, limit]).map((same) =>
			leadsTask(endpoint, same, { ...source, emitted }),
		);
	});
	return inOrderOfItems(tasks);
}

/** Where the leads of a task come from. */
export interface LeadsSource {
	list: LeadList;
	hasRaw: boolean;
	/** Rows that were put out, by other tasks too. */
	emitted: Set<Json>;
}

/** @returns the task for leads that input items ask for */
export function leadsTask(
	endpoint: Endpoint,
	members: Group<LeadsRequest>,
	{ list, hasRaw, emitted }: LeadsSource,
): Task {
	const [{ request: first }] = members;
	const { skip, limit, settings, body, baseUrl } = first;
	const { costsCredits } = ENDPOINTS[endpoint];
	const items = members.map(({ item }) => item);
	const to = Math.min(skip + limit, MAX_RESULTS);
	const fetched = () =>
		[...list.rowsBetween(skip, to), ...list.strays.map(({ row }) => row)].slice(0, limit);
	return {
		items,
		settings,
		baseUrl,
		job: new LeadJob(list, { skip, limit, pageSize: settings.pageSize }),
		body: ({ page, size, purpose }) => ({
			...body,
			_page: page,
			_per_page: size,
			// It counts from the first row of the list. A preview takes neither.
			...(costsCredits && {
				max_results: purpose === 'size' ? 1 : to,
				_include_raw: hasRaw,
			}),
		}),
		emit(output, warn) {
			if (items.length > 1) warn(hintSame(items.length, endpoint));
			if (list.hasMoved) warn(hintMoved());
			const rows = fetched();
			const fresh = rows.filter((row) => !emitted.has(row));
			for (const { item, request } of members) {
				for (const row of rows) output.add(item, shapeRow(row, request.form, request.includeRaw));
			}
			for (const row of fresh) emitted.add(row);
			return fresh;
		},
		fetched: () => fetched().length,
		missing: () => missingBetween(list, items, skip, limit),
	};
}

function missingBetween(list: LeadList, items: number[], skip: number, limit: number): Missing {
	const isOpen = !Number.isFinite(limit);
	const to = Math.min(skip + limit, MAX_RESULTS, list.end.proven);
	const limitTo = (from: number, end: number) =>
		isOpen && end === MAX_RESULTS ? null : end - from;
	const ranges: NonNullable<Missing['ranges']> = [];
	for (let row = skip; row < to; row++) {
		if (list.rowAt(row)) continue;
		const from = row;
		while (row < to && !list.rowAt(row)) row++;
		ranges.push({ skip: from, limit: limitTo(from, row) });
	}
	const wantedTo = Math.min(skip + limit, MAX_RESULTS);
	return { items, ranges, wanted: { skip, limit: limitTo(skip, wantedTo) } };
}
