/** A list of leads to fetch: what Preview and Search have in common. */
import { ENDPOINTS, MAX_RESULTS, type Endpoint, type Json } from '../../api/contract';
import type { ListRows } from '../../api/listRows';
import { ListPagination } from '../../api/listPagination';
import type { PageRequest } from '../../api/pageRequest';
import { withoutRange, type RowRange } from '../../api/ranges';
import { hintSame } from '../../messages/hints';
import type { FetchSettings } from '../../parameters/fetching';
import {
	groupBy,
	inOrderOfItems,
	type Fetch,
	type ItemRequest,
	type PaidResults,
} from '../operation';
import { LEAD_FIELDS, rowShapes, type RowForm, type RowShapes } from '../simplify';

/** What one input item asks for. */
export interface ListRequest {
	/** The service's address; undefined where the credential's counts. */
	baseUrl?: string;
	/** Everything in the request's body but the paging. */
	body: Json;
	/** Rows to pass over. */
	skip: number;
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** What is emitted of a row. */
	form: RowForm;
	settings: FetchSettings;
}

/** Lists with the same body share what has come, so that no row is fetched for two of them. */
export function planLists(
	endpoint: Endpoint,
	requests: Array<ItemRequest<ListRequest>>,
	paid: PaidResults,
): Array<Fetch<PageRequest>> {
	const fetches = groupBy(requests, ({ baseUrl, body }) => [baseUrl, body]).flatMap((members) => {
		const shapes = rowShapes(
			members.map(({ request }) => request.form),
			LEAD_FIELDS,
		);
		const [{ request }] = members as [ItemRequest<ListRequest>];
		const id = [endpoint, request.baseUrl, request.body, shapes.name];
		const source: Source = { rows: paid.list(id), emitted: [] };
		const ranges = groupBy(members, ({ skip, limit, settings }) => [skip, limit, settings]);
		return ranges.map((same) => listFetch(endpoint, same, shapes, source));
	});
	return inOrderOfItems(fetches);
}

/** What has come of a list. */
interface Source {
	rows: ListRows;
	/** What was emitted of it; other fetches get copies. */
	emitted: RowRange[];
}

function listFetch(
	endpoint: Endpoint,
	members: Array<ItemRequest<ListRequest>>,
	shapes: RowShapes,
	source: Source,
): Fetch<PageRequest> {
	const [first] = members;
	if (!first) throw new Error('A fetch needs an input item');
	const { skip, limit, settings, body, baseUrl } = first.request;
	const items = members.map(({ item }) => item);
	const wanted = { from: skip, to: Math.min(skip + limit, MAX_RESULTS) };
	const { documentedPageSize, costsCredits } = ENDPOINTS[endpoint];
	let pagination: ListPagination | undefined;
	return {
		items,
		settings,
		...(baseUrl !== undefined && { baseUrl }),
		source: source.rows,
		start: () =>
			(pagination = new ListPagination({
				wanted,
				isReturnAll: !Number.isFinite(limit),
				rows: source.rows,
				pageSize: settings.pageSize,
				documentedPageSize,
				costsCredits,
				shape: shapes.keep,
			})),
		body: ({ page, size, isSizeProbe, isPageProbe }) => ({
			...body,
			_page: page,
			_per_page: size,
			// It counts from the first row of the list. A preview takes none.
			...(costsCredits && { max_results: isSizeProbe || isPageProbe ? 1 : wanted.to }),
		}),
		emit(output, hint) {
			if (items.length > 1) hint(hintSame(items.length, endpoint));
			const isTaken = source.emitted.length > 0;
			members.forEach(({ item, request }, index) => {
				for (const row of source.rows.of(wanted)) {
					const json = shapes.output(row, request.form);
					output.add(item, isTaken || index > 0 ? { ...json } : json);
				}
			});
			const fresh = source.emitted.reduce(withoutRange, [wanted]);
			source.emitted.push(wanted);
			return source.rows.heldOf(fresh);
		},
		remainder: () => ({
			items,
			rows: {
				wanted,
				isReturnAll: !Number.isFinite(limit),
				missing: pagination?.missing() ?? [wanted],
			},
		}),
	};
}
