/** Promise 5: every failure is told in words that help. Here: for all of them, in all circumstances. */
import type { Endpoint } from '../../nodes/LeadSearch/api/contract';
import { CreditAccount } from '../../nodes/LeadSearch/api/credits';
import type { Failure, FailureKind } from '../../nodes/LeadSearch/api/failures';
import type { RowRange } from '../../nodes/LeadSearch/api/ranges';
import { quantity } from '../../nodes/LeadSearch/messages/quantity';
import {
	formatCost,
	hintBudget,
	hintCost,
	hintMaxResults,
	hintLostResponses,
	hintRepeated,
	hintReused,
	hintSame,
	hintUnwanted,
	hintUnverifiedEnd,
} from '../../nodes/LeadSearch/messages/hints';
import {
	formatNoBudget,
	formatStoppedRun,
	stoppedRunDetails,
	type StoppedRun,
} from '../../nodes/LeadSearch/messages/stoppedRun';
import {
	formatFailure,
	type Circumstances,
	type ErrorText,
} from '../../nodes/LeadSearch/messages/failures';
import { escapeHtml } from '../../nodes/LeadSearch/messages/nodeErrors';

const kinds: Record<FailureKind, true> = {
	unauthorized: true,
	noCredits: true,
	refused: true,
	notTheService: true,
	tooManyRequests: true,
	serverDown: true,
	upstreamDown: true,
	unreachable: true,
	notSent: true,
	lostResponse: true,
	unreadable: true,
	unsuccessful: true,
	protocolViolation: true,
	cancelled: true,
};
const KINDS = Object.keys(kinds) as FailureKind[];
const ENDPOINTS: Endpoint[] = ['preview', 'search', 'lookUp'];

const where: Circumstances = {
	endpoint: 'search',
	baseUrl: 'https://leads.example.com',
	sessionToken: false,
	fetched: 0,
	timeoutMs: 300_000,
};

function everyFailure(text: string | undefined): Failure[] {
	return KINDS.flatMap((kind) =>
		[undefined, 200, 302, 404, 422, 503].flatMap((status) =>
			[true, false].map((flag) => ({
				kind,
				status,
				text,
				location: text,
				code: text ?? 'ECONNREFUSED',
				timedOut: flag,
				tooLarge: flag,
				inFlight: flag,
				atEndProbe: flag,
				retryAfterMs: flag ? 1_000 : undefined,
			})),
		),
	);
}

function everyCircumstance(baseUrl: string): Circumstances[] {
	return ENDPOINTS.flatMap((endpoint) =>
		[true, false].flatMap((sessionToken) =>
			[0, 1, 2_350].map((fetched) => ({
				endpoint,
				baseUrl,
				sessionToken,
				fetched,
				timeoutMs: 1_000,
			})),
		),
	);
}

function everyText(): ErrorText[] {
	return everyFailure(undefined).flatMap((failure) =>
		everyCircumstance(where.baseUrl).map((circumstances) =>
			formatFailure(failure, circumstances),
		),
	);
}

const WANTED: RowRange = { from: 10, to: 110 };

function account(charged: number, lostResponses = 0): CreditAccount {
	const credits = new CreditAccount();
	credits.charge(charged);
	for (let response = 0; response < lostResponses; response++) credits.loseResponse(100);
	return credits;
}

/** What may be missing of rows 11 to 110: all, an end, a gap, both, nothing. */
const MISSING: RowRange[][] = [
	[WANTED],
	[{ from: 70, to: 110 }],
	[{ from: 20, to: 45 }],
	[
		{ from: 20, to: 45 },
		{ from: 70, to: 110 },
	],
	[],
];

