/** Promise 4, after a run that stopped part-way: the next one pays only for what is missing. */
import { randomUUID } from 'node:crypto';

import { Output } from '../../nodes/LeadSearch/execution/output';
import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { runNode } from './n8nCore';
import { containing, continues, first, iceland, letMinutesPass, production } from './useService';
import { status, useService, waitForLastAnswers, type Fault } from './useService';

const shared = useService();
const { node } = shared;
const all = { returnAll: true };
const germany = { personLocationCountry: 'Germany' };
const goesOn = { ...production, ...continues };
const AGAIN =
	'Press Retry (the arrow in Executions), or run it again within 60 minutes: you pay only for the rest.';
const threeCountries = ['Iceland', 'Germany', 'France'];

const onErrors = ['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const;
test.each(onErrors)('the next execution pays only for what is missing (%s)', async (onError) => {
	const { search, topUp } = node({ apiCredits: 60, leads: 100 });
	const run = { ...production, onError };
	const stopped = await search(all, run);
	expect(stopped.spent).toBe(60);
	if (onError === 'stopWorkflow')
		expect(stopped.description).toBe(
			'This node has spent 60 credits in this execution. Your 60 leads are kept. Get more API credits in the lead service\'s dashboard. The service said: "Not enough credits". ' +
				AGAIN,
		);
	topUp();
	const second = await search(all, run);
	expect(second).toMatchObject({ urls: first(100), spent: 100 });
	expect(second.infos[1]).toBe(
		"60 of 100 leads were paid for less than a minute ago and cost nothing now. To buy them anew, set 'Reuse Paid Results' to 0.",
	);
	expect((await search(all, run)).spent).toBe(100);
	letMinutesPass(61);
	expect((await search(all, run)).spent).toBe(200);
});

test('Retry finds it in the execution, on another n8n', async () => {
	const { search, topUp, account, spent } = node({ apiCredits: 60, leads: 100 });
	const stopped = await search(all, production);
	expect(stopped.saved).not.toContain(account.apiKey);
	topUp();
	let runElsewhere = runNode;
	jest.isolateModules(() => {
		// What n8n's memory holds is another one's there.
		runElsewhere = jest.requireActual<{ runNode: typeof runNode }>('./n8nCore').runNode;
	});
	const credential = { baseUrl: shared.service.baseUrl, apiKey: account.apiKey };
	const { id: credentialId } = account;
	const retry = { credential, credentialId, mode: 'retry', retryOf: stopped } as const;
	const { items, saved } = await runElsewhere({ parameters: { filters: iceland }, ...retry });
	expect(items.map(({ json }) => json.linkedin_url)).toEqual(first(100));
	expect(spent()).toBe(100);
	expect(saved).not.toContain('paidResults');
});

test('a second Retry of an execution goes on from what the first one has bought', async () => {
	const { search, topUp } = node({ apiCredits: 30, leads: 100 });
	const stopped = await search(all, production);
	const retry = { mode: 'retry', retryOf: stopped } as const;
	topUp(40);
	expect(await search(all, retry)).toMatchObject({
		error: expect.anything() as unknown,
		spent: 70,
	});
	topUp();
	expect(await search(all, retry)).toMatchObject({ urls: first(100), spent: 100 });
});

test('Retry goes on from what it brings along, though another stopped run has more of other rows', async () => {
	const { search, topUp } = node({ apiCredits: 50, leads: 300 });
	const stopped = await search({ limit: 100 }, production);
	letMinutesPass(70);
	topUp(75);
	await search({ limit: 100, options: { skip: 100 } }, production);
	topUp();
	const retry = { mode: 'retry', retryOf: stopped } as const;
	expect(await search({ limit: 100 }, retry)).toMatchObject({ urls: first(100), spent: 175 });
});

test('after a cancel, the next run pays only for what is missing', async () => {
	waitForLastAnswers(300);
	const { search, whenPage } = node({ faults: [{ kind: 'hang', page: 3 }] });
	const parameters = { limit: 40, options: { pageSize: 10, parallelPages: 1 } };
	const cancelled = await search(parameters, { ...production, cancelWhen: whenPage(3) });
	expect(cancelled.spent).toBe(20);
	expect(await search(parameters, production)).toMatchObject({ urls: first(40), spent: 40 });
});

test('after a cancel, answers that were on their way are kept, too', async () => {
	waitForLastAnswers(300_000);
	const { search, whenPage, addFault, account } = node({ leads: 400 });
	const executed = jest.spyOn(LeadSearch.prototype, 'execute');
	const slow = addFault({ kind: 'latency', ms: 300, times: 'always' });
	const parameters = { ...all, options: { pageSize: 25 } };
	await search(parameters, { ...production, cancelWhen: whenPage(6) });
	await expect(executed.mock.results[0]?.value).rejects.toThrow('stopped');
	const { length: charged } = account.chargedLeads;
	expect(charged).toBeGreaterThan(125);
	slow.remove();
	expect((await search(parameters, production)).urls).toEqual(first(400));
	expect(account.chargedLeads).toHaveLength(400);
});

test('after a failure, the next run pays for nothing of what the runs before in the execution have got', async () => {
	const { search, topUp } = node({ apiCredits: 25 });
	const threeRuns = async () => {
		const executionId = randomUUID();
		let spent = 0;
		for (const personLocationCountry of threeCountries) {
			const parameters = { filters: { personLocationCountry }, limit: 10 };
			({ spent } = await search(parameters, { ...production, executionId }));
		}
		return spent;
	};
	expect(await threeRuns()).toBe(25);
	topUp();
	expect(await threeRuns()).toBe(30);
	expect(await threeRuns()).toBe(30);
});

const broken = [status(502), { kind: 'notJson' }, { kind: 'loseBeforeAnswer' }] as Fault[];
test.each(broken)('with nothing reused, Skip gets the rest, each once: $kind', async (fault) => {
	const { search, addFault } = node({ leads: 130 });
	const added = addFault({ ...fault, nthRequest: 3, times: 'always' });
	const options = { pageSize: 30, maxRetries: 1, reusePaidResults: 0, parallelPages: 1 };
	const run = { ...production, onError: 'continueErrorOutput' } as const;
	const { urls, errors } = await search({ ...all, options }, run);
	const { message, details } = errors[0] ?? {};
	expect(message).toContain('Your 60 leads are in the output. ');
	expect(message).toContain('Running it again pays for everything again.');
	const { skip } = details as { skip: number };
	added.remove();
	const rest = await search({ ...all, options: { ...options, skip } }, production);
	expect([...urls, ...rest.urls]).toEqual(first(130));
	expect(rest.spent).toBe(130);
});

test('input items that failed are paid for alone', async () => {
	const { searchIn } = node({ faults: [status(500, { nthRequest: 2 })] });
	const parameters = { limit: 5, options: { maxRetries: 0 } };
	const { pairs } = await searchIn(threeCountries, parameters, goesOn);
	expect(pairs).toEqual([0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
	expect((await searchIn(threeCountries, parameters, goesOn)).spent).toBe(15);
});

describe('Whatever is thrown after the answers came', () => {
	test.each(['manual', 'trigger'] as const)(
		'neither what was paid for nor what was spent is lost (%s)',
		async (mode) => {
			const { search } = node();
			const executionId = randomUUID();
			const parameters = { limit: 50, maxCredits: 60, options: { pageSize: 25 } };
			jest.spyOn(Output.prototype, 'add').mockImplementationOnce(() => {
				throw new RangeError('Maximum call stack size exceeded');
			});
			const broken = await search(parameters, { executionId, mode });
			expect(broken).toMatchObject({ message: containing('call stack'), spent: 50 });
			expect(broken.told).toContain('for 50 credits');
			// Another list of the same execution finds how much of the budget is left.
			const other = await search({ ...parameters, filters: germany }, { executionId, mode });
			expect(other.spent).toBe(60);
			expect(await search(parameters, { mode })).toMatchObject({ urls: first(50), spent: 60 });
		},
	);

	test('credits for answers that are still on their way count as spent', async () => {
		const spy = jest.spyOn(LeadList.prototype, 'settle');
		const settle = spy.getMockImplementation();
		spy.mockImplementation(function (this: LeadList, ...args) {
			if (args[0].page === 2) throw new RangeError('Invalid string length');
			return settle?.apply(this, args);
		});
		const { search } = node({ faults: [{ kind: 'latency', ms: 300, page: 3 }] });
		const parameters = { limit: 75, options: { pageSize: 25, parallelPages: 2 } };
		const { told, message } = await search(parameters, production);
		expect(message).toContain('Invalid string length');
		const [, credits = '0'] = /lost .* up to (\d+) credits may/.exec(told ?? '') ?? [];
		expect(Number(credits)).toBeGreaterThanOrEqual(25);
	});
});
