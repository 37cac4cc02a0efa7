/**
 * Searches for a breach of the promises about credits: random searches and lookups, against a service
 * with a random database and balance that reads the contract in a random way, and fails at random
 * requests. Time is the only thing that is not real here: waits end at once.
 */
import fc from 'fast-check';

import { ConcurrencyLimit } from '../../nodes/LeadSearch/api/concurrency';
import { leadsChargedTwice, urlsMatching } from '../../sandbox/service';
import { expectMet, RUNS } from '../seed';
import { behaviour, fault, told } from './randomService';
import { useService, type Customer } from './useService';
import type { NodeResult } from './n8nCore';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

jest.setTimeout(Math.max(300_000, RUNS * 200));

const shared = useService();
const ICELAND = urlsMatching({ person_location_country: ['Iceland'] });
const NOBODY = 'https://www.linkedin.com/in/nobody-at-all';

const rows = (min: number, max: number) => fc.integer({ min, max });

const scenario = fc.record({
	operation: fc.constantFrom('search', 'lookUp'),
	items: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 4 }),
	limit: fc.option(rows(1, 260), { nil: undefined }),
	skip: fc.oneof(fc.constant(0), fc.nat({ max: 220 })),
	pageSize: rows(1, 130),
	parallelPages: fc.oneof(fc.constant(1), rows(2, 10)),
	/** Whether as many pages are in flight from the start, as after many that came. */
	isAtOnce: fc.boolean(),
	maxCredits: fc.option(rows(1, 300), { nil: undefined }),
	maxRetries: fc.nat({ max: 3 }),
	onlyFound: fc.boolean(),
	onError: fc.constantFrom(
		'continueRegularOutput' as const,
		'continueErrorOutput' as const,
		'stopWorkflow' as const,
	),
	balance: fc.oneof(fc.constant(10_000), fc.nat({ max: 300 })),
	leads: fc.nat({ max: 240 }),
	behaviour,
	faults: fc.array(fc.record({ nthRequest: rows(1, 12), fault }), { maxLength: 3 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** What the runs came to, printed at the end. */
const tally = { runs: 0, requests: 0, faults: 0, readings: 0, runsFailed: 0, credits: 0 };
let lastShown = Date.now();

function showProgress(): void {
	tally.runs += 1;
	if (Date.now() - lastShown < 10_000) return;
	lastShown = Date.now();
	process.stderr.write(`  ${tally.runs} of ${RUNS} runs\n`);
}

async function run(buyer: Customer, wanted: Scenario): Promise<NodeResult> {
	const { operation, items, limit, skip, pageSize, maxCredits, onError } = wanted;
	const { parallelPages, maxRetries, onlyFound } = wanted;
	jest.restoreAllMocks();
	if (wanted.isAtOnce) {
		jest.spyOn(ConcurrencyLimit.prototype, 'waitBefore').mockImplementation((inFlight, most) =>
			inFlight < most ? 0 : Infinity,
		);
	}
	const parameters = {
		returnAll: limit === undefined,
		...(limit !== undefined && { limit }),
		options: {
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
				options: { ...parameters.options, skip },
				filters: {
					personLocationCountry: 'Iceland',
					otherFilters: '={{ JSON.stringify({ audience: $json.audience }) }}',
				},
			},
			{ input, onError },
		);
	}
	return await buyer.lookUp(
		{
			...parameters,
			linkedinUrls: [NOBODY, ...ICELAND.slice(0, wanted.leads)].join('\n'),
			options: {
				...parameters.options,
				onlyWithEmails: false,
				...(!onlyFound && { unmatched: 'returnAsNotFound' }),
			},
		},
		{ input, onError },
	);
}

/** What the behaviour of a service makes impossible, however careful the node is. */
function excusesOf({ behaviour, skip, operation, items, balance }: Scenario) {
	const { omits = [], clampPerPage, silentClamp, laterClamp, fixedPerPage } = behaviour;
	const { sendsExtra, ignoresPage, behindEnd, answersPerPage } = behaviour;
	const { minPerPage, allowedPerPage } = behaviour;
	const isBareArray = behaviour.answerShape === 'bareArray';
	const isUnnamed = omits.includes('per_page') || answersPerPage === false || isBareArray;
	const isCapped = clampPerPage !== undefined || laterClamp !== undefined;
	const isRepeated = behindEnd !== undefined && behindEnd !== 'notFound';
	const isUnnamedRepeat = behindEnd === 'lastPage' || behindEnd === 'firstPage';
	// Such an answer looks like the end of the list, unless it says that more follow.
	const isSilentAtZero = behaviour.answersAtZero === true && balance < 10_000;
	const isRaised =
		fixedPerPage !== undefined || minPerPage !== undefined || allowedPerPage !== undefined;
	// Pages of a size that is not named: where they begin can't be known behind the first row.
	const hiddenSize =
		silentClamp !== undefined ||
		((isCapped || isRaised) && isUnnamed) ||
		(behaviour.renumbersPages === true && omits.includes('page')) ||
		(isCapped && behaviour.perPageIsCount === true);
	return {
		/** A page of the documented size may be cut, which nothing but a size probe shows. */
		isBelowDocumented: Math.min(clampPerPage ?? 25, laterClamp?.size ?? 25) < 25,
		/** Rows may be placed wrongly, so that some are paid for twice and others never come. */
		misplaces:
			operation === 'search' &&
			(hiddenSize || (skip > 0 && (ignoresPage !== undefined || isUnnamedRepeat))),
		/** More is served, and charged, than was requested. */
		overserves:
			isRaised ||
			sendsExtra !== undefined ||
			(operation === 'lookUp' && behaviour.twoRowsEvery !== undefined),
		/** Rows are served again, and charged, whatever is requested. */
		repeats:
			ignoresPage !== undefined ||
			isRepeated ||
			laterClamp !== undefined ||
			isRaised ||
			sendsExtra !== undefined ||
			(hiddenSize && (skip > 0 || operation === 'search')),
		/** Where no more are said to follow, an empty page of another size looks like the end. */
		hidesEnd:
			(isSilentAtZero &&
				(behaviour.saysMoreWhenShort !== true || behaviour.deniesMoreAtZero === true)) ||
			(behaviour.omitsWhenEmpty !== undefined &&
				(balance < 10_000 || behaviour.deniesMoreAtZero === true) &&
				(minPerPage !== undefined || allowedPerPage !== undefined)),
		/** Pages behind the end, which show it, fail. */
		lacksEnd: behindEnd === 'notFound',
		/** What came back can't be read. */
		unreadable:
			['nullRows', 'noContent', 'emptyBody', 'html'].includes(behaviour.answerShape ?? '') ||
			(behaviour.answerShape === 'nullWhenEmpty' && omits.includes('count')),
		/** Profiles stand on pages of a lookup that nothing tells of. */
		hides:
			operation === 'lookUp' &&
			(isSilentAtZero ||
				(behaviour.lookupPagesBy === 'urls' &&
					isCapped &&
					isUnnamed &&
					(isBareArray ||
						behaviour.deniesMoreAtZero === true ||
						(omits.includes('has_more') && omits.includes('next_page'))))),
		lists: operation === 'search' ? new Set(items).size : 1,
	};
}

async function check(wanted: Scenario): Promise<void> {
	const { behaviour, operation, limit = Infinity, maxCredits = Infinity } = wanted;
	const buyer = shared.customer({
		apiCredits: wanted.balance,
		leads: wanted.leads,
		...behaviour,
	});
	const { account } = buyer;
	for (const { nthRequest, fault: action } of wanted.faults) {
		shared.service.admin.addFault({ ...action, account: account.id, nthRequest });
	}
	const { items, errorItems, error, hints, run: execution } = await run(buyer, wanted);
	await shared.service.admin.idle();
	shared.service.admin.clearFaults();

	const requests = buyer.requests();
	const met = requests.flatMap(({ faults }) => faults);
	const spent = account.spent.apiCredits;
	const all = [...items, ...errorItems];
	const failures = all.filter(({ json }) => json.error !== undefined);
	const found = all.filter(({ json }) => json.error === undefined && json.found === undefined);
	const notFound = all.filter(({ json }) => json.found === false);
	tally.faults += met.length;
	tally.requests += requests.length;
	tally.credits += spent;
	if (Object.keys(behaviour).length > 0) tally.readings += 1;
	if (error || failures.length > 0) tally.runsFailed += 1;
	showProgress();

	const excuses = excusesOf(wanted);
	// Where the question about the page size fails, the documented one is believed.
	excuses.misplaces ||=
		excuses.isBelowDocumented &&
		requests.some(({ page, faults }) => Number(page) > 100_000 && faults.length > 0);
	const errors = [error?.message, ...failures.map(({ json }) => json.error)].filter(Boolean);
	const hintTexts = hints.map(({ message }) => message).join('\n');
	const possible =
		told(hintTexts, /Up to ([\d,]+) credits? may have been charged/g) ||
		told(
			error?.description ?? '',
			/up to ([\d,]+) credits? (?:may have been charged|for answers that were lost)/g,
		);

	// What the execution cost is told in its custom data, whether it failed or not.
	const [cost = ''] = Object.values(execution.data.resultData.metadata ?? {});
	if (requests.length > 0 || spent > 0) {
		const charged = told(cost, /for ([\d,]+) credits?/g);
		expect(charged).toBeLessThanOrEqual(spent);
		// A response that is lost holds at most what was requested, unless more is served.
		// One that says that it was not successful is taken at its word.
		const isDenied = excuses.unreadable && met.includes('merge');
		if (!excuses.overserves && !isDenied) {
			expect(spent).toBeLessThanOrEqual(charged + possible);
		}
	}

	// Promise 2: what is charged comes out, or is told.
	const paired = (item: number) =>
		found.filter(({ pairedItem }) => JSON.stringify(pairedItem) === `{"item":${item}}`);
	const firstOfEach =
		operation === 'search'
			? [...new Set(wanted.items)].map((audience) => wanted.items.indexOf(audience))
			: [0];
	const unpaired = found.filter(({ pairedItem }) => Array.isArray(pairedItem)).length;
	expect(found.every(({ pairedItem }) => pairedItem !== undefined)).toBe(true);
	if (wanted.onError !== 'stopWorkflow') {
		expect(error).toBeUndefined();
		const returned = firstOfEach.reduce((sum, item) => sum + paired(item).length, unpaired);
		const accounted =
			returned +
			told(hintTexts, /([\d,]+) (?:leads?|profiles?) came twice/g) +
			told(hintTexts, /([\d,]+) (?:leads?|profiles?) outside Skip and Limit/g);
		expect(accounted).toBeLessThanOrEqual(spent);
		if (
			!(excuses.unreadable && met.includes('merge')) &&
			(possible === 0 || !excuses.overserves)
		) {
			expect(spent).toBeLessThanOrEqual(accounted + possible);
		}
	}

	// Promise 1: never more than Limit and Credit Budget, unless more is served than requested.
	for (const item of wanted.items.keys()) {
		expect(paired(item).length).toBeLessThanOrEqual(limit);
	}
	if (!excuses.overserves) {
		expect(spent).toBeLessThanOrEqual(maxCredits);
		if (possible === 0 && met.length === 0) {
			expect(spent).toBeLessThanOrEqual(excuses.lists * limit);
		}
	}

	// Promise 4: a row is paid for once a list, unless a response was lost or the service repeats.
	if (possible === 0 && met.length === 0 && !excuses.repeats && excuses.lists === 1) {
		expect(leadsChargedTwice(account)).toEqual([]);
	}

	// Promise 6: after a 401 nothing more is sent, but for what is in flight already, and after a 402
	// to a request beside others one at a time, up to the next 402. With too many headers even the
	// status can't be read.
	const { parallelPages } = wanted;
	const answered = requests.map(({ status, faults }) =>
		faults.includes('hugeHeaders') ? null : status,
	);
	const denied = answered.indexOf(401);
	if (denied >= 0) expect(requests.length).toBeLessThanOrEqual(denied + parallelPages);
	const refused = answered.indexOf(402);
	if (refused >= 0 && (parallelPages === 1 || excuses.lists === 1)) {
		const alone = requests.slice(refused + parallelPages);
		if (parallelPages === 1) expect(alone).toEqual([]);
		expect(alone.filter(({ inFlight }) => inFlight > 1)).toEqual([]);
		const next = answered.indexOf(402, refused + parallelPages);
		if (next >= 0) expect(requests).toHaveLength(next + 1);
	}

	// Without a fault, nothing but the balance ends a run early at a service that serves pages as
	// they are requested.
	const servesPages =
		!excuses.overserves &&
		!excuses.misplaces &&
		!excuses.repeats &&
		!excuses.lacksEnd &&
		!excuses.unreadable;
	if (met.length === 0 && servesPages) {
		for (const message of errors) expect(message).toContain('Not enough API credits (402)');
		if (wanted.balance >= 10_000) expect(errors).toEqual([]);
	}

	// Look Up: nothing that the service has is called not found.
	const known = new Set(ICELAND.slice(0, wanted.leads));
	const wrong = notFound.filter(({ json }) => known.has(json.linkedin_url as string));
	if (!excuses.hides) expect(wrong).toEqual([]);

	// Promise 3: a run without a failure has everything, unless a hint says otherwise.
	const saysMore =
		/Credit Budget of|no page that shows the end of the list|are missing, since others/.test(
			hintTexts,
		);
	if (error || failures.length > 0 || saysMore) return;
	if (excuses.misplaces || excuses.hides || excuses.hidesEnd) return;
	const people = ICELAND.slice(0, wanted.leads);
	const isHiddenFixed =
		behaviour.fixedPerPage !== undefined && (behaviour.omits ?? []).includes('per_page');
	if (isHiddenFixed) return;
	for (const item of wanted.items.keys()) {
		const urls = paired(item).map(({ json }) => json.linkedin_url);
		if (operation === 'search') {
			const repeated = told(hintTexts, /([\d,]+) leads? came twice/g);
			// Rows that came twice count towards Limit.
			if (repeated > 0) continue;
			expect(urls).toEqual(people.slice(wanted.skip, wanted.skip + limit));
		} else if (limit === Infinity) {
			const { renamesEvery } = behaviour;
			if (renamesEvery === undefined) expect(new Set(urls)).toEqual(new Set(people));
			if (renamesEvery === undefined && !wanted.onlyFound) {
				expect(notFound.length).toBe(wanted.items.length);
			}
		}
	}
}

test(`Promises 1 to 6 hold in ${RUNS} random runs`, async () => {
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: RUNS });
	const { runs, faults, readings, requests, runsFailed, credits } = tally;
	process.stderr.write(
		`${runs} runs, ${readings} of them with another reading of the contract: ` +
			`${faults} faults injected in ${requests} requests; ${runsFailed} runs failed part-way; ` +
			`${credits} credits spent, all accounted for\n`,
	);
	// Without faults and other readings, there would be nothing to find.
	expectMet(faults, RUNS / 4, RUNS);
	expectMet(readings, RUNS / 4, RUNS);
});
