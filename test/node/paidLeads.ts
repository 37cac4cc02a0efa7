/**
 * A model of promise 4 that uses only the service's ledger: an execution doesn't pay for what its account has paid for
 * less than Reuse Paid Results before the execution started, or since then. A Retry counts from the first execution. Leads
 * that were renewed can be reused until they are twice as old, but needn't be. Rows with `raw` serve requests without it.
 */
interface RunRequest {
	executionId: string;
	/** The value of Reuse Paid Results. */
	minutes: number;
	leads: readonly number[];
	isRaw?: boolean;
}

const keyOf = (lead: number, isRaw = false) => `${lead} ${isRaw}`;

export class PaidLeads {
	private readonly paidAt = new Map<string, number>();
	private readonly startedAt = new Map<string, number>();

	begin(executionId: string, now: number, retryOf = ''): void {
		this.startedAt.set(executionId, this.startedAt.get(retryOf) ?? now);
	}

	/** Returns the leads that must not be paid for again or, with `factor` 2, the leads that may be returned for free. */
	reusable({ executionId, minutes, leads, isRaw }: RunRequest, factor = 1): ReadonlySet<number> {
		const startedAt = this.startedAt.get(executionId) ?? 0;
		const isReusable = (paidAt = -Infinity) =>
			paidAt >= startedAt || paidAt > startedAt - factor * minutes * 60_000;
		const forms = isRaw ? [true] : [true, false];
		return new Set(
			leads.filter((lead) => forms.some((form) => isReusable(this.paidAt.get(keyOf(lead, form))))),
		);
	}

	pay(leads: readonly number[], now: number, request: RunRequest): void {
		for (const lead of leads) this.paidAt.set(keyOf(lead, request.isRaw), now);
	}
}
