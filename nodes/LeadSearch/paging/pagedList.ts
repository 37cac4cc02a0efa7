/** The base class of all lists: requests in flight, cost, and size limits. */
import { ENDPOINTS, type Endpoint, type Json, type Page } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import type { PageRequest } from './job';

/**
 * The text for users about an unexpected response of the service. `advice` is set if users can do something other
 * than contact the service. Example: { text: 'it sent page 2 instead of the requested page 3' }.
 */
export interface Violation {
	text: string;
	advice?: string;
}

/** The cost of a list in a run. One row costs one credit, except in previews, which are free. */
export interface Cost {
	/** The number of rows received. */
	charged: number;
	/** The number of rows among `charged` that were wasted, because the list had them already. */
	wasted: number;
	/**
	 * The number of rows (Look Up: URLs) in the requests without a usable response, because it was lost or couldn't be
	 * read. The service may have charged for them, so they count as spent.
	 */
	possiblyCharged: number;
	/** The number of responses that were lost or unusable. */
	lostResponses: number;
	/**
	 * The failure of the last request without a usable response. A request that was lost because the user cancelled the
	 * execution isn't recorded here.
	 */
	lastLoss?: Failure;
	/** The number of requests sent, including retries. */
	requests: number;
}

export const NO_COST: Readonly<Cost> = {
	charged: 0,
	wasted: 0,
	possiblyCharged: 0,
	lostResponses: 0,
	requests: 0,
};

/** Estimated memory that a row takes in addition to its JSON. */
const ROW_OVERHEAD_BYTES = 200;

/**
 * The size above which a response is too large: reading it blocks n8n for too long, so the next requests are smaller.
 */
const LARGE_RESPONSE_BYTES = 10_000_000;

/**
 * The request sizes (rows, or URLs for Look Up) at which responses were lost, so that the next requests are smaller.
 * A lost response may have been charged, and a smaller request costs less if it is lost, too. After a loss, a request
 * has at most half of `lostSize`, and at most `sizeBeforeLoss`. A request of the documented size (25 rows, or 100
 * URLs) is always allowed.
 *
 * @example
 * // Page Size is 1,000. Pages of 200 rows were received before, in earlier runs.
 * { lostSize: 1000, sizeBeforeLoss: 200 } // the next request has at most 200 rows
 * { lostSize: 1000, sizeBeforeLoss: 0 } // the next request has at most 25 rows
 */
export interface LossHistory {
	/**
	 * The size of the smallest request that lost its response; Infinity if none was lost. Requests up to the
	 * documented size don't count.
	 */
	lostSize: number;
	/**
	 * The largest size that earlier runs have received. A loss in this run sets it to 0, because the sizes of earlier
	 * runs are then no evidence any more.
	 */
	sizeBeforeLoss: number;
}

/**
 * A list stores the known facts about each key in a cell: the rows that were received, or that there are none. A key
 * is the index of a row (search, preview) or the URL of a profile (Look Up). A key has no cell if it wasn't requested
 * yet, if its request is in flight, or if its request has failed. The next request, the missing rows, and the keys
 * from which a later run continues are derived from the cells.
 *
 * Each request goes through these methods:
 *
 * - `reserve`: the request is about to be sent.
 * - `settle`: a response was received. Its rows fill the cells.
 * - `release`, then `fail`: the request has failed. `release` makes its keys available again. `fail` decides whether
 *   the list continues with another request.
 *
 * @example
 * list.reserve(request);
 * list.settle(request, { rows: [{ full_name: 'Anna Bell' }], hasMore: false });
 * list.cost; // { charged: 1, wasted: 0, possiblyCharged: 0, lostResponses: 0, requests: 1 }
 */
export abstract class PagedList<Key = unknown> {
	/** The rows that this run reuses, because earlier runs have paid for them. */
	readonly reusedRows = new Set<Json>();
	readonly inFlight = new Set<PageRequest<Key>>();
	readonly cost: Cost = { ...NO_COST };
	/**
	 * The largest page size that the service is known to accept. It starts with the documented size (25 rows) and grows
	 * with the largest page received. If the service reports a smaller page size, that size is used. Look Up: the
	 * number of URLs in one request that the service certainly looks up (100, or more).
	 */
	confirmedSize: number;
	/**
	 * The largest size of a request that isn't known to be too large: the service may refuse larger pages, or (Look Up)
	 * the account may not have enough credits for a larger request. Infinity if nothing is known.
	 */
	sizeLimit = Infinity;
	/**
	 * A size limit that later responses raise again. It has two causes:
	 *
	 * - A request that can't have been charged failed: a gateway answered 502 or 503, or the response of a free preview
	 *   was lost. The limit is then half of the size of that request, but at least the documented size.
	 * - Responses are large. The limit is then the number of such rows that fit into {@link LARGE_RESPONSE_BYTES}.
	 *
	 * Each response with rows doubles the limit, up to that number of rows.
	 */
	private temporaryLimit = Infinity;
	lossHistory: LossHistory = { lostSize: Infinity, sizeBeforeLoss: 0 };
	/**
	 * Estimated memory of the received rows, in bytes. The cache of paid results adds this number to the size of its
	 * entry for the search, and then sets it to 0, so that no row is counted twice.
	 */
	bytes = 0;
	/** Whether this run has received a response. */
	hasResponse = false;
	/** When this run received its first rows, in milliseconds since 1970. */
	firstReceivedAt: number | undefined;
	/** The first unexpected response. After that, no job of this execution requests more rows of this list. */
	violation: Failure | undefined;
	/**
	 * The number of failed attempts of each request since its last response. The key is the first key of the request,
	 * because a retry of the request may have another size.
	 */
	private readonly attempts = new Map<Key, number>();

