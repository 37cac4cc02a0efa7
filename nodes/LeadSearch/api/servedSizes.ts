/**
 * What is known of the page sizes that a service serves, in rows: requested; served, by which the
 * service counts; documented, which it surely takes; proven, which came as requested; capped, the
 * largest where it serves less than was requested; smallest, where it serves more.
 */
import type { Page } from './contract';
import { endsTheExecution, isRefusal, type Failure } from './failures';

/** What is kept between runs. */
export interface KnownSizes {
	/** The largest page that the service is known to serve as requested; 0 where nothing is known. */
	provenSize: number;
	/** The largest page that the service serves, where that is less than was requested. */
	cappedSize?: number;
	/** The smallest page that the service serves, where that is more than was requested. */
	smallestSize?: number;
}

interface SizeOptions {
	/** The largest page to request. */
	pageSize: number;
	/** The page size that the service documents, and so surely takes. */
	documentedPageSize: number;
	/** Whether rows cost credits: then nothing is left to belief that can be asked for free. */
	costsCredits: boolean;
}

interface Requested {
	/** Page number, 1-based. */
	page: number;
	size: number;
}

export class ServedSizes {
	/** The largest page to request. */
	largest: number;

	/** Whether pages came in another size than requested, so that the service may not serve all. */
	private isCapped: boolean;

	/** Sizes that came as requested. */
	private readonly proven: Set<number>;

	/** The largest page that is requested unproven, since no size probe could tell; 0 where one did. */
	private assumedSize = 0;

	/** Whether nothing came back of a size probe; then it is sent once more. */
	private hasLostProbe = false;

	/** @param known what came of earlier pages; what comes is added */
	constructor(
		private readonly options: SizeOptions,
		private readonly known: KnownSizes,
	) {
		const { cappedSize = Infinity, provenSize } = known;
		this.largest = Math.max(Math.min(options.pageSize, cappedSize), this.smallest);
		this.isCapped = Number.isFinite(cappedSize);
		this.proven = new Set(provenSize > 0 ? [provenSize] : []);
	}

	/** The smallest page that the service serves, as far as is known. */
	get smallest(): number {
		return this.known.smallestSize ?? 1;
	}

	/**
	 * Whether a page of this size is known to be served as requested: where no page came in
	 * another size than requested, sizes between two that are.
	 */
	isProven(size: number): boolean {
		if (this.proven.has(size)) return true;
		return !this.isCapped && size < this.known.provenSize && size > Math.min(...this.proven);
	}

	/**
	 * Behind the first row, a page served in another size than requested holds other rows. So a size
	 * that isn't known to be served is asked for first.
	 *
	 * @returns the size to ask for; undefined where it is known
	 */
	sizeToProbe(offset: number, size: number): number | undefined {
		if (!this.options.costsCredits || offset === 0) return undefined;
		if (size <= this.assumedSize || this.isProven(size)) return undefined;
		// Whether it serves the smallest one tells of all that are smaller than those that came.
		return this.isCapped || size > this.known.provenSize ? size : 1;
	}

	/** @returns the page size by which the service counted, as far as can be known */
	learn({ size, page }: Requested, { rows, perPage, hasMore, nextPage }: Page): number {
		const { known } = this;
		const received = rows.length;
		// Where it isn't named, a first page that is short although more follows shows it. On a later
		// page a low balance could look the same.
		const saysMore = hasMore === true || typeof nextPage === 'number';
		const isShortFirst = page === 1 && received > 0 && received < size && saysMore;
		const served = perPage ?? (isShortFirst ? received : size);
		if (served > size) this.raise(size, served);
		else if (served < size) {
			this.largest = Math.min(this.largest, served);
			this.assumedSize = Math.min(this.assumedSize, served);
			known.smallestSize = served < this.smallest ? undefined : known.smallestSize;
			this.prove(served);
			this.isCapped = true;
			// Larger ones that came before are served no longer.
			for (const one of this.proven) if (one > served) this.proven.delete(one);
			// A page that is short may also be the last one, with the number of its rows in `per_page`.
			if (saysMore || received === 0) known.cappedSize = served;
		} else if (perPage === size || received >= size) this.prove(size);
		return served;
	}

	/** @param perPage as a response without rows names it */
	learnFromProbe(request: Requested, perPage: number | undefined): void {
		if (perPage === undefined) this.takeSafeSize();
		else this.learn(request, { rows: [], perPage });
	}

	/** @returns whether it goes on without an answer to the size probe */
	failProbe(size: number, failure: Failure): boolean {
		if (this.refuse(size, failure)) return true;
		// A service may have no such page (404); the request for rows will tell.
		if (endsTheExecution(failure) && failure.status !== 404) return false;
		if (failure.kind === 'tooManyRequests') return false;
		const isLost = ['lostResponse', 'unreadable', 'upstreamDown'].includes(failure.kind);
		if (isLost && !this.hasLostProbe) this.hasLostProbe = true;
		else this.takeSafeSize();
		return true;
	}

	/** @returns whether the failure of a page of this size may lie in its size */
	refuse(size: number, failure: Failure): boolean {
		const { documentedPageSize } = this.options;
		const isNeeded = size <= Math.max(documentedPageSize, this.smallest);
		if (!isRefusal(failure) || isNeeded) return false;
		this.largest = Math.max(Math.min(this.largest, documentedPageSize), this.smallest);
		return true;
	}

	/**
	 * Requests pages of half the size that didn't get through, down to the documented size. A page
	 * smaller than that, which row arithmetic can ask for, was not too large.
	 */
	halve(size: number): void {
		const { documentedPageSize } = this.options;
		if (size <= documentedPageSize) return;
		this.largest = Math.max(Math.floor(size / 2), documentedPageSize, this.smallest);
	}

	/** A page was short although the list goes on. */
	cutTo(size: number): void {
		this.largest = Math.min(this.largest, size);
		this.known.cappedSize = this.largest;
	}

	private prove(size: number): void {
		this.proven.add(size);
		this.known.provenSize = Math.max(this.known.provenSize, size);
	}

	/** A page was larger than requested. Smaller ones that came as requested are still served. */
	private raise(size: number, served: number): void {
		const { known, options } = this;
		const smaller = [...this.proven].filter((one) => one < size);
		this.prove(served);
		this.isCapped = true;
		this.assumedSize = 0;
		if (smaller.length > 0) this.largest = Math.max(...smaller);
		else if (size > options.documentedPageSize) this.largest = options.documentedPageSize;
		else {
			known.smallestSize = served;
			this.largest = Math.max(this.largest, served);
		}
	}

	/** Nothing is known of larger sizes than one that pages were cut to; of none, the documented one. */
	private takeSafeSize(): void {
		const { provenSize } = this.known;
		const safe = this.isCapped
			? provenSize
			: Math.max(provenSize, this.options.documentedPageSize);
		this.largest = Math.min(this.largest, safe);
		this.assumedSize = safe;
	}
}
