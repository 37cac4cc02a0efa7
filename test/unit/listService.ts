/**
 * A lead search in memory, written from the contract alone: numbered rows, a balance, and a switch for
 * each place at which the contract is silent.
 */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { CreditAccount, creditsLeft } from '../../nodes/LeadSearch/api/credits';
import type { Outcome } from '../../nodes/LeadSearch/api/failures';
import { ListRows } from '../../nodes/LeadSearch/api/listRows';
import { ListPagination } from '../../nodes/LeadSearch/api/listPagination';
import type { PageRequest } from '../../nodes/LeadSearch/api/pageRequest';
import { countRows, type RowRange } from '../../nodes/LeadSearch/api/ranges';
import { readPage } from '../../nodes/LeadSearch/api/response';
import { fetchAll, type Fetched, type Setting } from './fetching';

export interface ListService {
	/** Rows that match. */
	rows: number;
	/** Credits left. */
	balance: number;
	/** The largest page that it serves; it cuts larger ones to this size. */
	cap: number;
	/** From this page number on, pages are counted by a smaller size. */
	laterCap?: { page: number; size: number };
	/** The size of all pages, where `_per_page` is ignored. */
	fixedSize?: number;
	/** The smallest page that it serves; it fills smaller ones up to this size. */
	smallest: number;
	/** The page sizes that it serves; others it takes for the next larger one, or for the largest. */
	allowedSizes?: readonly number[];
	/** Whether a page without rows names neither its number nor its size. */
	isEmptyBare: boolean;
	/** Whether pages are counted by a size that is no larger than the balance. */
	shrinks?: boolean;
	/** Whether a balance of zero gives a page without rows, not 402. */
	isEmptyAtZero?: boolean;
	/** It refuses larger pages. */
	refusesAbove: number;
	/** Whether a page of another size than requested begins where the one requested does, or before. */
	renumbers?: boolean;
	/** Whether it answers the first page whatever `_page` is. */
	ignoresPage: boolean;
	/** What a page number behind the end gets: an empty page, the last page again, or 404. */
	behindEnd: 'empty' | 'lastPage' | 'firstPage' | 'notFound';
	/** Rows that a page holds beyond its size; the next page starts where it always does. */
	extra: number;
	/**
	 * What `per_page` is: the size served, the size requested, or a count of the rows; 'cut': the
	 * size served, but a count of the rows where the balance was not enough.
	 */
	perPage: 'served' | 'absent' | 'requested' | 'count' | 'cut';
	/** What `page` is. */
	page: 'served' | 'absent' | 'requested';
	heedsMaxResults: boolean;
	/** Whether `has_more` is known from a full page (as rule 1 knows `total_count`) or from the rows. */
	hasMoreBy: 'fullPage' | 'rowsThatFollow';
	/** Whether `has_more` is false once the balance is zero. */
	deniesMoreAtZero: boolean;
	/** Whether a balance of zero gives 402 to anything, or only where a row is due. */
	refusesAllAtZero: boolean;
}

/** A service that does everything as requested. */
export const plainList: ListService = {
	rows: 1_000_000,
	balance: Infinity,
	cap: Infinity,
	smallest: 1,
	isEmptyBare: false,
	refusesAbove: Infinity,
	ignoresPage: false,
	behindEnd: 'empty',
	extra: 0,
	perPage: 'served',
	page: 'served',
	heedsMaxResults: true,
	hasMoreBy: 'fullPage',
	deniesMoreAtZero: false,
	refusesAllAtZero: false,
};

interface SearchBody {
	_page: number;
	_per_page: number;
	max_results: number;
}

/** The size of the pages that a service serves to a request. */
function servedSize(
	service: ListService,
	{ _page, _per_page }: Omit<SearchBody, 'max_results'>,
): number {
	const { cap, laterCap, fixedSize, smallest, allowedSizes } = service;
	const later = laterCap && _page >= laterCap.page ? laterCap.size : Infinity;
	const size = fixedSize ?? Math.min(Math.max(_per_page, smallest), cap, later);
	return allowedSizes?.find((allowed) => allowed >= size) ?? allowedSizes?.at(-1) ?? size;
}

