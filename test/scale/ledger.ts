/** Compares the leads that the mock service has charged with those that n8n's executions have delivered. */

/** A stop of n8n, by a signal or by a kill. */
export interface Stop {
	/** When n8n got the signal, in milliseconds since 1970. */
	readonly at: number;
	/** The number of charged leads when n8n had ended. */
	readonly charged: number;
}

/** The ledger of one trigger. Leads are numbers. */
export interface Ledger {
	/** The charged leads in order. A lead that was charged twice occurs twice. */
	readonly charged: readonly number[];
	/** The leads in n8n's executions, with the times when the executions ended. */
	readonly delivered: ReadonlyArray<{ readonly lead: number; readonly at: number }>;
	readonly stops: readonly Stop[];
	/** What the trigger says that it has spent in total. */
	readonly recorded: number;
}

/**
 * Finds what no page and no promise allows. A poll is at risk if it had not delivered its leads when n8n was stopped.
 *
 * - With durable cursors, each charged lead is delivered once. Without them, leads of polls at risk may be delivered never,
 *   or once more.
 * - Only leads of polls at risk are charged again, once per stop.
 * - Each stop puts at most one poll at risk.
 * - The recorded spending has all charges, except those of polls at risk.
 */
export function findViolations(
	{ charged, delivered, stops, recorded }: Ledger,
	isDurable: boolean,
) {
	const atRisk = stops.map((stop, index) => {
		const isDelivered = new Set(delivered.filter(({ at }) => at < stop.at).map(({ lead }) => lead));
		const since = charged.slice(stops[index - 1]?.charged ?? 0, stop.charged);
		return since.filter((lead) => !isDelivered.has(lead));
	});
	const count = (leads: readonly number[], lead: number) =>
		leads.filter((other) => other === lead).length;
	const timesAtRisk = (lead: number) => count(atRisk.flat(), lead);
	const leads = [...new Set(charged)];
	const deliveries = delivered.map(({ lead }) => lead);
	const allowance = (lead: number) => (isDurable ? 0 : timesAtRisk(lead));
	return {
		neverDelivered: leads.filter((lead) => !deliveries.includes(lead) && allowance(lead) === 0),
		deliveredTooOften: leads.filter((lead) => count(deliveries, lead) > 1 + allowance(lead)),
		notCharged: deliveries.filter((lead) => !leads.includes(lead)),
		chargedTooOften: leads.filter((lead) => count(charged, lead) > 1 + timesAtRisk(lead)),
		mostAtRisk: Math.max(0, ...atRisk.map(({ length }) => length)),
		notRecorded: Math.max(0, charged.length - atRisk.flat().length - recorded),
	};
}
