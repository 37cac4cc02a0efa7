/**
 * Promise 2 to the letter: whoever does what the messages of a stopped run say gets every lead that
 * was wanted, and pays for none twice.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { leadsChargedTwice, urlsMatching, type FaultAction } from '../../sandbox/service';
import { jsonOf, useService, type Customer } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

jest.setTimeout(300_000);

const RUNS = 150;
const LEADS = 60;
const countries = ['Iceland', 'Germany', 'France'] as const;
const shared = useService();
const leadsOf = new Map(
	countries.map((country) => [
		country,
		urlsMatching({ person_location_country: [country] }).slice(0, LEADS),
	]),
);

/** One run of the node, over some of the input items. */
interface Plan {
	readonly items: number[];
	readonly skip: number;
	/** Undefined for Return All. */
	readonly limit?: number;
}

const scenario = fc.record({
	items: fc.array(fc.constantFrom(...countries), { minLength: 1, maxLength: 5 }),
	skip: fc.constantFrom(0, 0, 15),
	limit: fc.constantFrom(undefined, 7, 35, 100),
	pageSize: fc.constantFrom(5, 10, 20),
	parallelPages: fc.constantFrom(1, 1, 3),
	maxCredits: fc.constantFrom(undefined, undefined, 12, 40),
	failing: fc.constantFrom<FaultAction[]>(
		{ kind: 'status', status: 402 },
		{ kind: 'status', status: 400 },
		{ kind: 'status', status: 500 },
		{ kind: 'status', status: 503 },
	),
	nthRequest: fc.integer({ min: 1, max: 12 }),
	times: fc.constantFrom<Array<1 | 2 | 'always'>>(1, 2, 'always'),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

async function run(
	buyer: Customer,
	{ items, pageSize, parallelPages }: Scenario,
	plan: Plan,
	maxCredits?: number,
) {
	return await buyer.search(
		{
			filters: { personLocationCountry: '={{ $json.country }}' },
			returnAll: plan.limit === undefined,
			...(plan.limit !== undefined && { limit: plan.limit }),
			options: {
				pageSize,
				parallelPages,
				maxRetries: 0,
				skip: plan.skip,
				...(maxCredits !== undefined && { maxCredits }),
			},
		},
		{
			input: plan.items.map((item) => ({ country: items[item] ?? '' })),
			onError: 'continueRegularOutput',
		},
	);
}

/** What a message says to run. */
function plansIn(text: string, before: Plan): Plan[] {
	const plans: Plan[] = [];
	const named = (words: string | undefined) =>
		words === undefined
			? before.items
			: numbersIn(words).map((index) => before.items[index] ?? -1);
	const [, missing, missingItems] =
		/Missing in between: the leads from number (.*?)\. To get them without paying for others twice, run again(?: with only (input items? [\d, toand]+?) and)? with these values/.exec(
			text,
		) ?? [];
	for (const [, skip, limit] of (missing ?? '').matchAll(/'Skip' (\d+), 'Limit' (\d+)/g)) {
		plans.push({ items: named(missingItems), skip: Number(skip), limit: Number(limit) });
	}
	const onward =
		/(?:After that|To go on without paying twice), (?:run again with only (input items? [\d, toand]+?), and )?(?:turn 'Return All' on, and )?set 'Skip' \(under Options\) to (\d+)(?: and 'Limit' to (\d+))?\./.exec(
			text,
		);
	if (onward) {
		const [, items, skip, limit] = onward;
		plans.push({
			items: named(items),
			skip: Number(skip),
			...(limit !== undefined && { limit: Number(limit) }),
		});
	}
	for (const pattern of [
		/Then run again with only (input items? [\d, toand]+), 'Skip' and 'Limit' as they are now\./,
		/To go on without paying twice, run again with only (input items? [\d, toand]+)\./,
	]) {
		const [, items] = pattern.exec(text) ?? [];
		if (items !== undefined) plans.push({ ...before, items: named(items) });
	}
	return plans;
}

/** '0, 2 to 4 and 9' as numbers. */
function numbersIn(words: string): number[] {
	return [...words.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to]) => {
		const first = Number(from);
		return Array.from({ length: Number(to ?? from) - first + 1 }, (_, index) => first + index);
	});
}

test('following the messages to the letter gets every lead and pays for none twice', async () => {
	let followed = 0;
	await fc.assert(
		fc.asyncProperty(scenario, async (wish) => {
			const { items, skip, limit, maxCredits, failing, nthRequest, times } = wish;
			const buyer = shared.customer({ leads: LEADS });
			const broken = buyer.addFault({ ...failing, nthRequest, times });
			const got: IDataObject[] = [];
			const queue: Plan[] = [
				{
					items: items.map((_, index) => index),
					skip,
					...(limit !== undefined && { limit }),
				},
			];
			for (let round = 0; queue.length > 0; round++) {
				expect(round).toBeLessThan(20);
				const plan = queue.shift();
				if (!plan) break;
				const charged = buyer.account.spent.apiCredits;
				const { items: output, hints } = await run(
					buyer,
					wish,
					plan,
					round === 0 ? maxCredits : undefined,
				);
				broken.remove();
				got.push(...jsonOf(output).filter(({ error }) => error === undefined));
				// Every input item that lacks something is told the same.
				const told = new Set([
					...jsonOf(output).flatMap(({ error, message }) =>
						typeof message === 'string' && error !== undefined ? [message] : [],
					),
					...hints.map(({ message }) => message),
				]);
				const plans = [...told].flatMap((text) => plansIn(text, plan));
				const isNothing = [...told].some((text) => text.includes('Nothing was charged.'));
				if (isNothing) expect(buyer.account.spent.apiCredits).toBe(charged);
				queue.push(...(isNothing ? [plan] : plans));
				followed += plans.length;
			}
			const wanted = new Set(
				items.flatMap((country) =>
					(leadsOf.get(country) ?? []).slice(
						skip,
						limit === undefined ? undefined : skip + limit,
					),
				),
			);
			expect(new Set(got.map(({ linkedin_url }) => linkedin_url))).toEqual(wanted);
			expect(leadsChargedTwice(buyer.account)).toEqual([]);
			expect(buyer.account.spent.apiCredits).toBe(wanted.size);
		}),
		{ numRuns: RUNS },
	);
	// Most of the scenarios do stop part-way.
	expect(followed).toBeGreaterThan(RUNS / 4);
});
