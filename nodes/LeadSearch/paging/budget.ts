/** What may still be spent, in credits. */
export interface Budget {
	/** What is left. Requests in flight are taken off. */
	readonly remaining: number;
	/** Takes credits off before a request is sent. */
	reserve(credits: number): void;
	/** Gives back credits that were reserved and not charged; takes off more if `credits` is negative. */
	release(credits: number): void;
}

/** @param credits that may be spent; Infinity for what is free */
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
