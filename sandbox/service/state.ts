import type { AccountStore } from './accounts/accountStore';
import type { Behaviour } from './accounts/behaviour';
import type { LeadStore } from './data/leadStore';
import type { FaultStore } from './faults/faultStore';
import type { Limiter } from './limits/limits';
import type { RequestLog } from './log/requestLog';
import type { ReadyAnswers } from './readyAnswers';

/** An answer that left its schema, and so became a 500. */
export interface SchemaBreach {
	path: string;
	/** Status of the answer that was meant. */
	status: number;
	/** What doesn't fit. */
	problems: string;
}

/** Everything that a running service is made of. */
export interface State {
	readonly store: LeadStore;
	readonly accounts: AccountStore;
	readonly faults: FaultStore;
	readonly log: RequestLog;
	readonly breaches: SchemaBreach[];
	/** How requests without an account are treated: every preview, and unknown credentials. */
	anonymous: Behaviour;
	/** By id of the account; of all requests without one, ''. */
	readonly limiters: Map<string, Limiter>;
	/** Answers to send again; every answer is worked out anew without it. */
	readonly ready?: ReadyAnswers;
	/** Milliseconds that every request waits before it is handled. */
	readonly latencyMs: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Aborts when the service closes. */
	readonly closing: AbortSignal;
}
