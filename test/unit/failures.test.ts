/** Which failure a status, a header or a network code means (contract, "Errors"). */
import {
	failureFromStatus,
	isRefusal,
	mayHaveBeenCharged,
	type Failure,
	type FailureKind,
} from '../../nodes/LeadSearch/api/failures';
import { decideRetry } from '../../nodes/LeadSearch/api/retry';

const NOW = Date.UTC(2026, 4, 1, 12, 0, 0);
const retried = (failure: Failure) => decideRetry(failure, 1, 3, 0) !== undefined;

describe('A status', () => {
	test('of any kind has its failure; 429 and 5xx are tried again, 504 alone may be charged', () => {
		const named: Record<number, FailureKind> = {
			401: 'unauthorized',
			402: 'noCredits',
			403: 'forbidden',
			404: 'notTheService',
			405: 'notTheService',
			407: 'proxyLogin',
			429: 'tooManyRequests',
			502: 'upstreamDown',
			503: 'upstreamDown',
			504: 'upstreamDown',
		};
		for (let status = 100; status < 600; status++) {
			if (status >= 200 && status < 300) continue;
			const others = status < 400 ? 'notTheService' : status < 500 ? 'refused' : 'serverDown';
			const failure = failureFromStatus(status, {}, '{}', NOW);
			expect(failure).toMatchObject({ status, kind: named[status] ?? others });
			expect([status, retried(failure)]).toEqual([status, status === 429 || status >= 500]);
			expect(mayHaveBeenCharged(failure)).toBe(status === 504);
			expect([status, isRefusal(failure)]).toEqual([status, [400, 413, 422].includes(status)]);
		}
	});

	test.each<[number, Record<string, unknown>, string | undefined, string | undefined]>([
		[422, {}, 'no such filter', 'no such filter'],
		// Of some other web server.
		[404, {}, 'nginx', undefined],
		[503, {}, undefined, undefined],
		[302, {}, 'moved', undefined],
		[301, { location: 'https://x.example/' }, undefined, 'https://x.example/'],
		[301, { location: ['a'] }, undefined, undefined],
	])('%i with the headers %j and the body %j says %j', (status, headers, body, text) => {
		expect(failureFromStatus(status, headers, body, NOW).text).toBe(text);
	});
});

describe('Retry-After', () => {
	const wait = (header: unknown, status = 429) =>
		failureFromStatus(status, { 'retry-after': header }, undefined, NOW).retryAfterMs;

	test.each<[unknown, number | undefined]>([
		['0', 0],
		[' 120 ', 120_000],
		['Fri, 01 May 2026 12:00:30 GMT', 30_000],
		['Friday, 01-May-26 12:00:30 GMT', 30_000],
		['Fri, 01 May 2026 11:00:00 GMT', 0],
		// Neither seconds nor a date, and so no date long gone.
		['about Fri, 01 May 2026 12:00:30 GMT', undefined],
		['Fri, 01 May 2026 12:00:30 GMT+0100', undefined],
		...['', 'soon', '5s', '1.5', '-1', 'in 5', '10, 10', undefined, null, 7, ['7']].map(
			(header): [unknown, undefined] => [header, undefined],
		),
	])('of %j means a wait of %j ms', (header, milliseconds) => {
		expect(wait(header)).toBe(milliseconds);
	});

	test('comes with any status that is tried again; of more digits than fit it ends the run', () => {
		for (const status of [429, 500, 502, 503, 504]) expect(wait('7', status)).toBe(7_000);
		expect(retried({ kind: 'tooManyRequests', retryAfterMs: wait('9'.repeat(400)) })).toBe(false);
	});
});
