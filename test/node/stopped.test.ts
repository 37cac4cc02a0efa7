/** Tests promises 2 and 4 after a run that stopped before its end: no paid results are lost. */
import { Output } from '../../nodes/LeadSearch/execution/output';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import {
	containing,
	first,
	letMinutesPass,
	createExecutionIds,
	production,
	useService,
} from './useService';

const { node } = useService();

test('Retry continues from its own saved rows, even if another stopped run has more rows', async () => {
	const { search, topUp } = node({ apiCredits: 50, leads: 300 });
	const stopped = await search({ limit: 100 }, production);
	letMinutesPass(70);
	topUp(75);
	await search({ limit: 100, options: { skip: 100 } }, production);
	topUp();
	const retry = { mode: 'retry', retryOf: stopped } as const;
	expect(await search({ limit: 100 }, retry)).toMatchObject({ urls: first(100), spent: 175 });
});

test('after a stopped run with Reuse Paid Results 0, a run with Skip gets each of the remaining leads once', async () => {
	const { search, addFault } = node({ leads: 130 });
	const fault = addFault({ kind: 'loseBeforeAnswer', nthRequest: 3, times: 'always' });
	const options = { pageSize: 30, maxRetries: 1, reusePaidResults: 0, parallelPages: 1 };
	const run = { ...production, onError: 'continueErrorOutput' } as const;
	const { urls, errors } = await search({ returnAll: true, options }, run);
	const { message, details } = errors[0] ?? {};
	expect(message).toContain('Your 60 leads are in the output.');
	expect(message).toContain('If you run it again, you may pay for everything again.');
	expect(details).toEqual({ status: null, creditsSpent: 60, fetched: 60 });
	fault.remove();
	const remaining = await search(
		{ returnAll: true, options: { ...options, skip: urls.length } },
		production,
	);
	expect([...urls, ...remaining.urls]).toEqual(first(130));
	expect(remaining.spent).toBe(130);
});

describe('Exceptions after responses were received', () => {
	test('after an exception in a run, its paid results are reused and its credits count as spent', async () => {
		const { search } = node();
		const { executionId } = createExecutionIds();
		const parameters = { limit: 50, maxCredits: 60, options: { pageSize: 25 } };
		jest.spyOn(Output.prototype, 'add').mockImplementationOnce(() => {
			throw new RangeError('Maximum call stack size exceeded');
		});
		const failed = await search(parameters, { executionId, ...production });
		expect(failed).toMatchObject({ message: containing('call stack'), spent: 50 });
		expect(failed.customData).toContain('for 50 credits');
		// Another search of the same execution may spend only the remaining 10 credits.
		const germany = { personLocationCountry: 'Germany' };
		const other = { ...parameters, filters: germany };
		expect((await search(other, { executionId, ...production })).spent).toBe(60);
		expect(await search(parameters, production)).toMatchObject({ urls: first(50), spent: 60 });
	});

	test('after an exception in a run, the credits for its requests in flight are reported as possibly charged', async () => {
		const spy = jest.spyOn(LeadList.prototype, 'settle');
		const settle = spy.getMockImplementation();
		spy.mockImplementation(function (this: LeadList, ...args) {
			if (args[0].page === 2) throw new RangeError('Invalid string length');
			return settle?.apply(this, args);
		});
		const { search } = node({ faults: [{ kind: 'latency', ms: 300, page: 3 }] });
		const parameters = { limit: 75, options: { pageSize: 25, parallelPages: 2 } };
		const { customData, message } = await search(parameters, production);
		expect(message).toContain('Invalid string length');
		const [, credits = '0'] = /lost .* up to (\d+) credits may/.exec(customData ?? '') ?? [];
		expect(Number(credits)).toBeGreaterThanOrEqual(25);
	});
});
