/** The base class of all lists: requests in flight, cost, and size limits. */
import { ENDPOINTS, type Endpoint, type Json, type Page } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import type { PageRequest } from './job';

/**
 * What users read about an unexpected response of the service. `advice` is set if users can do something other than
 * contact the service.
 */
export interface Violation {
	text: string;
	advice?: string;
}

/** The cost of a list in a run. One row costs one credit, except in previews, which are free. */
export interface Cost {
	/** The number of rows received. */
	charged: number;
	/** The number of received rows that the list had already. */
	wasted: number;
	/** The rows requested in lost or unusable responses. The service may have charged for them. */
	possiblyCharged: number;
	/** The number of responses that were lost or unusable. */
	lostResponses: number;
	/** The last response that was lost or unusable, unless the user's cancel was the reason. */
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

/** Memory that a row takes in addition to its JSON. */
const ROW_OVERHEAD_BYTES = 200;

/** A larger response blocks n8n for too long while it is read, so the next requests are smaller. */
const LARGE_RESPONSE_BYTES = 10_000_000;

/**
 * The sizes of lost responses for which the service may have charged, in rows (Look Up: URLs) per request. After a
 * loss, a request has at most half of the lost size, and at most the size that was received before. A request of the
 * documented size is always allowed.
 */
export interface LossHistory {
	/** The smallest lost size; Infinity if nothing was lost. Losses up to the documented size don't count. */
	lostSize: number;
	/** The largest size that was received before the loss; 0 if this run has lost a response. */
	sizeBeforeLoss: number;
}

/**
 * A list stores what is known about each key in a cell: the row that was received, or that there is none. A key is the
 * index of a row (search, preview) or the URL of a profile (Look Up). A key without a cell hasn't been requested yet, or
 * its request is in flight. `reserve` notes that a request is sent, `settle` fills cells from its response, and `release`
 * notes that it has failed. The next request, the missing rows, and the place where a later run continues are derived from
 * the cells.
 *
 * @example
 * list.reserve(request);
 * list.settle(request, { rows: [{ full_name: 'Anna Bell' }], hasMore: false });
 * list.cost; // { charged: 1, wasted: 0, possiblyCharged: 0, lostResponses: 0, requests: 1 }
 */
export abstract class PagedList<Key = unknown> {
	/** The rows that earlier runs have paid for. */
	readonly reusedRows = new Set<Json>();
	readonly inFlight = new Set<PageRequest<Key>>();
	readonly cost: Cost = { ...NO_COST };
	/**
	 * A page size that the service is known to accept: the documented size, or the size of the largest page that was
	 * received. Look Up: the number of URLs that the service certainly looks up in one request.
	 */
	confirmedSize: number;
	/** The largest request that the service accepts, or has enough credits for, as far as is known. */
	sizeLimit = Infinity;
	/**
	 * A size limit that doubles with each response. It is set if a gateway didn't answer a free request: to half of
	 * the size of that request. It is also set by a response of more than {@link LARGE_RESPONSE_BYTES}: to the number
	 * of rows that have this size.
	 */
	private temporaryLimit = Infinity;
	lossHistory: LossHistory = { lostSize: Infinity, sizeBeforeLoss: 0 };
	/**
	 * Estimated memory of the received rows, in bytes. When the cache adds this to the memory of a search's snapshot, it
	 * resets the number to 0, so that no row is counted twice.
	 */
	bytes = 0;
	/** Whether this run has received a response. */
	hasResponse = false;
	/** When this run received its first rows, in milliseconds since 1970. */
	firstReceivedAt: number | undefined;
	/** The first unexpected response. No job requests more of this list in the same execution. */
	violation: Failure | undefined;
	/**
	 * How many attempts of each request have failed without a successful one in between. A request is identified by
	 * its first key.
	 */
	private readonly attempts = new Map<Key, number>();

	constructor(protected readonly endpoint: Endpoint) {
		this.confirmedSize = ENDPOINTS[endpoint].documentedPageSize;
	}

	/** The number of rows that the list has, unmatched ones included. */
	abstract readonly rowCount: number;

	/** Applies a response. Its rows are added even if it is unexpected. @returns the failure that ends the job, if any */
	abstract settle(request: PageRequest<Key>, page: Page): Failure | undefined;

	/**
	 * Records that a request failed. Subclasses decide what the failure means for their pages.
	 *
	 * @returns the failure that ends the job; undefined if the failure is about the page, so that the list continues
	 * with another request
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
	 * @param pageSize the user's Page Size. If it is smaller than the lost size, the loss doesn't limit it
	 */
	maxRequestSize(pageSize: number): number {
		const maxSize = Math.min(pageSize, this.sizeLimit, this.temporaryLimit);
		const { lostSize, sizeBeforeLoss } = this.lossHistory;
		if (lostSize === Infinity || pageSize < lostSize) return maxSize;
		const { documentedPageSize: documentedSize } = ENDPOINTS[this.endpoint];
		const safeSize = Math.min(Math.floor(lostSize / 2), sizeBeforeLoss);
		return Math.min(maxSize, Math.max(documentedSize, safeSize));
	}

	/** The rows (Look Up: URLs) that the requests in flight may return. */
	get rowsInFlight(): number {
		let rows = 0;
		for (const { size } of this.inFlight) rows += size;
		return rows;
	}

	/** Records that a request is sent. */
	reserve(request: PageRequest<Key>): void {
		this.inFlight.add(request);
		this.cost.requests += 1;
	}

	/** Records that a request failed, so that its keys are unknown again. */
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
	 * Records that a response violates the contract. After that, the list sends no more requests.
	 *
	 * @returns the violation that was recorded first, which may be an earlier one
	 */
	protected stopWith(violation: Violation): Failure {
		this.violation ??= { kind: 'protocolViolation', ...violation };
		return this.violation;
	}
}

/** The profile URL by which rows are compared; undefined if the row contains none. */
export function profileOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' && isUrlLike(url) ? url : undefined;
}

/** Whether two rows are the same. Their profile URLs are compared, or all values if the second row has no profile URL. */
export function isSameRow(a: Json, b: Json): boolean {
	const profile = profileOf(b);
	if (profile !== undefined) return profileOf(a) === profile;
	return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a text looks like a URL. A placeholder such as N/A occurs in many rows, so it identifies no profile. */
function isUrlLike(text: string): boolean {
	return text.includes('/') && text.includes('.');
}
