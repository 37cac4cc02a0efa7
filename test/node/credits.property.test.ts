/**
 * Searches for a breach of the promises about money: random searches and lookups, against a service
 * with a random database, balance and manners, which fails at random places. Time is the only thing
 * that is not real here: waits end at once.
 */
import fc from 'fast-check';

import { leadsChargedTwice, urlsMatching, type FaultAction } from '../../sandbox/service';
import { jsonOf, useService, type Customer } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const RUNS = Number(process.env.LEAD_SEARCH_RUNS ?? 2_000);
const SEED = Number(process.env.LEAD_SEARCH_SEED ?? Date.now() % 2 ** 31);

jest.setTimeout(Math.max(300_000, RUNS * 200));

const shared = useService();
const ICELAND = urlsMatching({ person_location_country: ['Iceland'] });

const retryAtOnce = { 'retry-after': '0' };
const fault = fc.oneof(
	fc.constantFrom(429, 500, 502, 503, 504).map((status): FaultAction => ({
		kind: 'status',
		status,
		headers: retryAtOnce,
	})),
	fc
		.constantFrom('loseBeforeAnswer', 'loseAfterAnswer', 'loseMidAnswer')
		.map((kind): FaultAction => ({ kind })),
	fc.constantFrom<FaultAction>(
		{ kind: 'status', status: 402 },
		{ kind: 'status', status: 400 },
		{ kind: 'status', status: 401 },
		{ kind: 'notJson' },
		{ kind: 'truncatedJson' },
		{ kind: 'raw', body: '{"success": false, "message": "No"}' },
		{ kind: 'merge', merge: { next_page: 1 } },
		{ kind: 'merge', merge: { per_page: 'many' } },
		{ kind: 'merge', merge: { has_more: 'perhaps', success: false } },
	),
);

const LOSES: ReadonlySet<string> = new Set([
	'loseBeforeAnswer',
	'loseAfterAnswer',
	'loseMidAnswer',
	'truncatedJson',
]);

/** How a service may bend the contract. Page sizes that the contract documents, it always takes. */
const manners = fc
	.tuple(
		fc.oneof(
			fc.constant({}),
			fc.record({ clampPerPage: fc.integer({ min: 1, max: 60 }) }),
			fc.record({ silentClamp: fc.integer({ min: 25, max: 60 }) }),
			fc.record({
				clampPerPage: fc.integer({ min: 25, max: 60 }),
				answersPerPage: fc.constant(false),
			}),
		),
		fc.record(
			{
				ignoresMaxResults: fc.constant(true),
				saysMoreWhenShort: fc.constant(true),
				refusesPerPageAbove: fc.record({
					size: fc.integer({ min: 100, max: 120 }),
					status: fc.constantFrom(400 as const, 413 as const, 422 as const),
				}),
			},
			{ requiredKeys: [] },
		),
	)
	.map(([clamp, others]) => ({ ...clamp, ...others }));

const scenario = fc
	.record({
		operation: fc.constantFrom('search', 'lookUp'),
		items: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 4 }),
		limit: fc.option(fc.integer({ min: 1, max: 260 }), { nil: undefined }),
		skip: fc.oneof(fc.constant(0), fc.nat({ max: 220 })),
		pageSize: fc.integer({ min: 1, max: 130 }),
		parallelPages: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 10 })),
		maxCredits: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
		maxRetries: fc.nat({ max: 3 }),
		onError: fc.constantFrom(
			'continueRegularOutput' as const,
			'continueErrorOutput' as const,
			'stopWorkflow' as const,
		),
		balance: fc.oneof(fc.constant(10_000), fc.nat({ max: 300 })),
		leads: fc.nat({ max: 240 }),
		manners: fc.oneof(fc.constant({}), manners),
		faults: fc.array(fc.record({ nthRequest: fc.integer({ min: 1, max: 12 }), fault }), {
			maxLength: 3,
		}),
	})
	.map((wanted) =>
		// Only from the first row on can a page size that nobody tells be found out.
		'silentClamp' in wanted.manners || 'answersPerPage' in wanted.manners
			? { ...wanted, skip: 0 }
			: wanted,
	);

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** What the runs came to, printed at the end. */
const tally = { runs: 0, requests: 0, faults: 0, answersLost: 0, runsFailed: 0, credits: 0 };
let lastShown = Date.now();

