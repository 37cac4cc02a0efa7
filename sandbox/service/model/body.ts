/** The bodies of answers with rows (contract: "Endpoints"). */
import type { Asked, Request } from './model';
import type { Page } from './page';
import type { Deviation, Readings } from './readings';
import { leadRow, lookUpRow, previewRow, type Row } from './rows';

/** A page whose rows credits may have cut. */
export type Served = Page & { isShort: boolean };

export function bodyOf(
	request: Request,
	asked: Asked,
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

	// The contract doesn't show where a preview has its rows.
	const documented = endpoint === 'lookUp' ? 'data' : 'preview_data';
	const elsewhere = endpoint === 'preview' ? readings.preview.rowsAt : undefined;
	const named = elsewhere ?? (rowsAt === 'contract' || isArray ? documented : rowsAt);
	const isNull = hidden === 'null' || (count === 0 && noRows === 'null');
	const total_count = totalOf(request, asked, served);
	const body = {
		success: true,
		count,
		[hidden === 'results' ? hidden : named]: isNull ? null : rows,
		page,
		per_page: perPageOf(asked, served, readings),
		total_count,
		has_more: hasMore,
		next_page: hasMore ? served.next : null,
		...(endpoint !== 'preview' && {
			message: `Rows: ${count}`,
			total_pages: Math.ceil(total_count / size),
			max_results: asked.maxResults,
		}),
		...(endpoint === 'search' && { preview_count: count, search_id: null, counting: false }),
	};
	const isLeftOut = count === 0 && noRows === 'missing';
	// Whether more rows follow is said by `next_page` as well.
	const isSaidTwice = missing.includes('has_more') && !missing.includes('next_page');
	const implied = isSaidTwice ? (['has_more'] as const) : [];
	return without(body, [...(isExplicit ? implied : missing), ...(isLeftOut ? [named] : [])]);
}

function rowOf(row: Row, { endpoint, body }: Request, readings: Readings): object {
	if (endpoint === 'preview') return previewRow(row, readings);
	return endpoint === 'search' ? leadRow(row, body) : lookUpRow(row, body, readings);
}

function without(fields: object, names: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function perPageOf(asked: Asked, served: Served, { perPage }: Readings): number {
	return perPage === 'asked' ? Math.max(asked.size, served.size) : served.size;
}

/** Search rule 1: a search doesn't count. Other lists are known as a whole, unless credits end them. */
function totalOf({ endpoint }: Request, { maxResults }: Asked, served: Served): number {
	const { rows, page, size, reach, isShort } = served;
	const most = endpoint === 'search' ? maxResults : Math.min(reach, maxResults);
	const isKnown = endpoint === 'search' ? rows.length < size : isShort;
	return isKnown ? Math.min((page - 1) * size + rows.length, most) : most;
}
