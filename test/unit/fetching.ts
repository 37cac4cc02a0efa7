/** Fetches with a service, an order of responses and failures that are in the test's hands. No time passes. */
import { ConcurrencyLimit } from '../../nodes/LeadSearch/api/concurrency';
import type { Page } from '../../nodes/LeadSearch/api/contract';
import type { CreditAccount } from '../../nodes/LeadSearch/api/credits';
import type { Failure, Outcome } from '../../nodes/LeadSearch/api/failures';
import {
	fetchPages,
	type AnyRequest,
	type FetchResult,
	type Pagination,
} from '../../nodes/LeadSearch/api/fetchPages';

/** What happens to a request on its way. */
export type Fate =
	| 'answered'
	/** It fails, and nothing is charged. */
	| Failure
	/** The service answers and charges, and the response is lost. */
	| { lost: Failure }
	/** It is answered, and meanwhile the execution is cancelled. */
	| 'cancelledMeanwhile'
	/** It is answered with something that contradicts the contract. */
	| 'violation';

export interface Setting {
	/** The fate of each request in turn; after the last one all are answered. */
	fates?: Fate[];
	/** Which of the requests in flight is handled next: a number from 0 for each, then 0. */
	order?: number[];
	parallelPages?: number;
	maxRetries?: number;
	/** For jitter, from 0 up to 1. */
	random?: number;
	/** Cancels the execution during a wait, counted from 0. */
	cancelInWait?: number;
	/** What becomes of all requests from a number on, counted from 0. */
	lasting?: { from: number; fate: Fate };
}

export interface Fetched<Request> {
	result: FetchResult;
	requests: Request[];
	/** Milliseconds of each wait, in order. */
	waits: number[];
	requestsAfterCancel: number;
	/** Requests in flight when each was sent, itself included. */
	atOnce: number[];
	/** Requests that failed on their way. */
	failures: number;
}

/** More than any list or lookup of these tests takes. */
const MAX_REQUESTS = 1_000;

/** As many at once as are allowed, from the start: more can go wrong than with the node's own limit. */
class AtOnce extends ConcurrencyLimit {
	override waitBefore(inFlight: number, most: number): number {
		return inFlight < most ? 0 : Infinity;
	}
}

interface Job<Request> extends Setting {
	pagination: Pagination<Request>;
	credits?: CreditAccount;
	/** Credit Budget; Infinity without one. */
	budget: number;
	serve: (request: Request) => Outcome<Page>;
	/** Called before a request is sent. */
	onSend?: (request: Request, inFlight: readonly Request[]) => void;
}

export async function fetchAll<Request extends AnyRequest>(
	job: Job<Request>,
): Promise<Fetched<Request>> {
	const { fates = [], lasting, onSend } = job;
	const cancel = new AbortController();
	const order = [...(job.order ?? [])];
	const inFlight: Array<{ request: Request; respond: () => void }> = [];
	const log = {
		requests: [] as Request[],
		waits: [] as number[],
		requestsAfterCancel: 0,
		atOnce: [] as number[],
		failures: 0,
	};

	const meet = (request: Request, fate: Fate): Outcome<Page> => {
		if (fate === 'cancelledMeanwhile') cancel.abort();
		if (typeof fate === 'object' && 'kind' in fate) return { failure: fate };
		const outcome = job.serve(request);
		if (typeof fate === 'object' && 'value' in outcome) return { failure: fate.lost };
		if (fate !== 'violation' || 'failure' in outcome) return outcome;
		return { value: { ...outcome.value, violation: 'it contradicts the contract' } };
	};

	const fetchPage = async (request: Request): Promise<Outcome<Page>> => {
		const { requests } = log;
		if (cancel.signal.aborted) log.requestsAfterCancel += 1;
		onSend?.(
			request,
			inFlight.map((other) => other.request),
		);
		const isLasting = lasting !== undefined && requests.length >= lasting.from;
		const fate = isLasting ? lasting.fate : (fates[requests.length] ?? 'answered');
		requests.push(request);
		if (requests.length > MAX_REQUESTS) throw new Error('It requests pages for ever');
		return await new Promise((resolve) => {
			const respond = () => {
				// n8n ends a request in flight when the execution is cancelled; it may have arrived.
				const ended: Fate = { lost: { kind: 'cancelled', inFlight: true } };
				const outcome = meet(request, cancel.signal.aborted ? ended : fate);
				if ('failure' in outcome) log.failures += 1;
				resolve(outcome);
			};
			inFlight.push({ request, respond });
			log.atOnce.push(inFlight.length);
			setImmediate(() => {
				const [next] = inFlight.splice((order.shift() ?? 0) % inFlight.length, 1);
				next?.respond();
			});
		});
	};

	const result = await fetchPages<Request>({
		pagination: job.pagination,
		fetchPage,
		...(job.credits && { credits: job.credits }),
		budget: job.budget,
		parallelPages: job.parallelPages ?? 1,
		concurrency: new AtOnce(),
		maxRetries: job.maxRetries ?? 3,
		wait: (milliseconds) => {
			if (job.cancelInWait === log.waits.length) cancel.abort();
			log.waits.push(milliseconds);
			return Promise.resolve();
		},
		random: () => job.random ?? 0,
		now: Date.now,
		cancelSignal: cancel.signal,
	});
	return { result, ...log };
}