function showProgress(): void {
	tally.runs += 1;
	if (Date.now() - lastShown < 10_000) return;
	lastShown = Date.now();
	process.stderr.write(`  ${tally.runs} of ${RUNS} runs (seed ${SEED})\n`);
}

/** Lists that the items ask for: Search has one audience a number, Look Up joins all URLs. */
async function run(buyer: Customer, wanted: Scenario) {
	const { operation, items, limit, skip, pageSize, maxCredits, onError } = wanted;
	const { parallelPages, maxRetries } = wanted;
	const parameters = {
		returnAll: limit === undefined,
		...(limit !== undefined && { limit }),
		options: {
			skip,
			pageSize,
			parallelPages,
			maxRetries,
			...(maxCredits !== undefined && { maxCredits }),
		},
	};
	const input = items.map((audience) => ({ audience }));
	if (operation === 'search') {
		return await buyer.search(
			// The same people three times over, as searches that are not the same.
			{
				...parameters,
				filters: {
					personLocationCountry: 'Iceland',
					otherFilters: '={{ JSON.stringify({ audience: $json.audience }) }}',
				},
			},
			{ input, onError },
		);
	}
	const urls = ICELAND.slice(0, wanted.leads);
	return await buyer.lookUp(
		{
			...parameters,
			linkedinUrls: ['linkedin.com/in/nobody-at-all', ...urls].join('\n'),
			options: { ...parameters.options, onlyWithEmails: false },
		},
		{ input, onError },
	);
}

/** Rows that a hint says came twice. */
function repeatedRows(hints: ReadonlyArray<{ message: string }>): number {
	return hints
		.map(({ message }) => /([\d,]+) (?:leads?|profiles?) came twice/.exec(message)?.[1])
		.reduce((sum, found) => sum + Number(found?.replaceAll(',', '') ?? 0), 0);
}

