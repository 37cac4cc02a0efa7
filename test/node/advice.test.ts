/** Promise 5: what a run that ended early advises, followed to the letter. The ledger tells whether it was true. */
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

const AGAIN = 'again within 29 minutes: you pay only for the rest.';
const ALL_AGAIN = 'If you run it again, you may pay for everything again.';
const ANEW = 'with another key, you pay for everything again.';
const DOCUMENTED =
	'Press Retry (the arrow in Executions) once the service answers as documented: you pay again for the leads in the unexpected response.';
const KEPT =
	"Press Retry (the arrow in Executions): you don't pay again for the leads that are saved.";
const RETRY = 'Press Retry (the arrow in Executions): you pay only for the rest.';
const inPages = { pageSize: 20, parallelPages: 1, maxRetries: 0 };
const withoutReuse = { options: { ...inPages, reusePaidResults: 0 } };
const goesOn = { ...production, ...continueOnError };
const outOfCredits = { apiCredits: 60 };
const contradicted = { faults: [{ ...merge({ page: 7 }), page: 4 }] };

type Buyer = ReturnType<typeof createBuyer>;

/** Who searches for 100 leads, or looks as many profiles up, and stops on the way. */
function createBuyer(
	setup: Setup,
	operation: 'search' | 'lookUp',
	parameters: INodeParameters = {},
) {
	const buyer = shared.node({ leads: 100, ...setup });
	const ask = async (more: RunOptions, changed: INodeParameters = {}) => {
		const all = { returnAll: true, options: inPages, ...parameters, ...changed };
		if (operation === 'search') return await buyer.search(all, more);
		const options = { ...all.options, onlyWithEmails: false };
		return await buyer.lookUp({ linkedinUrls: first(100).join(' '), ...all, options }, more);
	};
	return { ...buyer, ask };
}

/** What people read, wherever it stands. */
function textOf({ description, errors, warnings }: Outcome): string {
	return JSON.stringify([description, errors, warnings]);
}

/** What they do then, as late as the text allows. */
const retry = async ({ ask }: Buyer, stopped: Outcome) =>
	await ask({ mode: 'retry', retryOf: stopped });
const retryNextWeek = async (buyer: Buyer, stopped: Outcome) => {
	letMinutesPass(7 * 24 * 60);
	return await retry(buyer, stopped);
};
const runAgain = async ({ ask }: Buyer, stopped: Outcome) => {
	const [, minutes = '0'] = /within (\d+) minutes?:/.exec(textOf(stopped)) ?? [];
	letMinutesPass(Number(minutes) - 0.2);
	return await ask(production);
};

