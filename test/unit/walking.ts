/** Walks a list of the in-memory service with the paging core alone. */
import type { PageAnswer } from '../../nodes/LeadSearch/service/contract';
import {
	nextStep,
	startWalk,
	takeAnswer,
	type PageAsk,
	type Walk,
} from '../../nodes/LeadSearch/service/paging';
import { maxResultsOf, numbersOf, serve, type ServiceModel, type Wish } from './serviceModel';

/** A request as it was decided on. */
export interface Asked extends PageAsk {
	/** Rows passed when it was asked for. */
	passed: number;
	/** Credits of the budget that were left. */
	creditsLeft: number;
}

export interface Walked {
	asks: Asked[];
	/** Numbers of the rows handed on, in order. */
	received: number[];
	/** Rows charged that had come before. */
	repeated: number;
	charged: number;
	/** Why it ended: a {@link WalkEnd}, '402' or 'misfit: …'. */
	end: string;
	walk: Walk;
}

/** @throws when the walk takes more requests than any walk should */
export function walkThrough(
	service: ServiceModel,
	wish: Wish,
	{ prove = true, mostRequests = 10_000 } = {},
): Walked {
	const walked: Walked = {
		asks: [],
		received: [],
		repeated: 0,
		charged: 0,
		end: '',
		walk: startWalk({ surePageSize: 25, ...wish, prove }),
	};
	while (walked.asks.length <= mostRequests) {
		const creditsLeft = wish.budget - walked.charged;
		const step = nextStep(walked.walk, creditsLeft);
		if ('end' in step) return { ...walked, end: step.end };
		if ('wait' in step) throw new Error('nothing to wait for');
		walked.asks.push({ ...step.ask, passed: walked.walk.passed, creditsLeft });
		const outcome = serve(service, step.ask, maxResultsOf(wish));
		if ('failure' in outcome) return { ...walked, end: '402' };
		const progress = takeAnswer(walked.walk, step.ask, outcome.value);
		walked.received.push(...numbersOf(outcome.value.rows.slice(progress.firstNewRow)));
		walked.repeated += progress.firstNewRow;
		walked.charged += outcome.value.rows.length;
		walked.walk = progress.walk;
		if (progress.misfit !== undefined) return { ...walked, end: `misfit: ${progress.misfit}` };
	}
	throw new Error(`still asking after ${mostRequests} requests`);
}

/** `page × size` of each request, which is how a reader counts rows. */
export function pagesOf(asks: PageAsk[]): string[] {
	return asks.map(({ page, size }) => `page ${page} of ${size}`);
}

/** An answer with so many rows, numbered from `first`. */
export function answerWith(rows: number, fields: Partial<PageAnswer> = {}, first = 1): PageAnswer {
	return {
		rows: Array.from({ length: rows }, (_, index) => ({ number: first + index })),
		...fields,
	};
}
