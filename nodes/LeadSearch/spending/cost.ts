/** Adds up what lists and runs have cost. */
import { NO_COST, type Cost, type Ledger } from '../paging/ledger';

export { NO_COST };

/** Credits that count as spent: those that were charged, and those that may have been. */
export function spentIn({ charged, atRisk }: Cost): number {
	return charged + atRisk;
}

export function addCosts(a: Cost, b: Cost): Cost {
	const lastLost = b.lastLost ?? a.lastLost;
	return {
		...(lastLost && { lastLost }),
		charged: a.charged + b.charged,
		repeated: a.repeated + b.repeated,
		atRisk: a.atRisk + b.atRisk,
		lost: a.lost + b.lost,
		requests: a.requests + b.requests,
	};
}

/** What lists have cost. Requests in flight count as possibly charged: they are, if the run ends before their responses come. */
export function costOf(lists: Iterable<Ledger>): Cost {
	let sum: Cost = NO_COST;
	for (const { cost, pending, inFlight } of lists)
		sum = addCosts(sum, {
			...cost,
			atRisk: cost.atRisk + pending,
			lost: cost.lost + inFlight.size,
		});
	return sum;
}