async function check(wanted: Scenario): Promise<void> {
	const buyer = shared.customer({
		apiCredits: wanted.balance,
		leads: wanted.leads,
		...wanted.manners,
	});
	const { account } = buyer;
	for (const { nthRequest, fault: action } of wanted.faults) {
		shared.service.admin.addFault({ ...action, account: account.id, nthRequest });
	}
	const { items, errorItems, error, hints } = await run(buyer, wanted);
	await shared.service.admin.idle();
	shared.service.admin.clearFaults();

	const requests = buyer.requests();
	const met = requests.flatMap(({ faults }) => faults);
	const spent = account.spent.apiCredits;
	const all = [...items, ...errorItems];
	const rows = all.filter(({ json }) => json.error === undefined);
	const failures = all.filter(({ json }) => json.error !== undefined);
	tally.faults += met.length;
	tally.requests += requests.length;
	tally.credits += spent;
	tally.answersLost += met.filter((kind) => LOSES.has(kind)).length;
	if (error || failures.length > 0) tally.runsFailed += 1;
	showProgress();

	const isLossFree = !met.some((kind) => LOSES.has(kind));
	const clamps = 'clampPerPage' in wanted.manners || 'silentClamp' in wanted.manners;
	const movesPages = clamps && wanted.skip > 0;

	// Promise 1: rows asked for, and credits spent, stay within the Credit Budget.
	expect(spent).toBeLessThanOrEqual(wanted.maxCredits ?? Infinity);

	// Promise 1: within Limit, for every list.
	const lists = wanted.operation === 'search' ? new Set(wanted.items).size : 1;
	for (const item of wanted.items.keys()) {
		const own = rows.filter(
			({ pairedItem }) => JSON.stringify(pairedItem) === `{"item":${item}}`,
		);
		const names = jsonOf(own).map(({ linkedin_url }) => linkedin_url);
		expect(new Set(names).size).toBe(names.length);
		expect(names.length).toBeLessThanOrEqual(wanted.limit ?? Infinity);
	}
	if (isLossFree) expect(spent).toBeLessThanOrEqual(lists * (wanted.limit ?? Infinity));

	// Promise 4: a lead is paid for once a list, unless an answer was lost or pages moved.
	const paidTwice = leadsChargedTwice(account).length;
	if (isLossFree && !movesPages && lists === 1) expect(paidTwice).toBe(0);

	// Promises 2 and 3: what is charged comes out, or is told.
	if (wanted.onError !== 'stopWorkflow') {
		expect(error).toBeUndefined();
		const firstOfEach =
			wanted.operation === 'search'
				? [...new Set(wanted.items)].map((audience) => wanted.items.indexOf(audience))
				: [0];
		const paidRows = rows.filter(({ pairedItem }) =>
			firstOfEach.some((item) => JSON.stringify(pairedItem) === `{"item":${item}}`),
		).length;
		if (isLossFree) expect(paidRows + repeatedRows(hints)).toBe(spent);
		else expect(paidRows).toBeLessThanOrEqual(spent);
	} else if (error && isLossFree && lists === 1 && !movesPages && spent > 0) {
		const text = `${error.message} ${error.description ?? ''}`;
		expect(text).toContain(`${spent} ${wanted.operation === 'search' ? 'lead' : 'profile'}`);
	}

	// Promise 6: after a 402 or a 401 nothing more is sent, but for what is under way already.
	const last = requests.findIndex(({ status }) => status === 402 || status === 401);
	if (last >= 0) expect(requests.length).toBeLessThanOrEqual(last + wanted.parallelPages);

	// Without a fault, nothing but the balance ends a run early.
	const told = [error?.message, ...failures.map(({ json }) => json.error)].filter(Boolean);
	if (met.length === 0) {
		for (const message of told) expect(message).toContain('Not enough API credits (402)');
		if (wanted.balance >= 10_000) expect(told).toEqual([]);
	}

	// Promise 3: a run without a failure, and not ended by the budget, has everything.
	const budgetEnded = hints.some(({ message }) => message.includes('Credit Budget'));
	if (!error && failures.length === 0 && !budgetEnded) {
		const available = Math.max(0, wanted.leads - wanted.skip);
		const limit = wanted.limit ?? Infinity;
		const repeated = movesPages ? repeatedRows(hints) : 0;
		// Rows that came twice count towards Limit; more than one list can't be told apart here.
		if (repeated > 0 && lists > 1) return;
		const expected = Math.min(available, limit - repeated);
		for (const item of wanted.items.keys()) {
			const own = rows.filter(
				({ pairedItem }) => JSON.stringify(pairedItem) === `{"item":${item}}`,
			);
			expect(jsonOf(own).map(({ linkedin_url }) => linkedin_url)).toEqual(
				ICELAND.slice(wanted.skip, wanted.skip + expected),
			);
		}
	}
}

test(`Promises 1 to 6 hold in ${RUNS} random runs`, async () => {
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: RUNS, seed: SEED });
	const { runs, faults, answersLost, requests, runsFailed, credits } = tally;
	process.stderr.write(
		`${runs} runs (seed ${SEED}): ${faults} faults injected in ${requests} requests, ` +
			`${answersLost} of them lost the answer; ${runsFailed} runs failed part-way; ` +
			`${credits} credits spent, all accounted for\n`,
	);
	// Without faults, there would be nothing to find.
	expect(faults).toBeGreaterThan(RUNS / 4);
});
