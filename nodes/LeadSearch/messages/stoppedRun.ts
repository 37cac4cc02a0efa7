/** What people read of a run that did not come to its end: what was charged, and how to get the rest without paying twice. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { quantity } from './quantity';

/** What has not come of what a task wants. */
export interface Missing {
	/** The input items that lack something. */
	items: number[];
	/** Rows of a list that may exist, in order; a limit of null is an open end. Undefined for a lookup. */
	ranges?: Array<{ skip: number; limit: number | null }>;
	/** Rows that were wanted from `skip` on; null for all. */
	wanted?: { skip: number; limit: number | null };
	/** Number of URLs of a lookup of which it is not known whether there is a profile. */
	urls?: number;
}

/** The state of a task, and of the whole execution, when a run stopped part-way. */
export interface StoppedRun {
	endpoint: Endpoint;
	missing: Missing;
	/** Rows of this task that have come, those paid for in an earlier run included. */
	fetched: number;
	/** What the execution has spent so far, in credits; answers that were lost, and their rows. */
	spending: { charged: number; atRisk: number; lost: number };
	/** Whether the rows come out (On Error is one of the Continue modes). */
	continues: boolean;
	/** Whether n8n offers to retry the execution. */
	isRetryable: boolean;
	/** How long what was paid for is kept, in minutes; 0 where it is not. */
	minutesKept: number;
	/** Whether it could be kept: n8n's memory takes so much only. */
	hasRoom: boolean;
}

/** Sentences for the description of a failure; none where nothing costs credits. */
export function formatStoppedRun(run: StoppedRun): string {
	const { endpoint, fetched, spending } = run;
	if (!ENDPOINTS[endpoint].costsCredits) return '';
	const sentences = [
		...(fetched > 0 ? formatKept(run) : []),
		formatSpent(fetched, spending.charged),
		formatLost(spending),
	];
	const text = sentences.filter((sentence) => sentence !== '').join(' ');
	return text === '' ? 'Nothing was charged.' : text;
}

/** The same as data, for workflows that go on by themselves. */
export function stoppedRunDetails(run: StoppedRun, status: number | undefined): Json {
	const { missing, fetched, spending } = run;
	const { ranges, wanted, urls = 0 } = missing;
	return {
		status: status ?? null,
		creditsSpent: spending.charged,
		fetched,
		...(ranges && wanted && restOf(ranges, wanted)),
		missing: ranges ?? urls,
	};
}

/** The first row that is missing, and how many are wanted from there on; null for all. */
function restOf(
	[first]: NonNullable<Missing['ranges']>,
	wanted: NonNullable<Missing['wanted']>,
): NonNullable<Missing['wanted']> {
	const end = wanted.limit === null ? null : wanted.skip + wanted.limit;
	const skip = first?.skip ?? end ?? wanted.skip;
	return { skip, limit: end === null ? null : end - skip };
}

/** Where the rows are, and how to get the rest. */
function formatKept(run: StoppedRun): string[] {
	const { endpoint, fetched, continues, isRetryable, minutesKept, hasRoom } = run;
	const { noun } = ENDPOINTS[endpoint];
	const rowsAre = `Your ${quantity(fetched, `${noun} is`)}`;
	const bySkip = continues ? formatSkip(run) : '';
	if (minutesKept === 0 || !hasRoom) {
		const why = hasRoom ? 'Reuse Paid Results is 0' : "They are more than n8n's memory keeps";
		const where = continues ? `${rowsAre} in the output.` : '';
		const again = `${why}, so running again pays for ${quantity(fetched, noun)} again.`;
		return [where, bySkip === '' ? again : `To get only the rest, ${bySkip}.`];
	}
	const out = continues ? 'in the output and kept' : 'kept';
	const retry = isRetryable ? ' (or Retry under Executions)' : '';
	return [
		`${rowsAre} ${out} for ${quantity(minutesKept, 'minute')}.`,
		`Run again${retry}: you pay only for the rest.`,
		bySkip === '' ? '' : `After that, ${bySkip} to get only the rest.`,
	];
}

/** One number for Skip; for rows that have come out alone, since it gives up all before it. */
function formatSkip({ missing: { ranges, wanted } }: StoppedRun): string {
	const [first] = ranges ?? [];
	if (!first || !wanted || first.skip === wanted.skip) return '';
	return `set Skip (under Options) to ${first.skip}`;
}

function formatSpent(fetched: number, charged: number): string {
	if (charged === fetched || charged === 0) return '';
	return `This execution has spent ${quantity(charged, 'credit')}.`;
}

/** Answers that were lost. */
export function formatLost({ lost, atRisk }: { lost: number; atRisk: number }): string {
	if (lost === 0) return '';
	return `${quantity(lost, 'answer was')} lost or could not be used; up to ${quantity(atRisk, 'credit')} may have been charged.`;
}