function everyStoppedRun(): StoppedRun[] {
	const lists = MISSING.flatMap((missing) =>
		[true, false].map((isReturnAll) => ({
			items: [2],
			rows: { wanted: WANTED, isReturnAll, missing },
		})),
	);
	const lookups = [0, 1, 90].map((urls) => ({ items: [2], urls }));
	return [...lists, ...lookups].flatMap((remainder) =>
		(remainder === lists[0] ? ENDPOINTS : ['search' as const, 'lookUp' as const]).flatMap(
			(endpoint) =>
				[true, false].flatMap((continues) =>
					[0, 1, 60].flatMap((fetched) =>
						[0, 1, 2].map((lostResponses) => ({
							endpoint,
							continues,
							fetched,
							remainder,
							isRetryable: fetched === 1,
							isFinal: fetched === 60 && lostResponses === 2,
							minutesKept: lostResponses * 30,
							hasRoom: true,
							credits: account(fetched + lostResponses, lostResponses),
							items: lostResponses === 1 ? [2] : [],
							notRun: fetched === 1 ? [3, 4, 5, 9] : [],
						})),
					),
				),
		),
	);
}

const noBudget = formatNoBudget(1, account(1));
const hints = [
	...everyStoppedRun().flatMap((run) => [
		hintBudget(1_000, account(900), run),
		hintBudget(1, account(0, 1), run),
		formatCost(run.endpoint, run.credits),
		hintCost(run.endpoint, account(1), run.credits),
	]),
	noBudget.message,
	noBudget.description,
	...ENDPOINTS.flatMap((endpoint) => [
		hintReused(endpoint, 50, 80, 12),
		hintReused(endpoint, 1, 1, 0),
		hintReused(endpoint, 80, 80, undefined),
	]),
	hintMaxResults(),
	hintLostResponses(account(0, 1)),
	hintLostResponses(account(0, 2)),
	...ENDPOINTS.flatMap((endpoint) => [
		hintRepeated(100, endpoint),
		hintSame(3, endpoint),
		hintUnwanted(1, endpoint),
		hintUnverifiedEnd(endpoint),
	]),
];

