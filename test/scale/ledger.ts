/** Compares the leads that the mock service has charged with those that n8n's executions have delivered. */

/** A stop of n8n, by SIGTERM, by SIGKILL or by itself. */
export interface Stop {
	/** When n8n got the signal, or when the test noticed its end, in milliseconds since 1970. */
	readonly at: number;
	/** The number of charged leads when n8n had ended. */
	readonly charged: number;
}

export interface Delivery {
	readonly lead: number;
	/** The ID of the execution that contains the lead. */
	readonly execution: string;
	/** When the execution ended, in milliseconds since 1970. */
	readonly at: number;
}

/** The ledger of one trigger. Leads are numbers. */
export interface Ledger {
	/** The charged leads in order. A lead that was charged twice occurs twice. */
	readonly charged: readonly number[];
	readonly delivered: readonly Delivery[];
	readonly stops: readonly Stop[];
	/** What the trigger says that it has spent in total. */
	readonly recorded: number;
	readonly leadsPerPoll: number;
}

/**
 * Finds what the pages don't allow. A charge is at risk at a stop of n8n if, until then, n8n had delivered neither the lead
 * nor one that was charged later.
 *
 * - With durable cursors, each charged lead is delivered once. Without them, leads of polls at risk may be delivered never,
 *   or twice.
 * - Only leads of polls at risk are charged again, once per stop.
 * - Each stop loses at most the leads of one poll.
 * - The recorded spending has all charges, except those of polls at risk.
 */
export function findViolations(
	{ charged, delivered, stops, recorded, leadsPerPoll }: Ledger,
	isDurable: boolean,
) {
	const atRisk = stops.map((stop, index) => {
		const before = delivered.filter(({ at }) => at < stop.at).map(({ lead }) => lead);
		const since = charged.slice(stops[index - 1]?.charged ?? 0, stop.charged);
		return since.slice(since.findLastIndex((lead) => before.includes(lead)) + 1);
	});
	const count = (leads: readonly number[], lead: number) =>
		leads.filter((other) => other === lead).length;
	const timesAtRisk = (lead: number) => count(atRisk.flat(), lead);
	const leads = [...new Set(charged)];
	const deliveries = delivered.map(({ lead }) => lead);
	const isLost = (lead: number) => !deliveries.includes(lead);
	const allowance = (lead: number) => (isDurable ? 0 : timesAtRisk(lead));
	return {
		neverDelivered: leads.filter((lead) => isLost(lead) && allowance(lead) === 0),
		deliveredTooOften: leads.filter((lead) => count(deliveries, lead) > 1 + allowance(lead)),
		notCharged: deliveries.filter((lead) => !leads.includes(lead)),
		chargedTooOften: leads.filter((lead) => count(charged, lead) > 1 + timesAtRisk(lead)),
		lostTooMany: atRisk.filter((one) => one.filter(isLost).length > leadsPerPoll),
		notRecorded: charged.slice(recorded + atRisk.flat().length),
	};
}
