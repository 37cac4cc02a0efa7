/** Bodies of responses with rows (contract, "Endpoints"). */
import type { Paging, Request } from './model';
import type { Page } from './page';
import type { Deviation, Readings } from './readings';
import { leadRow, lookUpRow, previewRow, type Row } from './rows';

/** A page whose rows may be truncated by a low balance. */
export type Served = Page & { isShort: boolean };

/** Returns the body of a response with rows. */
export function bodyOf(
	request: Request,
	paging: Paging,
	served: Served,
	readings: Readings,
	hidden: Deviation['hiddenRows'],
): unknown {
	const { endpoint } = request;
	const { page, size, hasMore, isExplicit } = served;
	const rows = served.rows.map((row) => rowOf(row, request, readings));
	const count = rows.length;
	const { rowsAt, noRows, missing } = readings;
	const isArray = rowsAt === 'bareArray';
	if (hidden === 'summary') return { ok: 1, payload: { kind: 'summary' } };
	if (isArray && !isExplicit && hidden === undefined) return rows;

	// The contract doesn't show which field of a preview contains the rows.
	const documented = endpoint === 'lookUp' ? 'data' : 'preview_data';
	const previewName = endpoint === 'preview' ? readings.preview.rowsAt : undefined;
	const rowsName = previewName ?? (rowsAt === 'contract' || isArray ? documented : rowsAt);
	const isNull = hidden === 'null' || (count === 0 && noRows === 'null');
	const total_count = totalOf(request, paging, served);
	const body = {
		success: true,
		count,
		[hidden === 'results' ? hidden : rowsName]: isNull ? null : rows,
		page,
		per_page: perPageOf(paging, served, readings),
		total_count,
		has_more: hasMore,
		next_page: hasMore ? served.next : null,
		...(endpoint !== 'preview' && {
			message: `Rows: ${count}`,
			total_pages: Math.ceil(total_count / size),
			max_results: paging.maxResults,
		}),
		...(endpoint === 'search' && { preview_count: count, search_id: null, counting: false }),
	};
	const isLeftOut = count === 0 && noRows === 'missing';
	// `next_page` also says whether more rows follow.
	const isSaidTwice = missing.includes('has_more') && !missing.includes('next_page');
	const implied = isSaidTwice ? (['has_more'] as const) : [];
	return without(body, [...(isExplicit ? implied : missing), ...(isLeftOut ? [rowsName] : [])]);
}

function rowOf(row: Row, { endpoint, body }: Request, readings: Readings): object {
	if (endpoint === 'preview') return previewRow(row, readings);
	return endpoint === 'search' ? leadRow(row, body) : lookUpRow(row, body, readings);
}

function without(fields: object, names: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function perPageOf(paging: Paging, served: Served, { perPage }: Readings): number {
	return perPage === 'asked' ? Math.max(paging.size, served.size) : served.size;
}

/** Returns `total_count`. A search doesn't count its matches (search rule 1). The size of other lists is known. */
function totalOf({ endpoint }: Request, { maxResults }: Paging, served: Served): number {
	const { rows, page, size, reach, isShort } = served;
	const maxRows = endpoint === 'search' ? maxResults : Math.min(reach, maxResults);
	const isKnown = endpoint === 'search' ? rows.length < size : isShort;
	return isKnown ? Math.min((page - 1) * size + rows.length, maxRows) : maxRows;
}
