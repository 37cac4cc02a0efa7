import type { Logger } from 'n8n-workflow';

import { spendingOf } from '../../nodes/LeadSearch/execution/credits';
import { logProgress } from '../../nodes/LeadSearch/execution/report';

afterEach(() => {
	jest.useRealTimers();
});

test('a long fetch says in the log, every 10 seconds, how far it has come', () => {
	jest.useFakeTimers({ now: 0 });
	const info = jest.fn();
	let requests = 0;
	const spent = () => ({ ...spendingOf([]), charged: requests * 100, requests });
	const show = logProgress({ info } as unknown as Logger, 'search', spent);
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
