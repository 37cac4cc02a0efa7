/** Tests how often the progress of a run is logged. */
import { logProgress } from '../../nodes/LeadSearch/execution/report';
import { NO_COST } from '../../nodes/LeadSearch/paging/cost';

test('a long fetch logs every 10 seconds how many leads it has bought', () => {
	jest.useFakeTimers({ now: 0 });
	const log = jest.fn();
	let requests = 0;
	const readCost = () => ({ ...NO_COST, charged: requests * 100, requests });
	const report = logProgress(log, 'search', readCost);
	while (requests < 25) {
		requests += 1;
		jest.advanceTimersByTime(1_000);
		report();
	}
	expect(log.mock.calls).toEqual([
		['info', '1,000 leads in 10 requests so far'],
		['info', '2,000 leads in 20 requests so far'],
	]);
});
