/** Figures of responses that were lost. */
export interface LostFigures {
	/** Rows of responses that can't be used or were lost; the service may have charged them. */
	possiblyCharged: number;
	/** Requests whose response can't be used or was lost. */
	lostResponses: number;
}

/** Figures of an account of credits. */
export interface CreditFigures extends LostFigures {
	/** Rows that came back and were charged. */
	charged: number;
	/** Requests sent to endpoints that cost credits. */
	requests: number;
	/** Rows emitted. */
	returned: number;
	/** Of `possiblyCharged` and `lostResponses`, what a run that ended well has told. */
	told?: LostFigures;
}

/** What one of the runs of an execution spent. */
export type RunFigures = Pick<CreditFigures, 'charged' | 'requests' | 'returned'>;

/**
 * The account of credits: 1 credit for each row returned (contract, "Credit model"). There is one for
 * each execution of the workflow, across all input items, pages, runs and tries of the node.
 */
export class CreditAccount implements CreditFigures {
	charged = 0;
	possiblyCharged = 0;
	lostResponses = 0;
	requests = 0;
	returned = 0;
	told: LostFigures = { possiblyCharged: 0, lostResponses: 0 };

	/** @param before what earlier runs of the same execution spent */
	constructor(before: Partial<CreditFigures> = {}) {
		Object.assign(this, before);
	}

	/** The figures as they are now. */
	figures(): CreditFigures {
		const { charged, possiblyCharged, lostResponses, requests, returned, told } = this;
		return { charged, possiblyCharged, lostResponses, requests, returned, told };
	}

	/** What was lost and is not told yet: n8n drops what is told by a try that it repeats. */
	untold(): LostFigures {
		return {
			possiblyCharged: this.possiblyCharged - this.told.possiblyCharged,
			lostResponses: this.lostResponses - this.told.lostResponses,
		};
	}

	/** A run that ended well tells what was lost. */
	tell(): void {
		const { possiblyCharged, lostResponses } = this;
		this.told = { possiblyCharged, lostResponses };
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

/**
 * Credits that may still be spent. What may have been charged counts as spent.
 *
 * @param budget Credit Budget; Infinity where none is set
 */
export function creditsLeft(budget: number, { charged, possiblyCharged }: CreditFigures): number {
	return Math.max(0, budget - charged - possiblyCharged);
}

/** What was spent since an earlier state of the account. */
export function since(before: CreditFigures, account: CreditFigures): RunFigures {
	return {
		charged: account.charged - before.charged,
		requests: account.requests - before.requests,
		returned: account.returned - before.returned,
	};
}
