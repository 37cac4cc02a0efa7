/** What lists of all kinds have in common: the orders on their way, what they cost, and how much is requested at once. */
import { ENDPOINTS, type Endpoint, type Json, type Page } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import type { Order } from './job';

/** What an answer contradicts, for people, and what they can do about it, if it is more than to contact the service. */
export interface Contradiction {
	text: string;
	advice?: string;
}

/** What a list has cost in a run, in credits where it is paid. */
export interface Cost {
	/** Rows that came: one credit each. */
	charged: number;
	/** Those of them that had come before. */
	repeated: number;
	/** Rows of answers that were lost or could not be used; they may have been charged. */
	atRisk: number;
	/** Answers that were lost or could not be used. */
	lost: number;
	/** The last of them. */
	lastLost?: Failure;
	/** Requests sent. */
	requests: number;
}

export const NO_COST: Readonly<Cost> = { charged: 0, repeated: 0, atRisk: 0, lost: 0, requests: 0 };

/** What a row takes in memory beside its JSON. */
const BYTES_BESIDE = 200;

/** A larger answer takes so long to read that n8n's other work waits: the next ones are smaller. */
const LARGE_BYTES = 10_000_000;

/**
 * What is known of answers that a service has lost and may have charged, in rows (look up: URLs) a request. After a
 * loss, no request is larger than half of it, nor than the largest answer of runs before; the documented size always is
 * allowed.
 */
export interface Loss {
	/** The smallest that was lost; Infinity for none. */
	lost: number;
	/** The largest that came, in runs before. */
	came: number;
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
export abstract class Ledger<Place = unknown> {
	/** Rows that runs before have paid for. */
	readonly paidBefore = new Set<Json>();
	/** Orders that are not answered yet. */
	readonly inFlight = new Set<Order<Place>>();
	readonly cost: Cost = { ...NO_COST };
	/** The most in one request that the service takes, or has credits for, as far as is known. */
	most = Infinity;
	loss: Loss = { lost: Infinity, came: 0 };
	/** The most while a gateway does not answer, which is free, or answers are large: half of the failed request, or what has room, doubled with each answer. */
	private reduced = Infinity;
	/** The largest answer of this run, in rows. */
	largestAnswer = 0;
	/** What the rows of this run take in memory, about. */
	bytes = 0;
	/** What each row of the last answer takes: smaller answers are no sign of smaller rows. */
	private bytesARow = 0;
	/** Whether an answer has come. */
	isAnswered = false;
	/** When the first rows of this run came, in milliseconds since 1970. */
	boughtAt: number | undefined;
	/** What an answer contradicted: in this execution, nothing more is requested of such a list, for whomever. */
	broken: Failure | undefined;
	/** How often orders failed, by their first place. */
	private readonly tries = new Map<Place, number>();

	constructor(protected readonly endpoint: Endpoint) {}

	/** Rows that are there. */
	abstract readonly rows: number;

	/** Takes an answer in. @returns what it means for the run, where that is a failure; its rows are kept all the same */
	abstract settle(order: Order<Place>, page: Page): Failure | undefined;

	/**
	 * Takes in that a request failed. A subclass says what a failure means for its pages.
	 *
	 * @returns what stands of it; undefined where it says something about pages, so that the list goes on
	 * another way
	 */
	fail({ size }: Order<Place>, failure: Failure): Failure | undefined {
		const { costsCredits, documentedPageSize: documented } = ENDPOINTS[this.endpoint];
		const isSlow = failure.kind === 'upstreamDown' || failure.kind === 'lostResponse';
		if (costsCredits && mayHaveBeenCharged(failure)) {
			this.cost.atRisk += size;
			this.cost.lost += 1;
			if (failure.kind !== 'cancelled') this.cost.lastLost = failure;
			// What came in runs before is no evidence for this run; what people cancel is none of a size.
			if (size > documented && failure.kind !== 'cancelled')
				this.loss = { lost: Math.min(size, this.loss.lost), came: 0 };
		} else if (isSlow)
			this.reduced = Math.min(this.reduced, Math.max(documented, Math.floor(size / 2)));
		return failure;
	}

	/** The most to ask for at once. @param pageSize as people set it: below what was lost, it is worth another try */
	atOnce(pageSize: number): number {
		const { lost, came } = this.loss;
		const { documentedPageSize: documented } = ENDPOINTS[this.endpoint];
		const isSafe = lost === Infinity || pageSize < lost;
		const safe = isSafe ? Infinity : Math.max(documented, Math.min(Math.floor(lost / 2), came));
		return Math.min(pageSize, this.most, this.reduced, safe);
	}

	/** Rows ordered and not answered yet. */
	get pending(): number {
		let rows = 0;
		for (const { size } of this.inFlight) rows += size;
		return rows;
	}

	/** Takes in that a request is sent. */
	reserve(order: Order<Place>): void {
		this.inFlight.add(order);
		this.cost.requests += 1;
	}

	/** Takes in that nothing is learnt of its places: they are unknown again. */
	release(order: Order<Place>): void {
		this.inFlight.delete(order);
	}

	/** Counts a failure of the order's first place. @returns how often it has failed */
	countTry({ first }: Order<Place>): number {
		const tries = (this.tries.get(first) ?? 0) + 1;
		this.tries.set(first, tries);
		return tries;
	}

	/** Counts the rows of an answer. */
	protected receive(order: Order<Place>, { rows, bytes = 0 }: Page): void {
		this.inFlight.delete(order);
		this.tries.delete(order.first);
		this.isAnswered = true;
		this.bytes += bytes + rows.length * BYTES_BESIDE;
		if (rows.length > 0) {
			this.bytesARow = bytes / rows.length;
			this.boughtAt ??= Date.now();
		}
		this.reduced = Math.min(this.reduced * 2, Math.ceil(LARGE_BYTES / this.bytesARow));
		this.largestAnswer = Math.max(this.largestAnswer, rows.length);
		this.cost.charged += rows.length;
	}

	/** Takes in what an answer contradicts: nothing more is requested. */
	protected break(contradiction: Contradiction): Failure {
		this.broken ??= { kind: 'protocolViolation', ...contradiction };
		return this.broken;
	}
}

/** The profile that a row is about, by which rows are compared; undefined where it names none. */
export function profileOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' && isAddress(url) ? url : undefined;
}

/** Whether two rows are the same: by their profile, or to the letter where they name none. */
export function isSameRow(a: Json, b: Json): boolean {
	const profile = profileOf(b);
	if (profile !== undefined) return profileOf(a) === profile;
	return JSON.stringify(a) === JSON.stringify(b);
}

/** A word such as N/A stands in many rows, and tells no profiles apart. */
function isAddress(text: string): boolean {
	return text.includes('/') && text.includes('.');
}
