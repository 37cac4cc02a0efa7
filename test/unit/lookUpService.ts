/**
 * A LinkedIn lookup in memory, written from the contract alone: profiles, a balance, and a switch for
 * each place at which the contract is silent.
 */
import { UrlBatches, type BatchRequest } from '../../nodes/LeadSearch/api/batches';
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { CreditAccount, creditsLeft } from '../../nodes/LeadSearch/api/credits';
import type { Outcome } from '../../nodes/LeadSearch/api/failures';
import { ProfileRows, type UrlState } from '../../nodes/LeadSearch/api/profileRows';
import { readPage } from '../../nodes/LeadSearch/api/response';
import { fetchAll, type Fetched, type Setting } from './fetching';

/** What the service has for a URL: nothing, a row, two rows, or a row under another URL. */
export type Profile = 'none' | 'one' | 'two' | 'renamed';

export interface LookUpService {
	/** By number of the URL; those behind the last have one row. */
	profiles: readonly Profile[];
	/** Credits left. */
	balance: number;
	/** Whether a page is so many of the URLs or so many of the rows found. */
	pagesOf: 'urls' | 'rows';
	/** The largest page that it serves; it cuts larger ones to this size. */
	cap: number;
	/** Whether it serves pages no larger than the balance. */
	capsByBalance?: boolean;
	/** It refuses requests with more URLs. */
	refusesAbove: number;
	/** Whether it answers the first page whatever `_page` is. */
	ignoresPage: boolean;
	/** Whether a page number behind the end gets the last page. */
	repeatsLastPage: boolean;
	/** What `per_page` is: the size served, the size requested, or a count of the rows. */
	perPage: 'served' | 'absent' | 'requested' | 'count';
	/** Whether it names the page that it answers. */
	namesPage: boolean;
	heedsMaxResults: boolean;
	/** Whether `has_more` is known from a full page or from the rows that follow. */
	hasMoreBy: 'fullPage' | 'rowsThatFollow';
	/** Whether `has_more` is false once the balance is zero. */
	deniesMoreAtZero: boolean;
	/** Whether a balance of zero gives 402 to anything, or only where a row is due. */
	refusesAllAtZero: boolean;
}

/** A service that finds everything, in one page. */
export const plainLookUp: LookUpService = {
	profiles: [],
	balance: Infinity,
	pagesOf: 'rows',
	cap: Infinity,
	refusesAbove: Infinity,
	ignoresPage: false,
	repeatsLastPage: false,
	perPage: 'served',
	namesPage: true,
	heedsMaxResults: true,
	hasMoreBy: 'fullPage',
	deniesMoreAtZero: false,
	refusesAllAtZero: false,
};

interface LookUpBody {
	linkedinUrls: readonly string[];
	_page: number;
	_per_page: number;
	max_results: number;
}

/** Answers a request and charges for its rows. */
export function lookUp(service: LookUpService, body: LookUpBody): Outcome<Json> {
	const { linkedinUrls, _page, _per_page, max_results } = body;
	if (linkedinUrls.length > service.refusesAbove) {
		return { failure: { kind: 'refused', status: 422 } };
	}
	const cap = service.capsByBalance ? Math.max(1, service.balance) : Infinity;
	const size = Math.min(_per_page, service.cap, cap);
	const most = service.heedsMaxResults ? max_results : Infinity;
	const found = linkedinUrls.flatMap((url) => rowsFor(service, url)).slice(0, most);
	const pages =
		service.pagesOf === 'rows'
			? inPages(found, size)
			: inPages(linkedinUrls, size).map((urls) =>
					urls
						.flatMap((url) => rowsFor(service, url))
						.filter(({ id }) => found.some((row) => row.id === id)),
				);
	let page = service.ignoresPage ? 1 : _page;
	if (service.repeatsLastPage) page = Math.min(page, Math.max(1, pages.length));
	const due = pages[page - 1] ?? [];
	if (service.balance < 1 && (due.length > 0 || service.refusesAllAtZero)) {
		return { failure: { kind: 'noCredits', status: 402 } };
	}
	const data = due.slice(0, service.balance);
	service.balance -= data.length;
	const later = pages.slice(page).flat();
	const follows =
		service.hasMoreBy === 'rowsThatFollow'
			? later.length > 0 || data.length < due.length
			: service.pagesOf === 'urls'
				? page < pages.length
				: data.length >= size && later.length > 0;
	const hasMore = follows && !(service.deniesMoreAtZero && service.balance < 1);
	return {
		value: {
			success: true,
			count: data.length,
			data,
			...(service.namesPage && { page }),
			...(service.perPage !== 'absent' && {
				per_page: { served: size, requested: _per_page, count: data.length }[
					service.perPage
				],
			}),
			has_more: hasMore,
			next_page: hasMore ? page + 1 : null,
		},
	};
}

