/** The model of the service: the response to each request, and its cost. Pure: no HTTP, no clock, no random numbers. */
import { DEFAULT_MAX_RESULTS } from '../contract';
import type { Filters, LookupRequest, SearchRequest } from '../contract';
import { bodyOf } from './body';
import { pageOf, type List } from './page';
import { contract, type Deviation, type Readings } from './readings';
import { findProfiles, type Row } from './rows';

/** A request with an accepted credential and a valid body. */
export type Request =
	| { endpoint: 'preview'; body: SearchRequest }
	| { endpoint: 'search'; body: SearchRequest }
	| { endpoint: 'lookUp'; body: LookupRequest };

/** The state of the service that a response depends on. */
export interface State {
	/** Differences from the plain reading of the contract. */
	readonly readings?: Partial<Readings> | undefined;
	readonly deviation?: Deviation | undefined;
	readonly leads: (body: Filters) => List<Row>;
	readonly profiles: { get: (url: string) => Row | undefined };
	/** Changes the order of the rows in a page of a lookup. By default, it is the order of the URLs. */
	readonly order?: (rows: Row[]) => Row[];
	readonly credits: number;
}

/** A response and its cost. */
export interface ModelResponse {
	status: number;
	body: unknown;
	/** IDs of all rows of the response, even if the body doesn't show them. */
	rows: number[];
	/** Credits: 1 for each row, 0 in a preview. */
	charged: number;
}

/** A balance and what was charged. */
export interface Ledger {
	credits: number;
	/** IDs of the charged rows in order, one for each credit. */
	readonly charged: number[];
}

const PAGE_SIZES = { preview: 25, search: 25, lookUp: 100 };

/** Reads the requested page, page size and `max_results` with defaults. Ignores invalid fields. */
export function readPaging(endpoint: Request['endpoint'], body: unknown) {
	const { _page, _per_page, max_results, linkedinUrls: urls } = Object(body) as LookupRequest;
	const numberOr = (value: unknown, fallback: number) =>
		typeof value === 'number' ? value : fallback;
	const listed = Array.isArray(urls) ? urls.length : 0;
	const maxResults = numberOr(max_results, listed || DEFAULT_MAX_RESULTS);
	return {
		page: numberOr(_page, 1),
		size: numberOr(_per_page, PAGE_SIZES[endpoint]),
		maxResults: endpoint === 'preview' ? Infinity : maxResults,
	};
}
export type Paging = ReturnType<typeof readPaging>;

/** Returns the response to a request. It isn't charged yet: see `charge`. */
export function respond(state: State, request: Request): ModelResponse {
	const { endpoint, body } = request;
	const readings = { ...contract, ...state.readings };
	const { pageSize, tooLarge, zeroBalance, lowBalance, lowSays } = readings;
	const { emptyAtZero, hiddenRows } = state.deviation ?? {};
	const paging = readPaging(endpoint, body);
	const isLookUp = endpoint === 'lookUp';
	const isFree = endpoint === 'preview';
	const credits = isFree ? Infinity : state.credits;
	const noCredits = reject(402, 'Not enough credits');
	if (credits < 1 && zeroBalance === 'refusesAll' && !emptyAtZero) return noCredits;
	if (tooLarge !== 'cut' && pageSize > 0 && paging.size > pageSize)
		return reject(tooLarge, `_per_page must be at most ${pageSize}`);

	const list = isLookUp
		? findProfiles(state, body, readings)
		: state.leads(isFree ? { ...body, email_status: 'all' } : body);
	const page = pageOf(request, paging, list, readings, state.deviation);
	if (page.refused !== undefined) return reject(page.refused, `There is no page ${paging.page}`);

	const orderedRows = (isLookUp ? state.order?.(page.rows) : undefined) ?? page.rows;
	const isShort = credits < orderedRows.length;
	const isEmptied = isShort && credits < 1 && emptyAtZero !== undefined;
	const isRefused = credits < 1 || (isLookUp && lowBalance === 'lookUpRefused');
	if (isShort && isRefused && !isEmptied) return noCredits;
	const rows = orderedRows.slice(0, credits);
	// If the last page is repeated, it says that no page follows, even if it is truncated.
	const isCut = isShort && rows.length > 0 && !isLookUp && !page.isLastAgain;
	const saysMore = isEmptied ? emptyAtZero === 'more' : isCut && lowSays !== 'end';
	const served = {
		...page,
		rows,
		isShort,
		hasMore: isShort ? saysMore : page.hasMore,
		isExplicit: page.isExplicit || isEmptied || saysMore,
	};
	return {
		status: 200,
		body: bodyOf(request, paging, served, readings, hiddenRows),
		rows: rows.map(({ id }) => id),
		charged: isFree ? 0 : rows.length,
	};
}

/** Returns an error response. It is free. */
export function reject(status: number, message: string): ModelResponse {
	return { status, body: { success: false, message }, rows: [], charged: 0 };
}

/** Charges a response. @throws RangeError if the balance is too low, which `respond` prevents */
export function charge(
	ledger: Ledger,
	{ rows, charged }: Pick<ModelResponse, 'rows' | 'charged'>,
): void {
	if (charged > ledger.credits)
		throw new RangeError(`${charged} credits are due, ${ledger.credits} are left`);
	ledger.credits -= charged;
	if (charged > 0) for (const id of rows) ledger.charged.push(id);
}

/** Responds to a request and charges the response. */
export function serve(service: State & Ledger, request: Request): ModelResponse {
	const response = respond(service, request);
	charge(service, response);
	return response;
}
