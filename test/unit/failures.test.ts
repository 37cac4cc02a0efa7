/** Which failure a status, a header or a network code means (contract, "Errors"). */
import fc from 'fast-check';

import {
	CERTIFICATE_CODES,
	endsTheExecution,
	failureFromNetwork,
	failureFromStatus,
	mayHaveBeenCharged,
	type FailureKind,
} from '../../nodes/LeadSearch/api/failures';
import { readRetryAfter } from '../../nodes/LeadSearch/api/rateLimit';
import { decideRetry } from '../../nodes/LeadSearch/api/retry';

const NOW = Date.UTC(2026, 4, 1, 12, 0, 0);

describe('A status', () => {
	const named: Record<number, FailureKind> = {
		401: 'unauthorized',
		402: 'noCredits',
		404: 'notTheService',
		429: 'tooManyRequests',
		502: 'upstreamDown',
		503: 'upstreamDown',
		504: 'upstreamDown',
	};
	const expected = (status: number): FailureKind =>
		named[status] ?? (status < 400 ? 'notTheService' : status < 500 ? 'refused' : 'serverDown');

	test('of any kind has its failure', () => {
		for (let status = 100; status < 600; status++) {
			if (status >= 200 && status < 300) continue;
			const failure = failureFromStatus(status, {}, 'service text', NOW);
			expect({ status, kind: failure.kind }).toEqual({ status, kind: expected(status) });
			expect(failure.status).toBe(status);
		}
	});

	test('of 429 and 5xx is tried again, no other is', () => {
		const retried = [];
		for (let status = 100; status < 600; status++) {
			if (status >= 200 && status < 300) continue;
			const failure = failureFromStatus(status, {}, undefined, NOW);
			if (decideRetry(failure, 1, 3, 0)) retried.push(status);
		}
		expect(retried).toEqual([429, ...Array.from({ length: 100 }, (_, index) => 500 + index)]);
	});

	test('means that something may have been charged where a gateway stopped waiting alone', () => {
		for (let status = 100; status < 600; status++) {
			if (status >= 200 && status < 300) continue;
			expect(mayHaveBeenCharged(failureFromStatus(status, {}, undefined, NOW))).toBe(
				status === 504,
			);
		}
	});

	test("carries the service's text, but not that of some other web server", () => {
		expect(failureFromStatus(422, {}, 'no such filter', NOW).text).toBe('no such filter');
		expect(failureFromStatus(404, {}, 'nginx', NOW).text).toBeUndefined();
		expect(failureFromStatus(302, {}, 'moved', NOW).text).toBeUndefined();
	});

	test('of a redirect names where it points', () => {
		const failure = failureFromStatus(301, { location: 'https://x.example/' }, undefined, NOW);
		expect(failure.location).toBe('https://x.example/');
		expect(failureFromStatus(301, {}, undefined, NOW).location).toBeUndefined();
		expect(failureFromStatus(301, { location: ['a'] }, undefined, NOW).location).toBe(
			undefined,
		);
	});

	test.each([429, 500, 502, 503, 504])('of %i brings Retry-After along', (status) => {
		const failure = failureFromStatus(status, { 'retry-after': '7' }, undefined, NOW);
		expect(failure.retryAfterMs).toBe(7_000);
	});
});

describe('Retry-After', () => {
	test.each<[unknown, number | undefined]>([
		['0', 0],
		['7', 7_000],
		[' 120 ', 120_000],
		['Fri, 01 May 2026 12:00:30 GMT', 30_000],
		['Friday, 01-May-26 12:00:30 GMT', 30_000],
		['Fri, 01 May 2026 11:00:00 GMT', 0],
		['', undefined],
		['soon', undefined],
		['5s', undefined],
		[undefined, undefined],
		[null, undefined],
		[7, undefined],
		[['7'], undefined],
	])('of %j means a wait of %j ms', (header, wait) => {
		expect(readRetryAfter(header, NOW)).toBe(wait);
	});

	test.each(['1.5', '-1', '0.5', 'in 5', '10, 10'])(
		'of %j, neither seconds nor a date, is not taken for a date long gone',
		(header) => {
			expect(readRetryAfter(header, NOW)).toBeUndefined();
		},
	);

	test('of any text is no wait below zero', () => {
		fc.assert(
			fc.property(fc.anything(), (header) => {
				expect(readRetryAfter(header, NOW) ?? 0).toBeGreaterThanOrEqual(0);
			}),
		);
	});

	test('of more digits than fit ends the run instead of waiting', () => {
		const failure = failureFromStatus(429, { 'retry-after': '9'.repeat(400) }, undefined, NOW);
		expect(decideRetry(failure, 1, 3, 0)).toBeUndefined();
	});
});

describe('Something thrown on the way', () => {
	const withCode = (code: unknown, cause?: unknown) =>
		Object.assign(new Error('something', { cause }), code === undefined ? {} : { code });

	test.each([
		['ECONNREFUSED', 'unreachable', false],
		['ENOTFOUND', 'unreachable', false],
		['EAI_AGAIN', 'unreachable', false],
		['ECONNRESET', 'lostResponse', true],
		['ECONNABORTED', 'lostResponse', true],
		['ETIMEDOUT', 'lostResponse', true],
		['EPIPE', 'lostResponse', true],
		['ERR_SOMETHING_NEW', 'lostResponse', true],
		['ERR_INVALID_URL', 'notSent', false],
		['Z_DATA_ERROR', 'unreadable', true],
		['HPE_INVALID_CONSTANT', 'unreadable', true],
	])('with the code %s is %s', (code, kind, isCharged) => {
		const failure = failureFromNetwork(withCode(code));
		expect(failure).toMatchObject({ kind, code });
		expect(mayHaveBeenCharged(failure)).toBe(isCharged);
	});

	test.each(CERTIFICATE_CODES)('with the code %s did not get as far as sending', (code) => {
		expect(failureFromNetwork(withCode(code)).kind).toBe('unreachable');
	});

	test('is known by the code of its causes', () => {
		const thrown = withCode(undefined, withCode(undefined, withCode('ECONNREFUSED')));
		expect(failureFromNetwork(thrown).kind).toBe('unreachable');
	});

	test('without a code did not leave n8n', () => {
		expect(failureFromNetwork(new Error('host not allowed'))).toEqual({
			kind: 'notSent',
			text: 'host not allowed',
		});
	});

	test('of whatever kind is told; a circle of causes ends', () => {
		const circle = withCode(undefined);
		circle.cause = circle;
		for (const thrown of [undefined, null, 'text', 7, {}, circle]) {
			expect(failureFromNetwork(thrown).kind).toBe('notSent');
		}
	});
});

test('Promise 6: what would fail the same way again ends the whole execution', () => {
	const kinds: FailureKind[] = [
		'unauthorized',
		'noCredits',
		'notTheService',
		'unreachable',
		'notSent',
	];
	for (const kind of kinds) expect(endsTheExecution({ kind })).toBe(true);
	const others: FailureKind[] = ['refused', 'unsuccessful', 'upstreamDown', 'serverDown'];
	for (const kind of others) expect(endsTheExecution({ kind })).toBe(false);
	expect(endsTheExecution({ kind: 'cancelled' })).toBe(true);
});
