/**
 * A model of promise 4 that uses only the service's ledger: an execution doesn't pay for what its account has paid for
 * less than Reuse Paid Results before the execution started, or since then. A Retry counts from the first execution.
 */
interface RunRequest {
	executionId: string;
	/** The value of Reuse Paid Results. */
	minutes: number;
	leads: readonly number[];
	isRaw?: boolean;
}

const keyOf = (lead: number, { isRaw = false }: RunRequest) => `${lead} ${isRaw}`;

export class PaidLeads {
	private readonly paidAt = new Map<string, number>();
	private readonly startedAt = new Map<string, number>();

	begin(executionId: string, now: number, retryOf = ''): void {
		this.startedAt.set(executionId, this.startedAt.get(retryOf) ?? now);
	}

	/** Returns the leads that must not be paid for again. */
	reusable(request: RunRequest): ReadonlySet<number> {
		const startedAt = this.startedAt.get(request.executionId) ?? 0;
		const isReusable = (paidAt = -Infinity) =>
			paidAt >= startedAt || paidAt > startedAt - request.minutes * 60_000;
		return new Set(
			request.leads.filter((lead) => isReusable(this.paidAt.get(keyOf(lead, request)))),
		);
	}

	pay(leads: readonly number[], now: number, request: RunRequest): void {
		for (const lead of leads) this.paidAt.set(keyOf(lead, request), now);
	}
}
