/** The budget of a run (contract, "Credit model": 1 credit for each row returned). */
import type { SpendingLimit } from '../messages/stoppedRun';
import type { Budget } from '../paging/budget';
import type { Cost } from '../paging/pagedList';
import { addCosts, NO_COST, spentIn } from './cost';
import type { ExecutionScope } from './scope';

/** The limits of a run, in credits. Infinity means no limit. */
export interface Limits {
	maxCredits: number;
	/** The Credit Ceiling: a limit in the credential that all nodes of the execution with this credential share. */
	ceiling: number;
}

/**
 * The credits that one run may still spend: its limits minus the credits that earlier runs with the same limits have
 * spent. A run reserves credits before it sends a request. Until {@link settle} is called, the reserved credits count
 * as possibly charged, also for other nodes that share a limit with this run.
 */
export class RunBudget implements Budget {
	/** The cost of all earlier runs that count toward the same Max Credits as this run. */
	readonly spentBefore: Cost;
	private reserved = 0;

	constructor(
		private readonly scope: Pick<ExecutionScope, 'spending' | 'isExecution'>,
		private readonly limits: Limits,
	) {
		this.spentBefore = scope.spending.towardMaxCredits;
	}

	get remaining(): number {
		const { maxCredits, ceiling } = this.remainingByLimit;
		return Math.min(maxCredits, ceiling);
	}

	reserve(credits: number): void {
		this.reserved += credits;
		this.scope.spending.record({ ...NO_COST, possiblyCharged: this.reserved });
	}

	release(credits: number): void {
		this.reserve(-credits);
	}

	/**
	 * The limit that leaves this run the fewest credits: Max Credits or Credit Ceiling. If a limit ends the run, the
	 * message names this one.
	 */
	get tightestLimit(): SpendingLimit {
		const { maxCredits, ceiling } = this.remainingByLimit;
		const { isExecution } = this.scope;
		return ceiling < maxCredits
			? { kind: 'creditCeiling', credits: this.limits.ceiling, remaining: ceiling, isExecution }
			: { kind: 'maxCredits', credits: this.limits.maxCredits, remaining: maxCredits, isExecution };
	}

	/** Returns the cost of this run and of all earlier runs that share its spending limits. */
	totalWith(runCost: Cost): Cost {
		return addCosts(this.spentBefore, runCost);
	}

	/** Replaces the reserved credits by the actual cost of the run. */
	settle(runCost: Cost): void {
		this.scope.spending.record(runCost);
	}

	private get remainingByLimit(): { maxCredits: number; ceiling: number } {
		const { maxCredits, ceiling } = this.limits;
		return {
			maxCredits: maxCredits - spentIn(this.spentBefore) - this.reserved,
			ceiling: ceiling - this.scope.spending.towardCeiling,
		};
	}
}
