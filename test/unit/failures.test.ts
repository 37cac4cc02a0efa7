/** Tests the failures of each status and header, and their retries (contract, "Errors"). */
import {
	failureFromStatus,
	isRejection,
	mayHaveBeenCharged,
	type Failure,
	type FailureKind,
} from '../../nodes/LeadSearch/api/failures';
import { decideRetry } from '../../nodes/LeadSearch/api/retry';

const NOW = Date.UTC(2026, 4, 1, 12, 0, 0);
const isRetried = (failure: Failure) => decideRetry(failure, 1, 3, 0) !== undefined;

test('each status has its kind of failure, only 429 and 5xx are retried, and only a 413 and a 504 may be charged', () => {
	const kindByStatus: Record<number, FailureKind> = {
		401: 'unauthorized',
		402: 'noCredits',
		403: 'forbidden',
		404: 'notTheService',
		405: 'notTheService',
		407: 'proxyLogin',
		413: 'tooLargeForGateway',
		429: 'tooManyRequests',
		502: 'upstreamDown',
		503: 'upstreamDown',
		504: 'upstreamDown',
	};
	for (let status = 100; status < 600; status++) {
		if (status >= 200 && status < 300) continue;
		const otherKind = status < 400 ? 'notTheService' : status < 500 ? 'refused' : 'serverDown';
		const failure = failureFromStatus(status, {}, '{}', NOW);
		expect(failure).toMatchObject({ status, kind: kindByStatus[status] ?? otherKind });
		expect([status, isRetried(failure)]).toEqual([status, status === 429 || status >= 500]);
		expect(mayHaveBeenCharged(failure)).toBe(status === 413 || status === 504);
		expect([status, isRejection(failure)]).toEqual([status, [400, 422].includes(status)]);
	}
});

const retryAfter = (header: unknown, status = 429) =>
	failureFromStatus(status, { 'retry-after': header }, undefined, NOW).retryAfterMs;

test.each<[unknown, number | undefined]>([
	['0', 0],
	[' 120 ', 120_000],
	['Fri, 01 May 2026 12:00:30 GMT', 30_000],
	['Friday, 01-May-26 12:00:30 GMT', 30_000],
	['Fri, 01 May 2026 11:00:00 GMT', 0],
	// These are neither seconds nor HTTP dates, although Date.parse accepts them.
	['about Fri, 01 May 2026 12:00:30 GMT', undefined],
	['Fri, 01 May 2026 12:00:30 GMT+0100', undefined],
	...['', 'soon', '5s', '1.5', '-1', '10, 10', undefined, 7].map((header): [unknown, undefined] => [
		header,
		undefined,
	]),
])('a Retry-After of %j is read as a back-off of %j milliseconds', (header, milliseconds) => {
	expect(retryAfter(header)).toBe(milliseconds);
	expect(retryAfter(header, 503)).toBe(milliseconds);
});

const down: Failure = { kind: 'upstreamDown', status: 502 };
const rateLimited: Failure = { kind: 'tooManyRequests', status: 429 };
const withRetryAfter = (retryAfterMs?: number) => ({ ...rateLimited, retryAfterMs });

test.each<[string, Failure, number, Array<number | undefined>]>([
	[
		'the back-off doubles after each attempt, up to 30 s, and has jitter of up to its own length',
		down,
		0.5,
		[1_500, 3_000, 6_000, 12_000, 24_000, 30_000],
	],
	[
		'the back-off after a 429 is long enough for limits per second, then for limits per minute',
		rateLimited,
		0.9,
		[1_000, 10_000, 50_000, 50_000],
	],
	[
		'the back-off is as long as Retry-After asks, and has jitter in later attempts',
		withRetryAfter(5_000),
		0.5,
		[5_000, 6_000, 7_000],
	],
	['the back-off is 0 if Retry-After is 0', withRetryAfter(0), 0, [0]],
	['a Retry-After of two minutes is followed', withRetryAfter(120_000), 0, [120_000]],
	[
		'a failure with a Retry-After above two minutes is not retried',
		withRetryAfter(120_001),
		0,
		[undefined],
	],
	[
		'a failure with a Retry-After of too many digits is not retried',
		withRetryAfter(retryAfter('9'.repeat(400))),
		0,
		[undefined],
	],
])('%s', (_, failure, random, backOffs) => {
	const decided = backOffs.map((_backOff, index) => decideRetry(failure, index + 1, 100, random));
	expect(decided).toEqual(backOffs);
});
