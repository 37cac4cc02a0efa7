import { NO_COST, type Cost, type PagedList } from '../paging/pagedList';

export { NO_COST };

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

/** Requests in flight count as possibly charged, because the run may end before their responses arrive. */
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