/** Answers a request and charges for its rows. */
export function search(service: ListService, body: SearchBody): Outcome<Json> {
	const { _page, _per_page, max_results } = body;
	if (_per_page > service.refusesAbove) return { failure: { kind: 'refused', status: 422 } };
	const sizeServed = servedSize(service, body);
	const size = service.shrinks ? Math.max(1, Math.min(sizeServed, service.balance)) : sizeServed;
	const last = service.heedsMaxResults ? Math.min(service.rows, max_results) : service.rows;
	const own = service.renumbers ? Math.floor(((_page - 1) * _per_page) / size) + 1 : _page;
	let page = service.ignoresPage ? 1 : own;
	const lastPage = Math.max(1, Math.ceil(last / size));
	if (page > lastPage && service.behindEnd === 'lastPage') page = lastPage;
	if (page > lastPage && service.behindEnd === 'firstPage') page = 1;
	if (page > lastPage && service.behindEnd === 'notFound') {
		return { failure: { kind: 'notTheService', status: 404 } };
	}
	const start = (page - 1) * size;
	const due = Math.max(0, Math.min(size + service.extra, last - start));
	const isRefused = service.balance < 1 && (due > 0 || service.refusesAllAtZero);
	if (isRefused && !service.isEmptyAtZero) {
		return { failure: { kind: 'noCredits', status: 402 } };
	}
	const count = Math.min(due, service.balance);
	const isBare = service.isEmptyBare && count === 0;
	service.balance -= count;
	const reach = service.heedsMaxResults ? max_results : Infinity;
	const follows =
		service.hasMoreBy === 'fullPage'
			? count >= size && start + size < reach
			: start + Math.min(count, size) < last;
	const hasMore = follows && !(service.deniesMoreAtZero && service.balance < 1);
	return {
		value: {
			success: true,
			count,
			preview_data: numbered(start + 1, start + count).map((number) => ({ number })),
			...(service.page !== 'absent' &&
				!isBare && { page: service.page === 'served' ? page : _page }),
			...(service.perPage !== 'absent' &&
				!isBare && {
					per_page: {
						served: size,
						requested: _per_page,
						count,
						cut: count < due ? count : size,
					}[service.perPage],
				}),
			has_more: hasMore,
			next_page: hasMore ? page + 1 : null,
		},
	};
}

/** What a user asks for. */
export interface Wish {
	skip: number;
	/** Infinity for Return All. */
	limit: number;
	pageSize: number;
	/** Credit Budget; Infinity without one. */
	budget: number;
	/** Whether it is a preview. */
	isFree?: boolean;
	/** Rows that came before. */
	held?: RowRange[];
}

export interface FetchedList extends Fetched<PageRequest> {
	rows: ListRows;
	pagination: ListPagination;
	credits: CreditAccount;
	/** Rows that the service charged for. */
	chargedByService: number;
	/** Rows that came, once or twice. */
	received: number;
	/** Numbers of the wanted rows that came, in order. */
	came: number[];
	/** Places, counted from 1, of the wanted rows that came. */
	places: number[];
	/** The same of those that are said to be missing, as far as they exist. */
	missing: number[];
	/** Rows that stand at a place that is not theirs: place and number. */
	misplaced: Array<[place: number, number: number]>;
	/** Requests for more rows than were left of Limit or Credit Budget. */
	overspent: Array<{ requested: number; left: number }>;
	/** Whether a page came in another size than requested, and nothing showed it. */
	isBlind: boolean;
}

/** Where Return All ends. */
const END = 100_000;

/** No list of the property tests that look at places is longer. */
const LONGEST = 450;

