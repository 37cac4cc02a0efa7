/** A pull whose service, waits and luck are in the test's hands. No time passes. */
import type { PageAnswer } from '../../nodes/LeadSearch/service/contract';
import { CreditAccount } from '../../nodes/LeadSearch/service/credits';
import type { Failure, Outcome } from '../../nodes/LeadSearch/service/failures';
import { Pace } from '../../nodes/LeadSearch/service/pace';
import { startWalk, type PageAsk } from '../../nodes/LeadSearch/service/paging';
import { pull, type PullResult } from '../../nodes/LeadSearch/service/pull';
import { maxResultsOf, numbersOf, serve, type ServiceModel, type Wish } from './serviceModel';

/** What happens to a request on its way. */
export type Fate =
	/** It is answered. */
	| 'answered'
	/** It is answered with these words instead, and nothing is charged. */
	| Failure
	/** The service answers and charges; the answer is lost on its way back. */
	| { lost: Failure }
	/** It is answered, and meanwhile the execution is cancelled. */
	| 'cancelledMeanwhile'
	/** It is answered, with something in the answer that doesn't fit. */
	| 'misfit'
	/** It is answered as if it were page 11, in pages of the size asked for. */
	| 'misplaced';

export interface Pulled {
	result: PullResult;
	credits: CreditAccount;
	asks: PageAsk[];
	/** Numbers of the rows handed on, in order. */
	delivered: number[];
	/** Rows that the service charged for. */
	chargedByService: number;
	/** Milliseconds of each wait, in order. */
	waits: number[];
	/** Requests sent after the execution was cancelled. */
	asksAfterCancel: number;
	/** Requests under way when each was sent, itself included. */
	atOnce: number[];
}

export interface Setting {
	/** The fate of each request in turn; after the last one all are answered. */
	fates?: Fate[];
	maxRetries?: number;
	random?: number;
	parallelPages?: number;
	/** The largest page that the service takes; it refuses larger ones. */
	refusesAbove?: number;
	/** Cancels the execution during a wait, counted from 0. */
	cancelInWait?: number;
	defaultPageSize?: number;
	/**
	 * Which of the requests under way is handled and answered next: a number from 0 for each, taken
	 * from the front of the list and then 0.
	 */
	order?: number[];
	/** A list that costs nothing. */
	free?: boolean;
}

/** Runs a pull against the service model; fails loudly when it doesn't come to an end. */
export async function pullThrough(
	service: ServiceModel,
	wish: Wish,
	setting: Setting = {},
): Promise<Pulled> {
	const cancel = new AbortController();
	const credits = new CreditAccount(wish.budget);
	const asks: PageAsk[] = [];
	const delivered: number[] = [];
	const waits: number[] = [];
	let chargedByService = 0;
	let asksAfterCancel = 0;
	const atOnce: number[] = [];
	const underWay: Array<() => void> = [];
	const order = [...(setting.order ?? [])];

	const answer = (ask: PageAsk): Outcome<PageAnswer> => {
		if (setting.refusesAbove !== undefined && ask.size > setting.refusesAbove) {
			return { failure: { kind: 'refused', status: 422 } };
		}
		const outcome = serve(service, ask, maxResultsOf(wish));
		if ('value' in outcome) chargedByService += outcome.value.rows.length;
		return outcome;
	};
	const meet = (fate: Fate, ask: PageAsk): Outcome<PageAnswer> => {
		if (fate === 'cancelledMeanwhile') cancel.abort();
		if (typeof fate !== 'string' && 'kind' in fate) return { failure: fate };
		const outcome = answer(ask);
		if ('failure' in outcome) return outcome;
		if (typeof fate !== 'string') return { failure: fate.lost };
		if (fate === 'misplaced') {
			return { value: { ...outcome.value, page: 11, perPage: ask.size, nextPage: 12 } };
		}
		if (fate === 'misfit') return { value: { ...outcome.value, misfit: 'it does not fit' } };
		return outcome;
	};

	const result = await pull({
		walk: startWalk({
			surePageSize: setting.defaultPageSize ?? 25,
			...wish,
			prove: setting.free !== true,
		}),
		fetchPage: (ask) => {
			if (asks.length > 20_000) throw new Error('still asking');
			if (cancel.signal.aborted) asksAfterCancel += 1;
			const fate = setting.fates?.[asks.length] ?? 'answered';
			asks.push(ask);
			return new Promise((resolve) => {
				underWay.push(() => {
					// n8n ends a request under way when the execution is cancelled; it may have arrived.
					const ended: Fate = { lost: { kind: 'cancelled', inFlight: true } };
					resolve(meet(cancel.signal.aborted ? ended : fate, ask));
				});
				atOnce.push(underWay.length);
				setImmediate(() => {
					const [answerNext] = underWay.splice((order.shift() ?? 0) % underWay.length, 1);
					answerNext?.();
				});
			});
		},
		onRows: (rows) => {
			delivered.push(...numbersOf(rows));
		},
		...(setting.free !== true && { credits }),
		parallelPages: setting.parallelPages ?? 1,
		pace: new Pace(),
		maxRetries: setting.maxRetries ?? 3,
		wait: (milliseconds) => {
			if (setting.cancelInWait === waits.length) cancel.abort();
			waits.push(milliseconds);
			return Promise.resolve();
		},
		random: () => setting.random ?? 0,
		cancelSignal: cancel.signal,
	});
	return { result, credits, asks, delivered, chargedByService, waits, asksAfterCancel, atOnce };
}
