/**
 * How many requests are in flight at once. The contract shows no rate limit, so a 429 is the only
 * sign that there is one: each halves the number, for the rest of the execution.
 */
export class ConcurrencyLimit {
	private slowdowns = 0;

	slowDown(): void {
		this.slowdowns += 1;
	}

	/** @param wanted requests at once as the user set them, at least 1 */
	requestsAtOnce(wanted: number): number {
		return Math.max(1, Math.floor(wanted / 2 ** this.slowdowns));
	}
}
