/** Tests the advice of runs that ended early (promise 5): the tests follow it, and check it by the service's ledger. */
import type { INodeParameters } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import {
	continueOnError,
	first,
	letMinutesPass,
	merge,
	createExecutionIds,
	production,
	status,
} from './useService';
import { useService, setLastResponseWait } from './useService';
import type { Outcome, RunOptions, Setup } from './useService';

const shared = useService();

const RUN_AGAIN = 'again within 29 minutes: you pay only for the rest.';
const PAY_AGAIN = 'If you run it again, you may pay for everything again.';
const OTHER_KEY = 'with another key, you pay for everything again.';
const MAY_PAY_AGAIN =
	'again within 29 minutes: you may pay again for the leads in the unexpected response.';
const RETRY = 'Press Retry (the arrow in Executions): you pay only for the rest.';
const inPages = { pageSize: 20, parallelPages: 1, maxRetries: 0 };
const withoutReuse = { options: { ...inPages, reusePaidResults: 0 } };
const continued = { ...production, ...continueOnError };
const outOfCredits = { apiCredits: 60 };
const unexpected = { faults: [{ ...merge({ page: 7 }), page: 4 }] };

type Buyer = ReturnType<typeof createBuyer>;

/** Creates an account that searches for 100 leads, or looks up 100 profiles. The setup makes its runs stop early. */
function createBuyer(
	setup: Setup,
	operation: 'search' | 'lookUp',
	parameters: INodeParameters = {},
) {
	const buyer = shared.node({ leads: 100, ...setup });
	const runNode = async (more: RunOptions, changed: INodeParameters = {}) => {
		const all = { returnAll: true, options: inPages, ...parameters, ...changed };
		if (operation === 'search') return await buyer.search(all, more);
		const options = { ...all.options, onlyWithEmails: false };
		return await buyer.lookUp({ linkedinUrls: first(100).join(' '), ...all, options }, more);
	};
	return { ...buyer, runNode };
}

/** Returns all texts of an outcome that a user reads. */
function textOf({ description, errors, warnings }: Outcome): string {
	return JSON.stringify([description, errors, warnings]);
}

const retry = async ({ runNode }: Buyer, stopped: Outcome) =>
	await runNode({ mode: 'retry', retryOf: stopped });
const retryNextWeek = async (buyer: Buyer, stopped: Outcome) => {
	letMinutesPass(7 * 24 * 60);
	return await retry(buyer, stopped);
};
/** Runs again as late as the text allows. */
const runAgain = async ({ runNode }: Buyer, stopped: Outcome) => {
	const [, minutes = '1'] = /within (\d+) minutes?/.exec(textOf(stopped)) ?? [];
	letMinutesPass(Number(minutes) - 0.2);
	return await runNode(production);
};

