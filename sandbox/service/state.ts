import { AccountStore } from './accounts/accountStore';
import type { Behaviour } from './accounts/behaviour';
import { FaultStore } from './faults/faultStore';
import type { Served } from './handle';
import type { Limiter } from './limits/limits';
import { RequestLog } from './log/requestLog';

/** How to start a service; everything has a default. */
export interface ServiceOptions {
	/** A free one unless given. */
	port?: number;
	/**
	 * Whether answers are kept ready to be sent, so that asking again costs the service no time, and
	 * a client can be measured and not the service. They are charged every time.
	 */
	keepsAnswers?: boolean;
	/** The clock of rate limits, in milliseconds since 1970. */
	now?: () => number;
}

/** Everything that a running service is made of. */
export type State = ReturnType<typeof createState>;

/** @param closing aborts when the service closes */
export function createState(options: ServiceOptions, closing: AbortSignal) {
	const { keepsAnswers = false } = options;
	// The time of day that goes on when a test has set the clock.
	const { now = () => performance.timeOrigin + performance.now() } = options;
	return {
		closing,
		now,
		accounts: new AccountStore(),
		faults: new FaultStore(),
		log: new RequestLog(),
		/** How requests without an account are treated: every preview, and unknown credentials. */
		anonymous: {} as Behaviour,
		/** By id of the account; of all requests without one, ''. */
		limiters: new Map<string, Limiter>(),
		/** Answers to send again, by question; every answer is worked out anew without it. */
		ready: keepsAnswers ? new Map<string, Served>() : undefined,
	};
}
