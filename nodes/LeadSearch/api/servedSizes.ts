/**
 * What is known of the page sizes that a service serves, in rows: requested; served, by which the
 * service counts; documented, which it surely takes; proven, the largest that came as requested;
 * capped, the largest where it serves less than was requested; fixed, where it ignores the size
 * requested.
 */
import type { Page } from './contract';
import { endsTheExecution, isRefusal, type Failure } from './failures';

/** What is kept between runs. */
export interface KnownSizes {
	/** The largest page that the service is known to serve as requested; 0 where nothing is known. */
	provenSize: number;
	/** The largest page that the service serves, where that is less than was requested. */
	cappedSize?: number;
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

	/** The size of all pages, where the service ignores the one requested. */
	fixed?: number;

	/** Whether pages came smaller than requested, so that the service may serve one size only. */
	private isCapped: boolean;

	/** The largest page that is requested unproven, since no size probe could tell; 0 where one did. */
	private assumedSize = 0;

	/** Whether nothing came back of a size probe; then it is sent once more. */
	private hasLostProbe = false;

	/** @param known what came of earlier pages; what comes is added */
	constructor(
		private readonly options: SizeOptions,
		private readonly known: KnownSizes,
	) {
		const { cappedSize = Infinity } = known;
		this.largest = Math.min(options.pageSize, cappedSize);
		this.isCapped = Number.isFinite(cappedSize);
	}

	/** Whether a page of this size is known to be served as requested. */
	isProven(size: number): boolean {
		return size <= this.known.provenSize;
	}

	/**
	 * Behind the first row, a page served in another size than requested holds other rows. So a larger
	 * size than has come is asked for first, unless nothing has come and one documented page is all
	 * that is wanted.
	 */
	needsProbe(offset: number, size: number, wanted: number): boolean {
		const { costsCredits, documentedPageSize } = this.options;
		const takenSize = Math.max(this.known.provenSize, this.assumedSize);
		if (!costsCredits || offset === 0 || size === takenSize) return false;
		if (size < takenSize) return this.isCapped;
		return takenSize > 0 || wanted > documentedPageSize;
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
		if (served > size) this.fixed = served;
		else if (served < size) {
			this.largest = Math.min(this.largest, served);
			this.assumedSize = Math.min(this.assumedSize, served);
			known.provenSize = Math.max(known.provenSize, served);
			this.isCapped = true;
			// A page that is short may also be the last one, with the number of its rows in `per_page`.
			if (saysMore || received === 0) known.cappedSize = served;
		} else if (perPage === size || received >= size) {
			if (size < known.provenSize) this.isCapped = false;
			known.provenSize = Math.max(known.provenSize, size);
		}
		return served;
	}

	/** @param perPage as a response without rows names it */
	learnFromProbe(request: Requested, perPage: number | undefined): void {
		if (perPage === undefined) this.takeSafeSize();
		else this.learn(request, { rows: [], perPage });
	}

	/** @returns whether it goes on without an answer to the size probe */
	failProbe(failure: Failure): boolean {
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
		const isOnlySize = this.fixed !== undefined;
		if (!isRefusal(failure) || isOnlySize || size <= documentedPageSize) return false;
		this.largest = Math.min(this.largest, documentedPageSize);
		return true;
	}

	/**
	 * Requests pages of half the size that didn't get through, down to the documented size. A page
	 * smaller than that, which row arithmetic can ask for, was not too large.
	 */
	halve(size: number): void {
		const { documentedPageSize } = this.options;
		if (size <= documentedPageSize) return;
		this.largest = Math.max(Math.floor(size / 2), documentedPageSize);
	}

	/** A page was short although the list goes on. */
	cutTo(size: number): void {
		this.largest = Math.min(this.largest, size);
		this.known.cappedSize = this.largest;
	}

	/** Nothing is known of larger sizes than one that pages were cut to; of none, the documented one. */
	private takeSafeSize(): void {
		const { known } = this;
		const safe = this.isCapped ? known.provenSize : this.options.documentedPageSize;
		this.largest = Math.min(this.largest, safe);
		this.assumedSize = safe;
		this.isCapped = false;
	}
}