describe.each(['search', 'lookUp'] as const)('Advice after a stopped %s', (operation) => {
	test.each([
		[RUN_AGAIN, 'a Retry after a week', production, {}, retryNextWeek, 40],
		[RUN_AGAIN, 'a new run', production, {}, runAgain, 40],
		[`Run it ${RUN_AGAIN}`, 'a new run after Continue', continued, {}, runAgain, 40],
		// A sub-workflow isn't retried: the Retry of its parent starts a new execution of it.
		[
			`. Run it ${RUN_AGAIN}`,
			'a new run of a sub-workflow',
			{ mode: 'integrated' },
			{},
			runAgain,
			40,
		],
		[RETRY, 'a Retry with Reuse Paid Results 0', production, withoutReuse, retryNextWeek, 40],
		[PAY_AGAIN, 'a new run with Reuse Paid Results 0', continued, withoutReuse, runAgain, 100],
	] as const)(
		'the advice "%s" is true for %s',
		async (text, _, run, parameters, followAdvice, remaining) => {
			const buyer = createBuyer(outOfCredits, operation, parameters);
			const stopped = await buyer.runNode(run);
			expect(textOf(stopped)).toContain(text);
			expect(buyer.spent()).toBe(60);
			buyer.topUp();
			const { urls } = await followAdvice(buyer, stopped);
			expect([urls.length, buyer.spent()]).toEqual([100, 60 + remaining]);
		},
	);

	test.each([
		['a Retry', retry],
		['a new run', runAgain],
	])(
		'results that were reused at an age of 20 minutes are reused by %s, as the message says',
		async (_, followAdvice) => {
			const buyer = createBuyer({ apiCredits: 60 }, operation);
			await buyer.runNode(production, { returnAll: false, limit: 60 });
			letMinutesPass(20.4);
			const stopped = await buyer.runNode(production);
			expect(textOf(stopped)).toContain(
				'Press Retry (the arrow in Executions), or run it again within 9 minutes: you pay only for the rest.',
			);
			if (followAdvice === retry) letMinutesPass(20);
			buyer.topUp();
			const { urls } = await followAdvice(buyer, stopped);
			expect([urls.length, buyer.spent()]).toEqual([100, 100]);
		},
	);

	test(`the advice "${RETRY}" is true for results that have expired for other executions`, async () => {
		const buyer = createBuyer({ apiCredits: 60 }, operation);
		const execution = { ...production, ...createExecutionIds() };
		await buyer.runNode(execution, { returnAll: false, limit: 20 });
		letMinutesPass(31);
		const stopped = await buyer.runNode({ ...execution, nodeId: 'another' });
		expect(textOf(stopped)).toContain(RETRY);
		buyer.topUp();
		const { urls } = await retryNextWeek(buyer, stopped);
		expect([urls.length, buyer.spent()]).toEqual([100, 100]);
	});

	test('the advice "Run it again" is true after a cancel', async () => {
		setLastResponseWait(300);
		const buyer = createBuyer({ faults: [{ kind: 'hang', nthRequest: 4 }] }, operation);
		const executed = jest.spyOn(LeadSearch.prototype, 'execute');
		const fourth = shared.service.admin.waitForRequest(() => buyer.requests().length === 4);
		const stopped = await buyer.runNode({ ...production, cancelWhen: fourth });
		await expect(executed.mock.results[0]?.value).rejects.toMatchObject({
			description: expect.stringMatching(
				`^No further request was sent\\. Run it ${RUN_AGAIN} .* saved\\.`,
			) as string,
		});
		letMinutesPass(29);
		const { urls } = await buyer.runNode(production);
		expect([stopped.items, urls.length, buyer.spent()]).toEqual([[], 100, 100]);
	});

	test.each([
		[
			'Max Credits',
			"'Max Credits' (60 credits) was reached after 60",
			'Raise this limit to get the rest.',
			{},
		],
		[
			'Credit Ceiling',
			"'Credit Ceiling' of the credential (60 credits) was reached after 60",
			'Ask the owner of the credential to raise this limit.',
			{ creditCeiling: 60 },
		],
	] as const)(
		'after %s is reached, the warning "%s" with the advice "%s" is true',
		async (parameter, warning, advice, credential) => {
			const buyer = createBuyer({}, operation);
			const parameters = parameter === 'Max Credits' ? { maxCredits: 60 } : {};
			const limited = await buyer.runNode({ ...production, credential }, parameters);
			expect(limited.warnings.join(' ')).toContain(warning);
			expect(limited.warnings.join(' ')).toContain(advice);
			const { urls } = await buyer.runNode(
				production,
				parameter === 'Max Credits' ? { maxCredits: 40 } : {},
			);
			expect([limited.urls.length, urls.length, buyer.spent()]).toEqual([60, 100, 100]);
		},
	);

	test('a warning says that a limit of calls outside executions applies for 60 minutes, and only a user can raise it', async () => {
		const buyer = createBuyer({}, operation);
		const call = async (maxCredits: number) =>
			await buyer.runNode({ executionId: '', asTool: true }, { maxCredits });
		expect(textOf(await call(60))).toContain(
			`Only a user can raise this limit. ${operation === 'lookUp' ? 'Request the remaining URLs later.' : "To continue later, set 'Skip' to 60."} Or wait: the limit applies to all calls with this credential within 60 minutes.`,
		);
		await call(80);
		expect(buyer.spent()).toBe(80);
		letMinutesPass(60.1);
		await call(80);
		// The results of the first calls have expired.
		expect(buyer.spent()).toBe(160);
	});

	test('after a 401 for a key from an expression, the advice that another key pays for everything again is true', async () => {
		const [buyer, other] = [
			createBuyer({ faults: [status(401, { nthRequest: 4 })] }, operation),
			shared.node({ leads: 100 }),
		];
		const credential = { apiKey: '={{ $json.key }}' };
		const withKey = (key: string) => ({ ...production, credential, input: [{ key }] });
		const stopped = await buyer.runNode(withKey(buyer.account.apiKey));
		expect(textOf(stopped)).toContain(OTHER_KEY);
		expect(textOf(stopped)).not.toContain('only for the rest');
		const { urls } = await buyer.runNode(withKey(other.account.apiKey));
		expect([urls.length, buyer.spent(), other.spent()]).toEqual([100, 60, 100]);
	});
});

