/** What lists of all kinds have in common: the orders on their way, what they cost, and how much is requested at once. */
import { ENDPOINTS, type Endpoint, type Json, type Page } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import type { PageRequest } from './job';

/** What an answer contradicts, for people, and what they can do about it, if it is more than to contact the service. */
export interface Violation {
	text: string;
	advice?: string;
}

/** What a list has cost in a run, in credits where it is paid. */
export interface Cost {
	/** Rows that came: one credit each. */
	charged: number;
	/** Those of them that had come before. */
	wasted: number;
	/** Rows of answers that were lost or could not be used; they may have been charged. */
	possiblyCharged: number;
	/** Answers that were lost or could not be used. */
	lostResponses: number;
	/** The last of them. */
	lastLoss?: Failure;
	/** Requests sent. */
	requests: number;
}

export const NO_COST: Readonly<Cost> = {
	charged: 0,
	wasted: 0,
	possiblyCharged: 0,
	lostResponses: 0,
	requests: 0,
};

/** What a row takes in memory beside its JSON. */
const ROW_OVERHEAD_BYTES = 200;

/** A larger answer takes so long to read that n8n's other work waits: the next ones are smaller. */
const LARGE_RESPONSE_BYTES = 10_000_000;

/**
 * What is known of answers that a service has lost and may have charged, in rows (look up: URLs) a request. After a
 * loss, no request is larger than half of it, nor than the largest answer of runs before; the documented size always is
 * allowed.
 */
export interface LossHistory {
	/** The smallest that was lost; Infinity for none. */
	smallestLost: number;
	/** The largest that came, in runs before. */
	largestReceived: number;
}

/**
 * A list is a map from place to cell. A place is a row number (search, preview) or a profile's URL (look up). What
 * has no cell is unknown, or on its way. An order is reserved before it is sent, settled by its answer, and released
 * by a failure; what is asked for next, what is missing and where a later run goes on follow from this map.
 *
 * @example
 * list.reserve(order);
 * list.settle(order, { rows: [{ full_name: 'Anna Bell' }], hasMore: false });
 * list.cost; // { charged: 1, repeated: 0, atRisk: 0, lost: 0, requests: 1 }
 */
export abstract class PagedList<Key = unknown> {
	/** Rows that runs before have paid for. */
	readonly reusedRows = new Set<Json>();
	/** Orders that are not answered yet. */
	readonly inFlight = new Set<PageRequest<Key>>();
	readonly cost: Cost = { ...NO_COST };
	/** The most in one request that the service takes, or has credits for, as far as is known. */
	sizeLimit = Infinity;
	lossHistory: LossHistory = { smallestLost: Infinity, largestReceived: 0 };
	/** The most while a gateway does not answer, which is free, or answers are large: half of the failed request, or what has room, doubled with each answer. */
	private reducedSize = Infinity;
	/** The largest answer of this run, in rows. */
	largestResponse = 0;
	/** What the rows of this run take in memory, about. */
	bytes = 0;
	/** What each row of the last answer takes: smaller answers are no sign of smaller rows. */
	private bytesPerRow = 0;
	/** Whether an answer has come. */
	hasResponse = false;
	/** When the first rows of this run came, in milliseconds since 1970. */
	firstReceivedAt: number | undefined;
	/** What an answer contradicted: in this execution, nothing more is requested of such a list, for whomever. */
	violation: Failure | undefined;
	/** How often orders failed, by their first place. */
	private readonly attempts = new Map<Key, number>();

	constructor(protected readonly endpoint: Endpoint) {}

	/** Rows that are there. */
	abstract readonly rowCount: number;

	/** Takes an answer in. @returns what it means for the run, where that is a failure; its rows are kept all the same */
	abstract settle(request: PageRequest<Key>, page: Page): Failure | undefined;

