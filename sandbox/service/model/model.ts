/** The model of the service: its answer to each request, and what that costs. No HTTP, no clock, no chance. */
import { DEFAULT_MAX_RESULTS } from '../contract';
import type { Filters, LookupRequest, SearchRequest } from '../contract';
import { bodyOf } from './body';
import { pageOf, type List } from './page';
import { contract, type Deviation, type Readings } from './readings';
import { findProfiles, type Row } from './rows';

/** A request that is let in, whose body fits its schema. */
export type Request =
	| { endpoint: 'preview'; body: SearchRequest }
	| { endpoint: 'search'; body: SearchRequest }
	| { endpoint: 'lookUp'; body: LookupRequest };

export interface State {
	/** What differs from the plain reading of the contract. */
	readonly readings?: Partial<Readings> | undefined;
	readonly deviation?: Deviation | undefined;
	readonly leads: (body: Filters) => List<Row>;
	readonly profiles: { get: (url: string) => Row | undefined };
	/** Orders the rows of a page of a lookup, for example at random; by their URLs unless given. */
	readonly order?: (rows: Row[]) => Row[];
	readonly credits: number;
}

export interface ModelResponse {
	status: number;
	body: unknown;
	/** Ids of the rows that were served, whether or not the body shows them. */
	rows: number[];
	/** Credits: one for each row, none in a preview. */
	charged: number;
}

export interface Ledger {
	credits: number;
	/** Ids of the rows that were charged, in order, one for each credit. */
	readonly charged: number[];
}

const PAGE_SIZES = { preview: 25, search: 25, lookUp: 100 };

/** What a body asks for, defaults filled in; of a body that doesn't fit its schema what can be read. */
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

/** Answers a request; `charge` takes the credits for it. */
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
	// The last page once more says that none follows, however many of its rows come.
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

/** An answer that says why there is no other, and costs nothing. */
export function reject(status: number, message: string): ModelResponse {
	return { status, body: { success: false, message }, rows: [], charged: 0 };
}

/** Takes the credits for an answer. No answer to a state with this balance costs more. */
export function charge(
	ledger: Ledger,
	{ rows, charged }: Pick<ModelResponse, 'rows' | 'charged'>,
): void {
	if (charged > ledger.credits)
		throw new RangeError(`${charged} credits are due, ${ledger.credits} are left`);
	ledger.credits -= charged;
	if (charged > 0) for (const id of rows) ledger.charged.push(id);
}

export function serve(service: State & Ledger, request: Request): ModelResponse {
	const response = respond(service, request);
	charge(service, response);
	return response;
}
