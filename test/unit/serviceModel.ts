/**
 * A lead service in memory, written from the contract alone: numbered rows, a balance, and the
 * liberties that the contract leaves open.
 */
import fc from 'fast-check';

import { MAX_RESULTS, type PageAnswer } from '../../nodes/LeadSearch/service/contract';
import type { Outcome } from '../../nodes/LeadSearch/service/failures';
import type { PageAsk } from '../../nodes/LeadSearch/service/paging';

export interface ServiceModel {
	/** Rows that match. */
	rows: number;
	/** Credits left; a service spends them down. */
	balance: number;
	/** The largest page that it serves; it clamps larger ones. */
	mostPerPage: number;
	/** Whether it tells by which page size it counted. */
	tellsPerPage: boolean;
	/** Whether it names the page that it answers. */
	tellsPage: boolean;
	/** Whether `max_results` ends the list. */
	heedsMaxResults: boolean;
	/**
	 * How `has_more` is known: from whether the page is full (as rule 1 knows `total_count`), or
	 * from the rows that really follow, paid for or not.
	 */
	hasMoreBy: 'fullPage' | 'rowsThatFollow';
	/** Whether an empty balance gives 402 even where no row is left to sell. */
	refusesEmptyBalance: boolean;
}

export const plainService: ServiceModel = {
	rows: 1_000_000,
	balance: Infinity,
	mostPerPage: Infinity,
	tellsPerPage: true,
	tellsPage: true,
	heedsMaxResults: true,
	hasMoreBy: 'fullPage',
	refusesEmptyBalance: false,
};

/** Answers a request for a page and charges for its rows. */
export function serve(
	service: ServiceModel,
	ask: PageAsk,
	maxResults: number,
): Outcome<PageAnswer> {
	const size = Math.min(ask.size, service.mostPerPage);
	const start = (ask.page - 1) * size;
	const last = service.heedsMaxResults ? Math.min(service.rows, maxResults) : service.rows;
	const available = Math.max(0, Math.min(size, last - start));
	if (service.balance < 1 && (available > 0 || service.refusesEmptyBalance)) {
		return { failure: { kind: 'noCredits', status: 402 } };
	}
	const given = Math.min(available, service.balance);
	service.balance -= given;

	const mostTotal = service.heedsMaxResults ? maxResults : MAX_RESULTS;
	const hasMore =
		service.hasMoreBy === 'fullPage'
			? given === size && start + given < mostTotal
			: start + size < last;
	const answer: PageAnswer = {
		rows: Array.from({ length: given }, (_, index) => ({ number: start + index + 1 })),
		hasMore,
		nextPage: hasMore ? ask.page + 1 : null,
	};
	if (service.tellsPage) answer.page = ask.page;
	if (service.tellsPerPage) answer.perPage = size;
	return { value: answer };
}

/** The numbers of a model's rows. */
export function numbersOf(rows: PageAnswer['rows']): number[] {
	return rows.map((row) => Number(row.number));
}

/** From `first` to `last`, both included. */
export function range(first: number, last: number): number[] {
	return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Services that follow the contract, each with liberties of its own. */
export function services(fixed: Partial<ServiceModel> = {}): fc.Arbitrary<ServiceModel> {
	return fc
		.record({
			rows: fc.nat(400),
			balance: fc.oneof(fc.constant(Infinity), fc.nat(400)),
			mostPerPage: fc.constant(Infinity),
			tellsPerPage: fc.boolean(),
			tellsPage: fc.boolean(),
			heedsMaxResults: fc.boolean(),
			hasMoreBy: fc.constantFrom('fullPage' as const, 'rowsThatFollow' as const),
			refusesEmptyBalance: fc.boolean(),
		})
		.map((service) => ({ ...service, ...fixed }));
}

/** What a user asks for. Small numbers, so that pages, ends and limits meet often. */
export interface Wish {
	skip: number;
	/** Limit; Infinity for Return All. */
	rows: number;
	pageSize: number;
	/** Credit Budget; Infinity without one. */
	budget: number;
}

export function wishes(fixed: Partial<Wish> = {}): fc.Arbitrary<Wish> {
	return fc
		.record({
			skip: fc.oneof(fc.constant(0), fc.nat(300)),
			rows: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 400 })),
			pageSize: fc.oneof(
				fc.constantFrom(1, 10, 25, 100, 1_000),
				fc.integer({ min: 1, max: 120 }),
			),
			budget: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 400 })),
		})
		.map((wish) => ({ ...wish, ...fixed }));
}

/** `max_results` for a wish: Skip and Limit together, at most what a search can reach. */
export function maxResultsOf({ skip, rows }: Wish): number {
	return Math.min(skip + rows, MAX_RESULTS);
}

/** The numbers of the rows that a wish is after and that exist. */
export function wantedRows(wish: Wish, service: ServiceModel): number[] {
	return range(wish.skip + 1, Math.min(maxResultsOf(wish), service.rows));
}