test('the advice to run the node with Limit 60 for 0 credits is true after Skip 30', async () => {
	const buyer = createBuyer(outOfCredits, 'search');
	const parameters = { options: { ...inPages, skip: 30 } };
	const stopped = await buyer.runNode(production, parameters);
	expect(stopped.description).toMatch(
		/ Your 60 leads are saved\. To see them for 0 credits, turn off 'Return All', set 'Limit' 60, run the node, and then turn 'Return All' on again\.$/,
	);
	letMinutesPass(29);
	const { urls } = await buyer.runNode(production, {
		...parameters,
		returnAll: false,
		limit: 60,
	});
	expect([urls, buyer.spent()]).toEqual([first(90).slice(30), 60]);
});

test('the message names no Limit if the saved rows have a gap', async () => {
	const withGap = shared.node({ faults: [status(402, { page: 3 })] });
	const options = { ...inPages, parallelPages: 8 };
	const { description } = await withGap.search({ returnAll: true, options }, production);
	expect(description).toContain('leads are saved.');
	expect(description).not.toContain('for 0 credits');
});

test('the message names no Limit if another input item would then request more leads', async () => {
	const account = shared.node({ leads: 100, ...outOfCredits });
	const options = { ...inPages, skip: '={{ $json.skip }}' };
	const input = [
		{ skip: 30, limit: 20 },
		{ skip: 0, limit: 100 },
	];
	const parameters = { limit: '={{ $json.limit }}', options };
	const { description } = await account.search(parameters, { ...production, input });
	expect(description).toContain('Your 60 leads are saved.');
	expect(description).not.toContain('for 0 credits');
});

describe('Searches with an unexpected response', () => {
	test.each([
		['a Retry', production, retryNextWeek],
		['a new run', production, runAgain],
		['a new run after Continue', continued, runAgain],
	] as const)(
		`the advice "${MAY_PAY_AGAIN}" is true for %s after an unexpected response`,
		async (_, run, followAdvice) => {
			const buyer = createBuyer(unexpected, 'search');
			const stopped = await buyer.runNode(run);
			expect(textOf(stopped)).toContain(MAY_PAY_AGAIN);
			const before = buyer.spent();
			// The rows of the unexpected response are wasted, because their index isn't known.
			const { urls } = await followAdvice(buyer, stopped);
			expect([before, urls.length, buyer.spent()]).toEqual([80, 100, 120]);
		},
	);

	test('a Retry in which the credits run out returns the leads of the unexpected response, too', async () => {
		const buyer = createBuyer({ ...unexpected, apiCredits: 80 }, 'search');
		const second = await retry(buyer, await buyer.runNode(production));
		expect(textOf(second)).toContain('Your 80 leads are saved.');
		const before = buyer.spent();
		buyer.topUp();
		const { urls } = await retry(buyer, second);
		expect([before, urls.length, buyer.spent()]).toEqual([80, 100, 120]);
	});
});
