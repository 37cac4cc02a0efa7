/** The base class of all lists: requests in flight and cost. */
import { ENDPOINTS, type Endpoint, type Json, type Page } from '../api/contract';
import { CONSEQUENCES, isRejection, mayHaveBeenCharged, type Failure } from '../api/failures';
import { NO_COST, type Cost } from './cost';
import type { PageRequest } from './job';
import { SMALL_PAGE_SIZE } from './pages';

/** An unexpected response. `advice` is set if users can do something other than contact the service. */
export interface Violation {
	text: string;
	advice?: string;
}

/** Estimated memory that a row takes in addition to its JSON. */
const ROW_OVERHEAD_BYTES = 200;

/**
 * A list stores what is known about each key in a cell: the rows that were received, or that there are none. A key is
 * the index of a row (search, preview) or the URL of a profile (Look Up). A key without a cell wasn't requested yet,
 * is in flight, or has failed.
 *
 * Each request goes through `take`, then through `settle` if it has a response. Otherwise, `putBack` makes its
 * keys available again, and `fail` decides whether the list continues with another request.
 *
 * @example
 * list.take(request);
 * list.settle(request, { rows: [{ full_name: 'Anna Bell' }], hasMore: false });
 * list.cost; // { charged: 1, wasted: 0, possiblyCharged: 0, lostResponses: 0, requests: 1 }
 */
export abstract class PagedList<Key = unknown> {
	/** The rows that earlier runs have paid for. */
	readonly reusedRows = new Set<Json>();
	readonly inFlight = new Set<PageRequest<Key>>();
	readonly cost: Cost = { ...NO_COST };
	/**
	 * The page size that the service has named, or that is used because it has refused a larger one. Look Up: a size
	 * for which the balance may be enough, after a 402.
	 */
	pageSize: number | undefined;
	/** The estimated memory of the received rows. */
	bytes = 0;
	/** When the last rows were received, in milliseconds since 1970. */
	lastChargedAt = -Infinity;
	/** The keys whose rows this run has received and the cache may keep, each once. */
	receivedKeys: Key[] = [];
	/** The size of the largest request of this run that got a response. */
	receivedSize = 0;
	/** The failure for the first unexpected response. After it, no job requests more rows of this list. */
	violation: Failure | undefined;
	/** The failed attempts of each request, by its first key: a retry may have another size. */
	private readonly attempts = new Map<Key, number>();

	constructor(protected readonly endpoint: Endpoint) {}

	/** The number of rows in the list, including unmatched rows. */
	abstract readonly rowCount: number;

	get hasResponse(): boolean {
		return this.receivedSize > 0;
	}

	/**
	 * Adds the rows of a response, even if it is unexpected.
	 *
	 * @returns the failure that ends the job; undefined if the job continues
	 */
	abstract settle(request: PageRequest<Key>, page: Page): Failure | undefined;

	/**
	 * Adds the cost of a failed request. A subclass decides which failures only concern the request, so that the list
	 * continues with another one.
	 *
	 * @returns the failure that the caller retries or that ends the job; undefined if the list continues
	 */
	fail({ size }: PageRequest<Key>, failure: Failure): Failure | undefined {
		if (!ENDPOINTS[this.endpoint].costsCredits) return failure;
		const isPossiblyCharged = mayHaveBeenCharged(failure);
		if (isPossiblyCharged || CONSEQUENCES[failure.kind].needsSmallPages)
			this.cost.lostResponses += 1;
		if (isPossiblyCharged) this.cost.possiblyCharged += size;
		if (isPossiblyCharged && failure.kind !== 'cancelled') this.cost.lastLoss = failure;
		return failure;
	}

	/** Whether the service seems to have refused the size of a request, and not the page or the parameters. */
	refusesSize({ size }: PageRequest<Key>, failure: Failure): boolean {
		return isRejection(failure) && size > Math.max(SMALL_PAGE_SIZE, this.receivedSize);
	}

	abstract rowsOf(key: Key): readonly Json[];

	/** Adds rows that were paid for before, so that the key isn't requested again. */
	abstract restore(key: Key, rows: readonly Json[]): void;

	/** The number of rows (Look Up: URLs) that the requests in flight have requested. */
	get rowsInFlight(): number {
		let rows = 0;
		for (const { size } of this.inFlight) rows += size;
		return rows;
	}

	take(request: PageRequest<Key>): void {
		this.inFlight.add(request);
		this.cost.requests += 1;
	}

	putBack(request: PageRequest<Key>): void {
		this.inFlight.delete(request);
	}

	/** @returns how many attempts of this request have failed since its last response */
	countAttempt({ firstKey }: PageRequest<Key>): number {
		const attempts = (this.attempts.get(firstKey) ?? 0) + 1;
		this.attempts.set(firstKey, attempts);
		return attempts;
	}

	protected recordResponse(request: PageRequest<Key>, { rows, bytes = 0 }: Page): void {
		this.inFlight.delete(request);
		this.attempts.delete(request.firstKey);
		this.receivedSize = Math.max(this.receivedSize, request.size);
		this.bytes += bytes + rows.length * ROW_OVERHEAD_BYTES;
		this.cost.charged += rows.length;
		if (rows.length > 0) this.lastChargedAt = Date.now();
	}

	/** @returns the failure for the first violation that was recorded, which may be an earlier one */
	protected stopWith(violation: Violation): Failure {
		this.violation ??= { kind: 'protocolViolation', ...violation };
		return this.violation;
	}
}

/** Returns the profile URL by which rows are compared; undefined if it is missing or a placeholder. */
export function profileOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' && isUrlLike(url) ? url : undefined;
}

/** Whether two rows describe the same profile. If the second row has no profile URL, all values are compared. */
export function isSameRow(a: Json, b: Json): boolean {
	const profile = profileOf(b);
	if (profile !== undefined) return a.linkedin_url === profile;
	return JSON.stringify(a) === JSON.stringify(b);
}

/** A placeholder such as N/A occurs in many rows, so it identifies no profile. */
function isUrlLike(text: string): boolean {
	return text.includes('/') && text.includes('.');
}