	constructor(protected readonly endpoint: Endpoint) {
		this.confirmedSize = ENDPOINTS[endpoint].documentedPageSize;
	}

	/** The number of rows that the list has, unmatched ones included. */
	abstract readonly rowCount: number;

	/**
	 * Applies a response to the list. The rows are added even if the response is unexpected.
	 *
	 * @returns the failure that ends the job; undefined if the job continues
	 */
	abstract settle(request: PageRequest<Key>, page: Page): Failure | undefined;

	/**
	 * Records the cost of a failed request, and decides whether the list continues with another request. A subclass
	 * decides which failures only concern the request. Example: if the service refuses a page of 1,000 rows, a search
	 * continues with a page of 25.
	 *
	 * @returns the failure that the caller retries or that ends the job; undefined if the list continues with another
	 * request
	 */
	fail({ size }: PageRequest<Key>, failure: Failure): Failure | undefined {
		const { costsCredits, documentedPageSize: documentedSize } = ENDPOINTS[this.endpoint];
		const isSlow = failure.kind === 'upstreamDown' || failure.kind === 'lostResponse';
		if (costsCredits && mayHaveBeenCharged(failure)) {
			this.cost.possiblyCharged += size;
			this.cost.lostResponses += 1;
			if (failure.kind !== 'cancelled') this.cost.lastLoss = failure;
			// After a loss, sizes that earlier runs received are no evidence for this run. A cancel is no evidence of a size.
			if (size > documentedSize && failure.kind !== 'cancelled')
				this.lossHistory = {
					lostSize: Math.min(size, this.lossHistory.lostSize),
					sizeBeforeLoss: 0,
				};
		} else if (isSlow) {
			const halfSize = Math.max(documentedSize, Math.floor(size / 2));
			this.temporaryLimit = Math.min(this.temporaryLimit, halfSize);
		}
		return failure;
	}

	/**
	 * Returns the largest size that the next request may have.
	 *
	 * @param pageSize the option Page Size of the user. If it is smaller than the size of the request that was lost
	 * (`lostSize`), the loss doesn't limit the next request
	 */
	maxRequestSize(pageSize: number): number {
		const maxSize = Math.min(pageSize, this.sizeLimit, this.temporaryLimit);
		const { lostSize, sizeBeforeLoss } = this.lossHistory;
		if (lostSize === Infinity || pageSize < lostSize) return maxSize;
		const { documentedPageSize: documentedSize } = ENDPOINTS[this.endpoint];
		const safeSize = Math.min(Math.floor(lostSize / 2), sizeBeforeLoss);
		return Math.min(maxSize, Math.max(documentedSize, safeSize));
	}

	/** The number of rows (Look Up: URLs) that the requests in flight have requested. */
	get rowsInFlight(): number {
		let rows = 0;
		for (const { size } of this.inFlight) rows += size;
		return rows;
	}

	/** Records that a request is about to be sent, so that its keys aren't requested a second time. */
	reserve(request: PageRequest<Key>): void {
		this.inFlight.add(request);
		this.cost.requests += 1;
	}

	/**
	 * Records that a failed request is no longer in flight, so that its keys may be requested again. {@link fail} then
	 * decides what the failure means.
	 */
	release(request: PageRequest<Key>): void {
		this.inFlight.delete(request);
	}

	/**
	 * Counts a failed attempt of a request.
	 *
	 * @returns how many attempts of this request have failed since its last response
	 */
	countAttempt({ firstKey }: PageRequest<Key>): number {
		const attempts = (this.attempts.get(firstKey) ?? 0) + 1;
		this.attempts.set(firstKey, attempts);
		return attempts;
	}

	/** Records the size and the cost of a response. */
	protected recordResponse(request: PageRequest<Key>, { rows, bytes = 0 }: Page): void {
		this.inFlight.delete(request);
		this.attempts.delete(request.firstKey);
		this.hasResponse = true;
		this.bytes += bytes + rows.length * ROW_OVERHEAD_BYTES;
		this.cost.charged += rows.length;
		if (rows.length === 0) return;
		this.firstReceivedAt ??= Date.now();
		const rowsOfLargeResponse = Math.ceil((LARGE_RESPONSE_BYTES / bytes) * rows.length);
		this.temporaryLimit = Math.min(this.temporaryLimit * 2, rowsOfLargeResponse);
	}

	/**
	 * Records a response that violates the contract. After that, the list sends no more requests.
	 *
	 * @returns the failure for the first violation that was recorded, which may be an earlier one
	 */
	protected stopWith(violation: Violation): Failure {
		this.violation ??= { kind: 'protocolViolation', ...violation };
		return this.violation;
	}
}

/**
 * The profile URL by which rows are compared, for example 'https://www.linkedin.com/in/anna-bell'; undefined if the
 * row names none.
 */
export function profileOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' && isUrlLike(url) ? url : undefined;
}

/** Whether two rows describe the same profile. If the second row has no profile URL, all values are compared. */
export function isSameRow(a: Json, b: Json): boolean {
	const profile = profileOf(b);
	if (profile !== undefined) return profileOf(a) === profile;
	return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a text looks like a URL. A placeholder such as N/A occurs in many rows, so it identifies no profile. */
function isUrlLike(text: string): boolean {
	return text.includes('/') && text.includes('.');
}
