/**
 * The credits that may still be spent. They are reserved before a request is sent, and released if the response
 * didn't charge them.
 */
export interface Budget {
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
