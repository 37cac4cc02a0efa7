/**
 * The account of credits: 1 credit for each row returned (contract, "Credit model"). There is one for
 * each node execution, across all input items and pages.
 */
export class CreditAccount {
	/** Rows that came back and were charged. */
	charged = 0;

	/** Rows of answers that can't be used or were lost; the service may have charged them. */
	possiblyCharged = 0;

	/** Requests whose answer can't be used or was lost. */
	lostResponses = 0;

	/** Requests sent to endpoints that cost credits. */
	requests = 0;

	/**
	 * @param budget the most credits to spend (Credit Budget); Infinity where none is set
	 */
	constructor(readonly budget = Infinity) {}

	/** Credits that may still be spent. What may have been charged counts as spent. */
	get left(): number {
		return Math.max(0, this.budget - this.charged - this.possiblyCharged);
	}

	/** Counts a request that is sent. */
	send(): void {
		this.requests += 1;
	}

	/** Counts rows that came back. */
	charge(rows: number): void {
		this.charged += rows;
	}

	/** Counts a response that was lost, by the rows it was asked for. */
	loseResponse(rows: number): void {
		this.lostResponses += 1;
		this.possiblyCharged += rows;
	}
}
