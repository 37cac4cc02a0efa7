/**
 * The credits that may still be spent. Credits are reserved before a request is sent, and released if the response
 * didn't charge them.
 *
 * @example
 * const budget = budgetOf(100);
 * budget.reserve(50); // before a request for 50 rows: 50 remain
 * budget.release(20); // the response had 30 rows: 70 remain
 */
export interface Budget {
	/** The credits that are neither spent nor reserved for requests in flight. */
	readonly remaining: number;
	reserve(credits: number): void;
	/** Can be negative: a response with 52 rows to a request for 50 releases -2. */
	release(credits: number): void;
}

/** @param credits Infinity for free operations */
export function budgetOf(credits: number): Budget {
	let remaining = credits;
	return {
		get remaining() {
			return remaining;
		},
		reserve(reserved) {
			remaining -= reserved;
		},
		release(released) {
			remaining += released;
		},
	};
}
