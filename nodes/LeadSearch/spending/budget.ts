import type { SpendingLimit } from '../messages/stoppedRun';
import type { Budget } from '../paging/budget';
import type { Cost } from '../paging/pagedList';
import { addCosts, NO_COST, spentIn } from './cost';
import type { ExecutionScope } from './scope';

/** The limits are in credits. Infinity means no limit. */
export interface Limits {
	maxCredits: number;
	/** A limit in the credential, which all nodes of the execution with this credential share. */
	ceiling: number;
}

/**
 * The limits of a run minus the credits that earlier runs with the same limits have spent. Until {@link settle} is
 * called, reserved credits count as possibly charged, also for other nodes that share a limit.
 */
export class RunBudget implements Budget {
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

	/** The limit that leaves this run the fewest credits. */
	get tightestLimit(): SpendingLimit {
		const { maxCredits, ceiling } = this.remainingByLimit;
		const { isExecution } = this.scope;
		return ceiling < maxCredits
			? { kind: 'creditCeiling', credits: this.limits.ceiling, remaining: ceiling, isExecution }
			: { kind: 'maxCredits', credits: this.limits.maxCredits, remaining: maxCredits, isExecution };
	}

	totalWith(runCost: Cost): Cost {
		return addCosts(this.spentBefore, runCost);
	}

	/** Replaces the reserved credits by the actual cost. */
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
