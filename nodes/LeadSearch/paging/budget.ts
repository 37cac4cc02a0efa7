/** The credits that may still be spent. */
export interface Budget {
	/** The credits that are neither spent nor reserved for requests in flight. */
	readonly remaining: number;
	/** Subtracts credits before a request is sent. */
	reserve(credits: number): void;
	/**
	 * Gives back reserved credits that were not charged. A negative number takes credits that were charged in
	 * addition.
	 */
	release(credits: number): void;
}

/**
 * Creates a budget of a fixed number of credits.
 *
 * @param credits the credits that may be spent; Infinity for free operations
 */
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
