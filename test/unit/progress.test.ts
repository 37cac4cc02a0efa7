import type { Logger } from 'n8n-workflow';

import { logProgress, logRetry } from '../../nodes/LeadSearch/execution/progress';
import { CreditAccount } from '../../nodes/LeadSearch/api/credits';

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
});

afterEach(() => {
	jest.useRealTimers();
});

test('a long fetch says in the log, every 10 seconds, how far it has come', () => {
	const info = jest.fn();
	const credits = new CreditAccount();
	const show = logProgress({ info } as unknown as Logger, 'search', credits);
	for (let page = 1; page <= 25; page++) {
		jest.advanceTimersByTime(1_000);
		credits.charge(100);
		show({ rows: page * 100, requests: page });
	}
	expect(info.mock.calls).toEqual([
		['Lead Search: 1000 leads in 10 requests so far, 1000 credits spent'],
		['Lead Search: 2000 leads in 20 requests so far, 2000 credits spent'],
	]);
});

test('a wait before a retry is said in the log, with what it is for', () => {
	const info = jest.fn();
	const logger = { info } as unknown as Logger;
	logRetry(logger, { kind: 'tooManyRequests', status: 429 }, 1_000);
	logRetry(logger, { kind: 'lostResponse' }, 50_000);
	expect(info.mock.calls).toEqual([
		['Lead Search: the lead service answered 429; asking again in 1 second'],
		['Lead Search: no answer came; asking again in 50 seconds'],
	]);
});
