import { addCosts, NO_COST, spentIn, type Cost } from './cost';

/** A limit of a run, and how many of its credits the run may still spend. */
export interface SpendingLimit {
	kind: 'maxCredits' | 'creditCeiling';
	credits: number;
	remaining: number;
	/**
	 * Whether the limit is for one execution. Calls by n8n's own Agents, for example, have no execution. Their limit then
	 * applies to all calls with the credential in the last 60 minutes.
	 */
	isExecution: boolean;
}

/** The spending of other runs that counts toward the limits of a run. */
export interface OtherSpending {
	/** The cost of the earlier runs that share Max Credits. */
	readonly before: Cost;
	/** The credits of all other runs that share Credit Ceiling. They can grow during the run. */
	towardCeiling(): number;
	readonly isExecution: boolean;
}

export const NO_OTHERS: OtherSpending = {
	before: NO_COST,
	towardCeiling: () => 0,
	isExecution: true,
};

/**
 * The credits of a run. They are reserved before a request is sent, and released if the response didn't charge them.
 */
export class Credits {
	/** The credits that the run has spent, may have spent, or has requests in flight for. */
	reserved = 0;

	/** The limits are in credits. Infinity means no limit. */
	constructor(
		private readonly limits: { maxCredits: number; ceiling?: number },
		private readonly others = NO_OTHERS,
	) {}

	get before(): Cost {
		return this.others.before;
	}

	get remaining(): number {
		return this.tightestLimit.remaining;
	}

	/** The limit that leaves this run the fewest credits. */
	get tightestLimit(): SpendingLimit {
		const { isExecution } = this.others;
		const { maxCredits, ceiling = Infinity } = this.limits;
		const ofNode = maxCredits - spentIn(this.before) - this.reserved;
		const ofCeiling = ceiling - this.others.towardCeiling() - this.reserved;
		return ofCeiling < ofNode
			? { kind: 'creditCeiling', credits: ceiling, remaining: ofCeiling, isExecution }
			: { kind: 'maxCredits', credits: maxCredits, remaining: ofNode, isExecution };
	}

	reserve(credits: number): void {
		this.reserved += credits;
	}

	/** `credits` can be negative: a response with 52 rows to a request for 50 releases -2. */
	release(credits: number): void {
		this.reserved -= credits;
	}

	totalWith(runCost: Cost): Cost {
		return addCosts(this.before, runCost);
	}
}