	/**
	 * Takes in that a request failed. A subclass says what a failure means for its pages.
	 *
	 * @returns what stands of it; undefined where it says something about pages, so that the list goes on
	 * another way
	 */
	fail({ size }: PageRequest<Key>, failure: Failure): Failure | undefined {
		const { costsCredits: costsCredits, documentedPageSize: documentedSize } = ENDPOINTS[this.endpoint];
		const isSlow = failure.kind === 'upstreamDown' || failure.kind === 'lostResponse';
		if (costsCredits && mayHaveBeenCharged(failure)) {
			this.cost.possiblyCharged += size;
			this.cost.lostResponses += 1;
			if (failure.kind !== 'cancelled') this.cost.lastLoss = failure;
			// What came in runs before is no evidence for this run; what people cancel is none of a size.
			if (size > documentedSize && failure.kind !== 'cancelled')
				this.lossHistory = {
					smallestLost: Math.min(size, this.lossHistory.smallestLost),
					largestReceived: 0,
				};
		} else if (isSlow)
			this.reducedSize = Math.min(this.reducedSize, Math.max(documentedSize, Math.floor(size / 2)));
		return failure;
	}

	/** The most to ask for at once. @param pageSize as people set it: below what was lost, it is worth another try */
	maxRequestSize(pageSize: number): number {
		const { smallestLost, largestReceived } = this.lossHistory;
		const { documentedPageSize: documentedSize } = ENDPOINTS[this.endpoint];
		const isBelowLostSize = smallestLost === Infinity || pageSize < smallestLost;
		const safeSize = isBelowLostSize
			? Infinity
			: Math.max(documentedSize, Math.min(Math.floor(smallestLost / 2), largestReceived));
		return Math.min(pageSize, this.sizeLimit, this.reducedSize, safeSize);
	}

	/** Rows ordered and not answered yet. */
	get rowsInFlight(): number {
		let rows = 0;
		for (const { size } of this.inFlight) rows += size;
		return rows;
	}

	/** Takes in that a request is sent. */
	reserve(request: PageRequest<Key>): void {
		this.inFlight.add(request);
		this.cost.requests += 1;
	}

	/** Takes in that nothing is learnt of its places: they are unknown again. */
	release(request: PageRequest<Key>): void {
		this.inFlight.delete(request);
	}

	/** Counts a failure of the order's first place. @returns how often it has failed */
	countAttempt({ firstKey }: PageRequest<Key>): number {
		const attempts = (this.attempts.get(firstKey) ?? 0) + 1;
		this.attempts.set(firstKey, attempts);
		return attempts;
	}

	/** Counts the rows of an answer. */
	protected recordResponse(request: PageRequest<Key>, { rows, bytes = 0 }: Page): void {
		this.inFlight.delete(request);
		this.attempts.delete(request.firstKey);
		this.hasResponse = true;
		this.bytes += bytes + rows.length * ROW_OVERHEAD_BYTES;
		if (rows.length > 0) {
			this.bytesPerRow = bytes / rows.length;
			this.firstReceivedAt ??= Date.now();
		}
		this.reducedSize = Math.min(
			this.reducedSize * 2,
			Math.ceil(LARGE_RESPONSE_BYTES / this.bytesPerRow),
		);
		this.largestResponse = Math.max(this.largestResponse, rows.length);
		this.cost.charged += rows.length;
	}

	/** Takes in what an answer contradicts: nothing more is requested. */
	protected stopWith(violation: Violation): Failure {
		this.violation ??= { kind: 'protocolViolation', ...violation };
		return this.violation;
	}
}

/** The profile that a row is about, by which rows are compared; undefined where it names none. */
export function profileOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' && isUrlLike(url) ? url : undefined;
}

/** Whether two rows are the same: by their profile, or to the letter where they name none. */
export function isSameRow(a: Json, b: Json): boolean {
	const profile = profileOf(b);
	if (profile !== undefined) return profileOf(a) === profile;
	return JSON.stringify(a) === JSON.stringify(b);
}

/** A word such as N/A stands in many rows, and tells no profiles apart. */
function isUrlLike(text: string): boolean {
	return text.includes('/') && text.includes('.');
}
