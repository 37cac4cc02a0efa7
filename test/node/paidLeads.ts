/**
 * A model of promise 4, written from the design. It knows only what the service has charged, and when executions start.
 *
 * A row is a lead at an index, or a profile. All rows that one run buys are a purchase, whose time is that of its last
 * row. A run that buys rows of a search renews those that it reuses, once.
 */
interface Purchase {
	at: number;
}

interface Row {
	lead: number;
	bought: Purchase;
	renewed?: { by: Purchase; age: number };
}

/** What one run wants. */
export interface RunRequest {
	executionId: string;
	/** The value of Reuse Paid Results. */
	minutes: number;
	/** The indexes or profiles that the run requests. */
	keys: readonly number[];
	/** Whether the rows have the field `raw`. Such rows serve requests without it. */
	isRaw: boolean;
	/** Whether the run requests all rows of a search, to its end. */
	isToEnd: boolean;
}

/** A row that was charged, with its index or profile. */
export type Charge = [key: number, lead: number];

export class PaidLeads {
	private readonly rows = new Map<string, Row>();
	private readonly startedAt = new Map<string, number>();
	private end: { at: number; found: number; isCertain: boolean } | undefined;

	constructor(private readonly isSearch: boolean) {}

	/** A Retry counts as started when the first execution did. */
	begin(executionId: string, now: number, retryOf = ''): void {
		this.startedAt.set(executionId, this.startedAt.get(retryOf) ?? now);
	}

	/** Returns what a run may reuse: all `rows` if it needs nothing from the service, otherwise the `fresh` ones. */
	reusable(request: RunRequest, now: number) {
		const rows = new Map<number, Row>();
		for (const key of request.keys) {
			const usable = [true, request.isRaw]
				.map((isRaw) => this.rows.get(`${key} ${isRaw}`))
				.filter((row) => row !== undefined)
				.filter((row) => this.isFresh(row.bought.at, request) || this.isRenewed(row, request));
			// The row that was paid for last counts.
			const [last] = usable.sort((a, b) => b.bought.at - a.bought.at);
			if (last) rows.set(key, last);
		}
		const possibleEnd = this.end && this.isFresh(this.end.found, request) ? this.end.at : Infinity;
		const end = this.end?.isCertain ? possibleEnd : Infinity;
		const isComplete =
			(end < Infinity || !request.isToEnd) &&
			request.keys.every((key) => rows.has(key) || key >= end);
		// A run that must send a request reuses only rows that are fresh by their own purchase.
		const fresh = new Map([...rows].filter(([, { bought }]) => this.isFresh(bought.at, request)));
		return { rows, fresh, isComplete, end, possibleEnd, request, now };
	}

	/** Records what a run has bought. */
	pay({ fresh, request, now }: Reusable, charges: readonly Charge[], boughtAt: number): void {
		if (charges.length === 0) return;
		// An execution was running when it bought something, even if the clock was set back meanwhile.
		const bought = { at: Math.max(boughtAt, this.startedAt.get(request.executionId) ?? 0) };
		for (const row of fresh.values()) {
			const age = now - row.bought.at;
			if (this.isSearch && !row.renewed && age < minutesMs(request))
				row.renewed = { by: bought, age };
		}
		for (const [key, lead] of charges) {
			this.rows.set(`${key} ${request.isRaw}`, { lead, bought });
			if (this.end && key >= this.end.at) this.end = undefined;
		}
	}

	/** Records that a run has found the end of the list. After a stop, it isn't certain that the run has saved it. */
	noteEnd(at: number, found: number, isCertain = true): void {
		this.end = { at, found, isCertain };
	}

	private isFresh(at: number, request: RunRequest, factor = 1): boolean {
		const start = this.startedAt.get(request.executionId) ?? 0;
		return at >= start || Math.max(0, start - at) < factor * minutesMs(request);
	}

	private isRenewed({ bought, renewed }: Row, request: RunRequest): boolean {
		if (!renewed || renewed.age >= minutesMs(request)) return false;
		return this.isFresh(renewed.by.at, request) && this.isFresh(bought.at, request, 2);
	}
}

export type Reusable = ReturnType<PaidLeads['reusable']>;

const minutesMs = ({ minutes }: RunRequest) => minutes * 60_000;