describe('Every text for people', () => {
	const texts = [
		...everyText().flatMap(({ message, description }) => [message, description]),
		...everyStoppedRun().map(formatStoppedRun),
		...hints,
	];

	test("keeps n8n's guideline: no 'error', 'problem' or 'failure'", () => {
		// 'On Error' is the name of a setting.
		const ours = texts.map((text) => text.replaceAll('On Error', ''));
		expect(ours.filter((text) => /error|problem|failure/i.test(text))).toEqual([]);
	});

	test('has no gaps where a value is missing', () => {
		// A failure of these kinds always has a status or a code where its text names one.
		const told = KINDS.flatMap((kind) =>
			everyCircumstance(where.baseUrl).map((circumstances) =>
				formatFailure({ kind, status: 500, code: 'ECONNREFUSED' }, circumstances),
			),
		).flatMap(({ message, description }) => [message, description]);
		const gaps = /undefined|null|NaN|Infinity|\[object|\(\)|\s{2}/;
		const all = [...told, ...everyStoppedRun().map(formatStoppedRun), ...hints];
		expect(all.filter((text) => gaps.test(text))).toEqual([]);
	});

	test('has a message and a description', () => {
		for (const { message, description } of everyText()) {
			expect(message).not.toBe('');
			expect(description).toMatch(/\.$/);
		}
	});

	test('counts one of a thing as one', () => {
		expect(quantity(1, { one: 'lead', many: 'leads' })).toBe('1 lead');
		expect(quantity(0, { one: 'lead', many: 'leads' })).toBe('0 leads');
		expect(quantity(2_350, { one: 'lead', many: 'leads' })).toBe('2,350 leads');
		expect(texts.filter((text) => /\b1 (leads|profiles|credits|seconds)\b/.test(text))).toEqual(
			[],
		);
	});
});

describe('Untrusted text', () => {
	const nasty = `<img src=x onerror="alert(1)"> & 'more'`;

	const raw = (isRaw: (text: ErrorText) => boolean) =>
		everyFailure(nasty)
			.filter((failure) =>
				everyCircumstance(`https://leads.example.com/${nasty}`).some((circumstances) =>
					isRaw(formatFailure(failure, circumstances)),
				),
			)
			.map(({ kind }) => kind);

	test('is never HTML: neither in a message nor in the description of an error', () => {
		const described = ({ description }: ErrorText) => escapeHtml(description);
		expect(raw((text) => /[<>]/.test(text.message + described(text)))).toEqual([]);
	});

	test('reads as it was said where text is shown as text', () => {
		const told = formatFailure({ kind: 'serverDown', status: 500, text: nasty }, where);
		expect(told.description).toContain(`The service said: "${nasty}".`);
	});
});

describe('Promise 5: 402 says what ran out, what came before and what to do', () => {
	test.each([
		['search', false, 60, 'Not enough API credits (402): 60 leads fetched before they ran out'],
		['search', false, 0, 'Not enough API credits (402): no leads fetched'],
		['lookUp', false, 1, 'Not enough API credits (402): 1 profile fetched before they ran out'],
		['lookUp', true, 0, 'Not enough subscription credits (402): no profiles fetched'],
	] as const)('%s, session token: %j, %i before', (endpoint, sessionToken, fetched, message) => {
		const told = formatFailure(
			{ kind: 'noCredits', status: 402, text: 'Top up <b>now</b>' },
			{ ...where, endpoint, sessionToken, fetched },
		);
		expect(told.message).toBe(message);
		expect(told.description).toContain(sessionToken ? 'subscription credits' : 'API credits');
		expect(told.description).toContain('Top up <b>now</b>');
	});
});

describe('What was charged, and how to go on', () => {
	const list = (missing: RowRange[], isReturnAll = false) => ({
		items: [0],
		rows: { wanted: { from: 0, to: 100 }, isReturnAll, missing },
	});
	const rest = [{ from: 60, to: 100 }];
	const run = (fields: Partial<StoppedRun> = {}): StoppedRun => ({
		endpoint: 'search',
		continues: false,
		isRetryable: true,
		isFinal: false,
		fetched: 60,
		remainder: list(rest),
		credits: account(60),
		minutesKept: 60,
		hasRoom: true,
		items: [],
		notRun: [],
		...fields,
	});

	test.each([
		[[3], 'only input item 3,'],
		[[0, 2, 3, 4, 9], 'only input items 0, 2 to 4 and 9,'],
		[[1, 0], 'only input items 0 to 1,'],
		[Array.from({ length: 203 }, (_, index) => 2 * index), '396, 398 and 3 more,'],
	])('the input items %j are named in as few words as possible', (items, words) => {
		expect(formatStoppedRun(run({ items }))).toContain(words);
	});

	test('a stopped run says how many came, how to go on, and what to set for later', () => {
		const text = formatStoppedRun(run());
		expect(text).toMatch(/^60 leads came before\. Retry this execution within 60 minutes:/);
		expect(text).toContain('what was charged is not paid again');
		expect(text).toContain("set 'Skip' (under Options) to 60 and 'Limit' to 40.");
	});

	test('with Reuse Paid Results 0 nobody is told that running again is free', () => {
		const text = formatStoppedRun(run({ minutesKept: 0 }));
		expect(text).toContain('running it again pays for them again');
		expect(text).toContain("set 'Skip' (under Options) to 60");
		expect(text).not.toContain('Retry');
	});

	test('nor where it is more than can be kept', () => {
		const text = formatStoppedRun(run({ hasRoom: false }));
		expect(text).toContain("more than is kept in n8n's memory, so running it again pays");
		expect(text).toContain("set 'Skip' (under Options) to 60");
		expect(text).not.toContain('Retry');
	});

	test('a run that can not be retried is to be run again, under Continue with the rest alone', () => {
		const text = formatStoppedRun(run({ isRetryable: false }));
		expect(text).toContain('Run again within 60 minutes');
		const continued = run({ isRetryable: false, continues: true, items: [1], notRun: [3] });
		expect(formatStoppedRun(continued)).toContain('are in the output');
		expect(formatStoppedRun(continued)).toContain('Run again with only input items 1 and 3');
	});

	test('credits spent for other input items are told apart', () => {
		expect(formatStoppedRun(run({ credits: account(75) }))).toContain(
			'In this execution 75 credits were spent in all.',
		);
	});

	test('Return All has no Limit to set', () => {
		expect(formatStoppedRun(run({ remainder: list(rest, true) }))).not.toContain("'Limit'");
	});

	test('where leads are missing in between, each part is named, so that none is bought twice', () => {
		const text = formatStoppedRun(run({ remainder: list([{ from: 20, to: 45 }, ...rest]) }));
		expect(text).toContain("'Skip' 20 with 'Limit' 25, 'Skip' 60 with 'Limit' 40.");
	});

	test('a run that would end the same way again is not to be run again as it is', () => {
		expect(formatStoppedRun(run({ isFinal: true }))).toBe('60 leads came before.');
	});

	test('a lookup says how many URLs are left, since it has no Skip', () => {
		const text = formatStoppedRun(
			run({ endpoint: 'lookUp', remainder: { items: [0], urls: 7 }, notRun: [3] }),
		);
		expect(text).toContain('with only the 7 URLs that were not looked up');
		expect(text).toContain('only input item 3');
		expect(text).not.toContain('Skip');
	});

	test('a preview has nothing to say about credits', () => {
		expect(formatStoppedRun(run({ endpoint: 'preview' }))).toBe('');
	});

	test('nothing charged is said to be nothing, unless a response was lost', () => {
		const nothing = {
			fetched: 0,
			credits: account(0),
			remainder: list([{ from: 0, to: 100 }]),
		};
		expect(formatStoppedRun(run(nothing))).toBe('Nothing was charged.');
		const lost = formatStoppedRun(run({ ...nothing, credits: account(0, 1) }));
		expect(lost).not.toContain('Nothing was charged');
		expect(lost).toContain('up to 100 credits');
	});

	test('with every wanted lead in, nobody is told to set Limit to 0', () => {
		// The last page came with a violation, or a cancel came right after it.
		const whole = { fetched: 100, credits: account(100), remainder: list([]) };
		expect(formatStoppedRun(run(whole))).not.toContain("'Limit' to 0");
	});

	test('at row 100,000 nobody is told to set Skip to what Skip does not take', () => {
		const end = { from: 99_940, to: 100_000 };
		const remainder = { items: [0], rows: { wanted: end, isReturnAll: true, missing: [] } };
		expect(formatStoppedRun(run({ remainder }))).not.toContain('100000');
	});

	test('the cost of a run is told in leads, credits and requests, and of the execution', () => {
		const ran = { ...account(50).figures(), requests: 1, returned: 50 };
		expect(formatCost('search', ran)).toBe('50 leads for 50 credits, 1 request');
		expect(hintCost('search', ran, ran)).toBe('50 leads for 50 credits, 1 request');
		expect(hintCost('search', ran, account(80))).toBe(
			'50 leads for 50 credits, 1 request; 80 credits in this execution so far',
		);
	});

	test('what was paid for before is told, with how to buy it anew', () => {
		expect(hintReused('search', 50, 80, 12)).toBe(
			'50 of 80 leads were paid for 12 minutes ago and cost nothing now. To buy them anew, set Reuse Paid Results to 0.',
		);
		expect(hintReused('lookUp', 1, 1, undefined)).toBe(
			'1 of 1 profile was paid for earlier in this execution and cost nothing now.',
		);
	});

	test.each<[string, Partial<StoppedRun>, object]>([
		['a list that stopped', {}, { skip: 60, limit: 40, missing: [{ skip: 60, limit: 40 }] }],
		[
			'a list with a gap: Skip names the first lead that is missing',
			{ remainder: list([{ from: 20, to: 45 }, ...rest]) },
			{
				skip: 20,
				limit: 80,
				missing: [
					{ skip: 20, limit: 25 },
					{ skip: 60, limit: 40 },
				],
			},
		],
		['a list that is whole', { remainder: list([]) }, { skip: 100, limit: 0, missing: [] }],
		[
			'Return All',
			{
				remainder: {
					items: [0],
					rows: {
						wanted: { from: 0, to: 100_000 },
						isReturnAll: true,
						missing: [{ from: 60, to: 100_000 }],
					},
				},
			},
			{ skip: 60, limit: null, missing: [{ skip: 60, limit: null }] },
		],
		['a lookup', { endpoint: 'lookUp', remainder: { items: [0], urls: 7 } }, { missing: 7 }],
	])('the details of an error say the same as data: %s', (_, fields, details) => {
		expect(stoppedRunDetails(run(fields), 402)).toEqual({
			status: 402,
			creditsSpent: 60,
			fetched: 60,
			...details,
		});
	});
});
