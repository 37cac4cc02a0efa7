import type { Failure } from '../api/failures';
import type { PagedList } from './pagedList';

/** The cost of a list in a run, or of several runs. One row costs one credit, except in previews, which are free. */
export interface Cost {
	charged: number;
	/** The rows among `charged` that the list had already. */
	wasted: number;
	/**
	 * The rows (Look Up: URLs) of requests without a usable response. The service may have charged for them, so they
	 * count as spent.
	 */
	possiblyCharged: number;
	/**
	 * The number of requests without a usable response. It includes each 500, 502 and 503, although their rows don't
	 * count as spent: the contract doesn't say whether these are charged.
	 */
	lostResponses: number;
	/** The latest failure that may have been charged, except cancelled requests. */
	lastLoss?: Failure;
	/** Retries are included. */
	requests: number;
}

export const NO_COST: Readonly<Cost> = {
	charged: 0,
	wasted: 0,
	possiblyCharged: 0,
	lostResponses: 0,
	requests: 0,
};

export function spentIn({ charged, possiblyCharged }: Cost): number {
	return charged + possiblyCharged;
}

export function addCosts(a: Cost, b: Cost): Cost {
	const lastLoss = b.lastLoss ?? a.lastLoss;
	return {
		...(lastLoss && { lastLoss }),
		charged: a.charged + b.charged,
		wasted: a.wasted + b.wasted,
		possiblyCharged: a.possiblyCharged + b.possiblyCharged,
		lostResponses: a.lostResponses + b.lostResponses,
		requests: a.requests + b.requests,
	};
}

/** Adds up costs. Requests in flight count as possibly charged: the run may end before their responses arrive. */
export function costOf(lists: Iterable<PagedList>): Cost {
	let sum: Cost = NO_COST;
	for (const { cost, rowsInFlight, inFlight } of lists)
		sum = addCosts(sum, {
			...cost,
			possiblyCharged: cost.possiblyCharged + rowsInFlight,
			lostResponses: cost.lostResponses + inFlight.size,
		});
	return sum;
}