describe.each(['search', 'lookUp'] as const)('%s', (operation) => {
	test.each([
		[AGAIN, outOfCredits, production, {}, retry, 40],
		[AGAIN, outOfCredits, production, {}, retryNextWeek, 40],
		[AGAIN, outOfCredits, production, {}, runAgain, 40],
		[`Run it ${AGAIN}`, outOfCredits, goesOn, {}, runAgain, 40],
		// Its Retry is the parent's, which starts it again.
		[`. Run it ${AGAIN}`, outOfCredits, { mode: 'integrated' }, {}, runAgain, 40],
		[ALL_AGAIN, outOfCredits, production, withoutReuse, runAgain, 100],
	] as const)(
		'"%s" is true after %j, %j, %j (%#)',
		async (text, setup, run, parameters, follow, rest) => {
			const buyer = createBuyer(setup, operation, parameters);
			const stopped = await buyer.ask(run);
			expect(textOf(stopped)).toContain(text);
			expect(buyer.spent()).toBe(60);
			buyer.topUp();
			const { urls } = await follow(buyer, stopped);
			expect([urls.length, buyer.spent()]).toEqual([100, 60 + rest]);
		},
	);

	test.each([retry, runAgain])(
		'results that were reused at an age of 20 minutes are reused for the minutes that the message names (%#)',
		async (follow) => {
			const buyer = createBuyer({ apiCredits: 60 }, operation);
			await buyer.ask(production, { returnAll: false, limit: 60 });
			letMinutesPass(20.4);
			const stopped = await buyer.ask(production);
			expect(textOf(stopped)).toContain(
				'Press Retry (the arrow in Executions), or run it again within 9 minutes: you pay only for the rest.',
			);
			if (follow === retry) letMinutesPass(20);
			buyer.topUp();
			const { urls } = await follow(buyer, stopped);
			expect([urls.length, buyer.spent()]).toEqual([100, 100]);
		},
	);

	test(`"${RETRY}" is true for results that only their own execution may use`, async () => {
		const buyer = createBuyer({ apiCredits: 60 }, operation);
		const its = { ...production, ...createExecutionIds() };
		await buyer.ask(its, { returnAll: false, limit: 20, ...withoutReuse });
		const stopped = await buyer.ask({ ...its, nodeId: 'another' });
		expect(textOf(stopped)).toContain(RETRY);
		buyer.topUp();
		const { urls } = await retryNextWeek(buyer, stopped);
		expect([urls.length, buyer.spent()]).toEqual([100, 100]);
	});

	test('"Run it again" is true after a cancel', async () => {
		setLastResponseWait(300);
		const buyer = createBuyer({ faults: [{ kind: 'hang', nthRequest: 4 }] }, operation);
		const executed = jest.spyOn(LeadSearch.prototype, 'execute');
		const fourth = shared.service.admin.waitForRequest(() => buyer.requests().length === 4);
		const stopped = await buyer.ask({ ...production, cancelWhen: fourth });
		await expect(executed.mock.results[0]?.value).rejects.toMatchObject({
			description: expect.stringMatching(
				`^No further request was sent\\. Run it ${AGAIN} .* saved\\.`,
			) as string,
		});
		letMinutesPass(29);
		const { urls } = await buyer.ask(production);
		expect([stopped.items, urls.length, buyer.spent()]).toEqual([[], 100, 100]);
	});

	test.each([
		['maximum', "'Max Credits' (60 credits) was reached after 60", 'Raise it to get the rest.', {}],
		[
			'ceiling',
			"'Credit Ceiling' of the credential (60 credits) was reached after 60",
			'Ask the owner of the credential to raise it.',
			{ creditCeiling: 60 },
		],
	] as const)(
		'after a %s is reached, the advice "%s", "%s" is true',
		async (kind, what, advice, credential) => {
			const buyer = createBuyer({}, operation);
			const maximum = kind === 'maximum' ? { maxCredits: 60 } : {};
			const cut = await buyer.ask({ ...production, credential }, maximum);
			expect(cut.warnings.join(' ')).toContain(what);
			expect(cut.warnings.join(' ')).toContain(advice);
			const { urls } = await buyer.ask(production, kind === 'maximum' ? { maxCredits: 40 } : {});
			expect([cut.urls.length, urls.length, buyer.spent()]).toEqual([60, 100, 100]);
		},
	);

	test('a limit of calls outside executions says "Only a user can raise it; …, or wait."', async () => {
		const buyer = createBuyer({}, operation);
		const call = async (maxCredits: number) =>
			await buyer.ask({ executionId: '', asTool: true }, { maxCredits });
		expect(textOf(await call(60))).toContain(
			`Only a user can raise it; ${operation === 'lookUp' ? 'request the others later' : "later set 'Skip' to 60"}, or wait: it applies to all calls with this credential within 60 minutes.`,
		);
		await call(80);
		expect(buyer.spent()).toBe(80);
		letMinutesPass(60.1);
		await call(80);
		// By then, nothing is reused any more.
		expect(buyer.spent()).toBe(160);
	});

	test('"The key comes from an expression" is said if a new key pays for everything again', async () => {
		const [buyer, other] = [
			createBuyer({ faults: [status(401, { nthRequest: 4 })] }, operation),
			shared.node({ leads: 100 }),
		];
		const credential = { apiKey: '={{ $json.key }}' };
		const by = (key: string) => ({ ...production, credential, input: [{ key }] });
		const stopped = await buyer.ask(by(buyer.account.apiKey));
		expect(textOf(stopped)).toContain(ANEW);
		expect(textOf(stopped)).not.toContain('only for the rest');
		const { urls } = await buyer.ask(by(other.account.apiKey));
		expect([urls.length, buyer.spent(), other.spent()]).toEqual([100, 60, 100]);
	});
});

