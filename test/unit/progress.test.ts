import type { Logger } from 'n8n-workflow';

import { logProgress, logWait } from '../../nodes/LeadSearch/execution/progress';

const info = jest.fn();
const logger = { info } as unknown as Logger;

afterEach(() => {
	jest.useRealTimers();
	info.mockReset();
});

test('a long fetch says in the log, every 10 seconds, how far it has come', () => {
	jest.useFakeTimers({ now: 0 });
	let requests = 0;
	const show = logProgress(logger, 'search', () => ({ charged: requests * 100, requests }));
	while (requests < 25) {
		jest.advanceTimersByTime(1_000);
		requests += 1;
		show();
	}
	expect(info.mock.calls).toEqual([
		['Lead Search: 1,000 leads in 10 requests so far'],
		['Lead Search: 2,000 leads in 20 requests so far'],
	]);
});

test('a wait before a retry is said in the log, with what it is for', () => {
	logWait(logger, { kind: 'tooManyRequests', status: 429 }, 1_000);
	logWait(logger, { kind: 'lostResponse' }, 50_000);
	expect(info.mock.calls).toEqual([
		['Lead Search: the lead service answered 429; asking again in 1 second'],
		['Lead Search: no answer came; asking again in 50 seconds'],
	]);
});