function inPages<Member>(members: readonly Member[], size: number): Member[][] {
	return Array.from({ length: Math.ceil(members.length / size) }, (_, page) =>
		members.slice(page * size, (page + 1) * size),
	);
}

/** The URL of a number, from 0. */
export const urlOf = (number: number) => `https://www.linkedin.com/in/p${number}`;

const numberOf = (url: string) => Number(url.slice(url.lastIndexOf('p') + 1));

export function profileOf({ profiles }: Pick<LookUpService, 'profiles'>, url: string): Profile {
	return profiles[numberOf(url)] ?? 'one';
}

function rowsFor(service: LookUpService, url: string): Array<{ id: string; linkedin_url: string }> {
	const row = (id: string) => ({ id, linkedin_url: url });
	return {
		none: [],
		one: [row(url)],
		two: [row(`${url} a`), row(`${url} b`)],
		renamed: [{ id: url, linkedin_url: `${url}-renamed` }],
	}[profileOf(service, url)];
}

/** What a user asks for. */
export interface Wish {
	/** Number of URLs. */
	urls: number;
	/** Infinity for Return All. */
	limit: number;
	pageSize: number;
	/** Credit Budget; Infinity without one. */
	budget: number;
}

export interface FetchedProfiles extends Fetched<BatchRequest> {
	urls: string[];
	profiles: ProfileRows;
	pagination: UrlBatches;
	credits: CreditAccount;
	/** Rows that the service charged for. */
	chargedByService: number;
	/** Rows that came, once or twice. */
	received: number;
	/** The URLs of which this is known, in the order of the request. */
	inState: (state: UrlState) => string[];
	/** URLs that came back in none of the ways. */
	missing: string[];
	/** Requests for more rows than were left of Limit or Credit Budget. */
	overspent: Array<{ requested: number; left: number }>;
	/** URLs that were requested anew although nothing more was to be had for them. */
	requestedAgain: string[];
}

/** The size that the contract documents is 100; the tests are about smaller numbers. */
export const DOCUMENTED = 10;

/** Looks URLs up. */
export async function fetchProfiles(
	service: LookUpService,
	{ urls: count, limit, pageSize, budget }: Wish,
	setting: Setting = {},
): Promise<FetchedProfiles> {
	const urls = Array.from({ length: count }, (_, number) => urlOf(number));
	const profiles = new ProfileRows();
	const credits = new CreditAccount();
	const pagination = new UrlBatches({
		urls,
		limit,
		profiles,
		pageSize,
		documentedPageSize: DOCUMENTED,
		urlOf: ({ linkedin_url: url }) => (typeof url === 'string' ? url : undefined),
		shape: (row) => row,
	});
	const overspent: FetchedProfiles['overspent'] = [];
	const requestedAgain: string[] = [];
	let received = 0;
	let chargedByService = 0;
	const fetched = await fetchAll<BatchRequest>({
		...setting,
		credits,
		budget,
		pagination: {
			next: (left, inFlight) => pagination.next(left, inFlight),
			accept: (request, page) => {
				received += page.rows.length;
				return pagination.accept(request, page);
			},
			fail: (request, failure) => pagination.fail(request, failure),
			halve: (request) => {
				pagination.halve(request);
			},
			get rows() {
				return pagination.rows;
			},
		},
		serve(request) {
			const outcome = lookUp(service, {
				linkedinUrls: request.urls,
				_page: request.page,
				_per_page: request.size,
				max_results: request.maxRows,
			});
			if ('failure' in outcome) return outcome;
			chargedByService += Number(outcome.value.count);
			return readPage(outcome.value, 'lookUp');
		},
		onSend(request, inFlight) {
			const requested = [request, ...inFlight].reduce((sum, { size }) => sum + size, 0);
			const left = Math.min(limit - received, creditsLeft(budget, credits));
			if (requested > left) overspent.push({ requested, left });
			if (request.page > 1) return;
			requestedAgain.push(...request.urls.filter((url) => profiles.stateOf(url) !== 'open'));
		},
	});
	return {
		...fetched,
		urls,
		profiles,
		inState: (state) => urls.filter((url) => profiles.stateOf(url) === state),
		pagination,
		credits,
		chargedByService,
		received,
		missing: pagination.missing(),
		overspent,
		requestedAgain,
	};
}