test(`an item that wasn't run because another one failed says "Nothing was sent or charged for this item"`, async () => {
	const buyer = shared.node({ faults: [status(401, { nthRequest: 2 })] });
	const parameters = { limit: 5, options: inPages };
	const { errors } = await buyer.searchIn(['Iceland', 'Germany', 'France'], parameters, goesOn);
	expect(errors).toHaveLength(2);
	expect(errors[1]?.message).toBe('Nothing was sent or charged for this item.');
	expect([buyer.spent(), buyer.requests().length]).toEqual([5, 2]);
});

test.each([0, 30])(
	`"Run it with 'Limit' set to 60 to see them, for 0 credits" is true after Skip %i`,
	async (skip) => {
		const buyer = createBuyer(outOfCredits, 'search');
		const parameters = { options: { ...inPages, skip } };
		const stopped = await buyer.ask(production, parameters);
		expect(stopped.description).toMatch(
			/ Your 60 leads are saved\. Run it with 'Limit' 60 to see them, for 0 credits\.$/,
		);
		letMinutesPass(29);
		const { urls } = await buyer.ask(production, { ...parameters, returnAll: false, limit: 60 });
		expect([urls, buyer.spent()]).toEqual([first(60 + skip).slice(skip), 60]);
	},
);

test('no Limit is named if the saved rows have a gap, or belong to several searches', async () => {
	const withGap = shared.node({ faults: [status(402, { page: 3 })] });
	const options = { ...inPages, parallelPages: 8 };
	const { description } = await withGap.search({ returnAll: true, options }, production);
	expect(description).toContain('leads are saved.');
	const several = shared.node({ apiCredits: 10 });
	const { description: ofSeveral } = await several.searchIn(['Iceland', 'Germany'], { limit: 10 });
	expect(ofSeveral).toContain('Your 10 leads are saved.');
	expect([description, ofSeveral].join()).not.toContain('Run it with');
});

describe('A search with an unexpected response', () => {
	test(`"${DOCUMENTED}" is said after an unexpected response`, async () => {
		const buyer = createBuyer(contradicted, 'search');
		const stopped = await buyer.ask(production);
		expect(textOf(stopped)).toContain(DOCUMENTED);
		const before = buyer.spent();
		// Which rows it was that came with the answer is not known: they are wasted.
		const { urls } = await retryNextWeek(buyer, stopped);
		expect([before, urls.length, buyer.spent()]).toEqual([80, 100, 120]);
	});

	test(`"${KEPT}" is said if credits run out in the Retry of a search with an unexpected response`, async () => {
		const buyer = createBuyer({ ...contradicted, apiCredits: 90 }, 'search');
		const second = await retry(buyer, await buyer.ask(production));
		expect(textOf(second)).toContain(KEPT);
		const before = buyer.spent();
		buyer.topUp();
		const { urls } = await retry(buyer, second);
		expect([before, urls.length, buyer.spent()]).toEqual([90, 100, 120]);
	});

	test(`"${ALL_AGAIN}" is said to a new run after an unexpected response`, async () => {
		const buyer = createBuyer(contradicted, 'search');
		const stopped = await buyer.ask(goesOn);
		expect(textOf(stopped)).toContain(ALL_AGAIN);
		const { urls } = await buyer.ask(production);
		expect([urls.length, buyer.spent()]).toEqual([100, 180]);
	});
});
