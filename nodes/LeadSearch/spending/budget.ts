/** What a run may spend (contract, "Credit model": 1 credit for each row returned). */
import type { SpendingLimit } from '../messages/stoppedRun';
import type { Budget } from '../paging/budget';
import type { Cost } from '../paging/ledger';
import { addCosts, NO_COST, spentIn } from './cost';
import type { ExecutionScope } from './scope';

/** The limits of a run, in credits; Infinity for no limit. */
export interface Limits {
	maxCredits: number;
	/** The credential's Credit Ceiling, which other nodes of the execution spend, too. */
	ceiling: number;
}

/**
 * The budget of one run: what its scope has spent before, and what may still be spent. Whatever is reserved counts as
 * spent until a response comes, also for other nodes.
 */
export class RunBudget implements Budget {
	/** What the scope had spent before this run. */
	readonly spentBefore: Cost;
	private reserved = 0;

	constructor(
		private readonly scope: Pick<ExecutionScope, 'spending' | 'isExecution'>,
		private readonly limits: Limits,
	) {
		this.spentBefore = scope.spending.towardMaxCredits;
	}

	get remaining(): number {
		const { maximum, ceiling } = this.remainingByLimit;
		return Math.min(maximum, ceiling);
	}

	reserve(credits: number): void {
		this.reserved += credits;
		this.scope.spending.record({ ...NO_COST, possiblyCharged: this.reserved });
	}

	release(credits: number): void {
		this.reserve(-credits);
	}

	/** The limit of which least is left, for messages. */
	get tightestLimit(): SpendingLimit {
		const { maximum, ceiling } = this.remainingByLimit;
		const { isExecution } = this.scope;
		return ceiling < maximum
			? { kind: 'ceiling', credits: this.limits.ceiling, remaining: ceiling, isExecution }
			: { kind: 'maximum', credits: this.limits.maxCredits, remaining: maximum, isExecution };
	}

	/** What the scope has spent, with what this run has spent. */
	totalWith(runCost: Cost): Cost {
		return addCosts(this.spentBefore, runCost);
	}

	/** Replaces what was reserved by what the run has cost. */
	settle(runCost: Cost): void {
		this.scope.spending.record(runCost);
	}

	private get remainingByLimit(): { maximum: number; ceiling: number } {
		const { maxCredits, ceiling } = this.limits;
		return {
			maximum: maxCredits - spentIn(this.spentBefore) - this.reserved,
			ceiling: ceiling - this.scope.spending.towardCeiling,
		};
	}
}
