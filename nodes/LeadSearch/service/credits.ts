/**
 * The one place that spends credits: 1 credit for each row returned (contract, "Credit model").
 * One account of them is kept per node execution, across all input items and pages.
 */
export class CreditAccount {
	/** Rows that came back and were charged. */
	charged = 0;

	/** Rows of answers that were lost on the way back; the service may have charged them. */
	possiblyCharged = 0;

	/** Requests whose answer was lost. */
	lostAnswers = 0;

	/**
	 * @param budget the most credits to spend (Credit Budget); Infinity where none is set
	 */
	constructor(readonly budget = Infinity) {}

	/** Credits that may still be spent. What may have been charged counts as spent. */
	get left(): number {
		return Math.max(0, this.budget - this.charged - this.possiblyCharged);
	}

	/** Counts rows that came back. */
	charge(rows: number): void {
		this.charged += rows;
	}

	/** Counts an answer that was lost, by the rows it was asked for. */
	loseAnswer(rows: number): void {
		this.lostAnswers += 1;
		this.possiblyCharged += rows;
	}
}
