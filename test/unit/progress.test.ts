import type { Logger } from 'n8n-workflow';

import { logProgress } from '../../nodes/LeadSearch/execution/progress';
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