/** Fetches a list of the service. */
export async function fetchList(
	service: ListService,
	wish: Wish,
	setting: Setting = {},
): Promise<FetchedList> {
	const { skip, limit, pageSize, budget, isFree = false, held = [] } = wish;
	if (isFree) service.balance = Infinity;
	const wanted = { from: skip, to: Math.min(skip + limit, END) };
	const rows = new ListRows();
	for (const { from, to } of held) {
		rows.add(
			from,
			numbered(from + 1, to).map((number) => ({ number })),
		);
	}
	const credits = new CreditAccount();
	const pagination = new ListPagination({
		wanted,
		isReturnAll: !Number.isFinite(limit),
		rows,
		pageSize,
		documentedPageSize: 25,
		costsCredits: !isFree,
		shape: (row) => row,
	});
	const wantedRows = Number.isFinite(limit) ? countRows(pagination.missing()) : Infinity;
	const overspent: FetchedList['overspent'] = [];
	let received = 0;
	let chargedByService = 0;
	let isBlind = false;
	let isCapShown = false;
	const unclear: RowRange[] = [];

	const bodyOf = ({ page, size, isSizeProbe, isPageProbe }: PageRequest) => ({
		_page: page,
		_per_page: size,
		max_results: isFree ? Infinity : isSizeProbe || isPageProbe ? 1 : wanted.to,
	});
	const fetched = await fetchAll<PageRequest>({
		...setting,
		pagination: {
			next: (left, inFlight) => pagination.next(left, inFlight),
			accept: (request, page, inFlight) => {
				received += page.rows.length;
				const accepted = pagination.accept(request, page, inFlight);
				// Which rows these are may be what can't be known.
				if (accepted.violation !== undefined && page.violation === undefined) {
					unclear.push({ from: request.offset, to: request.offset + page.rows.length });
				}
				return accepted;
			},
			fail: (request, failure) => pagination.fail(request, failure),
			halve: (request) => {
				pagination.halve(request);
			},
			get rows() {
				return pagination.rows;
			},
		},
		...(!isFree && { credits }),
		budget,
		serve(request) {
			const served = servedSize(service, bodyOf(request));
			const outcome = search(service, bodyOf(request));
			if ('failure' in outcome) return outcome;
			const { count } = outcome.value as { count: number };
			chargedByService += count;
			if (served < request.size && request.page === 1) isCapShown = true;
			else if (served !== request.size && !isNamed(service, served, outcome.value)) {
				isBlind ||= !isCapShown || served > request.size || service.perPage === 'served';
			}
			// A count of rows that a low balance cut off looks like a page size.
			const isCut = count > 0 && count < request.size && outcome.value.has_more === true;
			isBlind ||= ['count', 'cut'].includes(service.perPage) && isCut && request.page > 1;
			return readPage(outcome.value, isFree ? 'preview' : 'search');
		},
		onSend(request, inFlight) {
			const requested = [request, ...inFlight].reduce((sum, { size }) => sum + size, 0);
			const left = Math.min(
				wantedRows - (isFree ? pagination.rows : received),
				isFree ? Infinity : creditsLeft(budget, credits),
			);
			if (requested > left) overspent.push({ requested, left });
		},
	});
	const rowAt = (place: number) => rows.at(place - 1)?.number;
	return {
		...fetched,
		rows,
		pagination,
		credits,
		chargedByService,
		received,
		overspent,
		isBlind,
		get came() {
			return [...rows.of(wanted)].map(({ number }) => Number(number));
		},
		get places() {
			return numbered(wanted.from + 1, Math.min(wanted.to, LONGEST)).filter(
				(place) => rowAt(place) !== undefined,
			);
		},
		get missing() {
			return pagination
				.missing()
				.flatMap(({ from, to }) => numbered(from + 1, Math.min(to, service.rows)));
		},
		get misplaced() {
			return numbered(1, LONGEST).flatMap((place): Array<[number, number]> => {
				const number = Number(rowAt(place) ?? place);
				const isKnown = !unclear.some(({ from, to }) => place > from && place <= to);
				return isKnown && number !== place ? [[place, number]] : [];
			});
		},
	};
}

/** Whether a response names its page size so that it can't be taken for a count of its rows. */
function isNamed({ perPage }: ListService, served: number, response: Json): boolean {
	const { count, has_more: hasMore } = response;
	if (perPage === 'count') return Number(count) > served;
	return perPage === 'served' && (count !== served || hasMore === true);
}

/** The numbers of the rows that a wish is after and that exist. */
export function wantedRows({ skip, limit }: Wish, { rows }: ListService): number[] {
	return numbered(skip + 1, Math.min(skip + limit, END, rows));
}

/** From `first` to `last`, both included. */
export function numbered(first: number, last: number): number[] {
	return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** All rows, 1,000 a page, without a budget, unless said otherwise. */
export function wish(fields: Partial<Wish> = {}): Wish {
	return { skip: 0, limit: Infinity, pageSize: 1_000, budget: Infinity, ...fields };
}

/** Page and size of each request, which is how a reader counts rows. */
export function pagesOf(requests: readonly PageRequest[]): string[] {
	return requests.map((request) =>
		isProbe(request) ? `probe of ${request.size}` : `page ${request.page} of ${request.size}`,
	);
}

/** Whether a page behind the end of any list is requested. */
export function isProbe({ page, size }: PageRequest): boolean {
	return (page - 1) * size > 1_000_000_000;
}
