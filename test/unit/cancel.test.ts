import { afterLastAnswers } from '../../nodes/LeadSearch/execution/cancel';

afterEach(() => {
	jest.restoreAllMocks();
});

test('a cancelled run has 5 seconds for what is on its way, and then gives it up', () => {
	const over = new AbortController();
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
	const cancel = new AbortController();
	const abandon = afterLastAnswers(cancel.signal);
	expect(timeout).not.toHaveBeenCalled();
	cancel.abort();
	expect(timeout.mock.calls).toEqual([[5_000]]);
	expect(abandon.aborted).toBe(false);
	over.abort();
	expect(abandon.aborted).toBe(true);
});
