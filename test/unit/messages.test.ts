/** Promise 5: every failure is told in words that help. Here: for all of them, in all circumstances. */
import {
	hintBudget,
	hintCeiling,
	hintLostAnswers,
	hintRepeated,
	hintSame,
	tellMissing,
	tellMoney,
	type Standing,
} from '../../nodes/LeadSearch/operations/moneyMessages';
import { escapeHtml } from '../../nodes/LeadSearch/operations/nodeErrors';
import {
	count,
	tellFailure,
	type Circumstances,
	type Told,
} from '../../nodes/LeadSearch/operations/failureMessages';
import type { Endpoint } from '../../nodes/LeadSearch/service/contract';
import type { Failure, FailureKind } from '../../nodes/LeadSearch/service/failures';

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
	lostAnswer: true,
	unreadable: true,
	saidNo: true,
	misfit: true,
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

function everyFailure(words: string | undefined): Failure[] {
	return KINDS.flatMap((kind) =>
		[undefined, 200, 302, 404, 422, 503].flatMap((status) =>
			[true, false].map((flag) => ({
				kind,
				status,
				words,
				location: words,
				code: words ?? 'ECONNREFUSED',
				timedOut: flag,
				tooLarge: flag,
				inFlight: flag,
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

function everyTold(): Told[] {
	return everyFailure(undefined).flatMap((failure) =>
		everyCircumstance(where.baseUrl).map((circumstances) =>
			tellFailure(failure, circumstances),
		),
	);
}

function everyStanding(): Standing[] {
	return ENDPOINTS.flatMap((endpoint) =>
		[true, false].flatMap((continues) =>
			[0, 1, 60].flatMap((fetched) =>
				[0, 1, 90].flatMap((more) =>
					[0, 1, 2].map((lostAnswers) => ({
						endpoint,
						continues,
						fetched,
						resumeSkip: fetched + 10,
						remaining: more === 0 ? Infinity : more,
						missing: more === 90 ? [{ after: 2, until: 5 }] : [],
						charged: fetched + more,
						lostAnswers,
						possiblyCharged: lostAnswers * 100,
						isUntouched: fetched === 0,
						items: more === 90 ? [2] : [],
						notRun: more === 1 ? [3, 4, 5, 9] : [],
					})),
				),
			),
		),
	);
}

const hints = [
	...everyStanding().flatMap((standing) => [
		hintBudget(1_000, 900, 0, standing),
		hintBudget(1, 0, 1, standing),
	]),
	hintCeiling(),
	hintLostAnswers(1, 100),
	hintLostAnswers(2, 1),
	tellMissing({
		missing: [{ after: 25, until: 50 }],
		endpoint: 'search',
		items: [],
		remaining: 5,
	}),
	tellMissing({
		missing: [{ after: 25, until: 50 }],
		endpoint: 'lookUp',
		items: [0, 2],
		remaining: Infinity,
	}),
	...ENDPOINTS.flatMap((endpoint) => [hintRepeated(100, endpoint), hintSame(3, endpoint)]),
];

describe('Every text for people', () => {
	const texts = [
		...everyTold().flatMap(({ message, description }) => [message, description]),
		...everyStanding().map(tellMoney),
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
				tellFailure({ kind, status: 500, code: 'ECONNREFUSED' }, circumstances),
			),
		).flatMap(({ message, description }) => [message, description]);
		const gaps = /undefined|null|NaN|Infinity|\[object|\(\)|\s{2}/;
		const all = [...told, ...everyStanding().map(tellMoney), ...hints];
		expect(all.filter((text) => gaps.test(text))).toEqual([]);
	});

	test('has a message and a description', () => {
		for (const { message, description } of everyTold()) {
			expect(message).not.toBe('');
			expect(description).toMatch(/\.$/);
		}
	});

	test('counts one of a thing as one', () => {
		expect(count(1, { one: 'lead', many: 'leads' })).toBe('1 lead');
		expect(count(0, { one: 'lead', many: 'leads' })).toBe('0 leads');
		expect(count(2_350, { one: 'lead', many: 'leads' })).toBe('2,350 leads');
		expect(texts.filter((text) => /\b1 (leads|profiles|credits|seconds)\b/.test(text))).toEqual(
			[],
		);
	});
});

describe('Untrusted text', () => {
	const nasty = `<img src=x onerror="alert(1)"> & 'more'`;

	const raw = (isRaw: (told: Told) => boolean) =>
		everyFailure(nasty)
			.filter((failure) =>
				everyCircumstance(`https://leads.example.com/${nasty}`).some((circumstances) =>
					isRaw(tellFailure(failure, circumstances)),
				),
			)
			.map(({ kind }) => kind);

	test('is never HTML: neither in a message nor in the description of an error', () => {
		const described = ({ description }: Told) => escapeHtml(description);
		expect(raw((told) => /[<>]/.test(told.message + described(told)))).toEqual([]);
	});

	test('reads as it was said where text is shown as text', () => {
		const told = tellFailure({ kind: 'serverDown', status: 500, words: nasty }, where);
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
		const told = tellFailure(
			{ kind: 'noCredits', status: 402, words: 'Top up <b>now</b>' },
			{ ...where, endpoint, sessionToken, fetched },
		);
		expect(told.message).toBe(message);
		expect(told.description).toContain(sessionToken ? 'subscription credits' : 'API credits');
		expect(told.description).toContain('Top up <b>now</b>');
	});
});

describe('What was charged, and how to go on', () => {
	const standing: Standing = {
		endpoint: 'search',
		continues: false,
		fetched: 60,
		resumeSkip: 60,
		isUntouched: false,
		remaining: 40,
		missing: [],
		items: [],
		notRun: [],
		charged: 60,
		lostAnswers: 0,
		possiblyCharged: 0,
	};

	test.each([
		[[3], 'only input item 3,'],
		[[0, 2, 3, 4, 9], 'only input items 0, 2 to 4 and 9,'],
		[[1, 0], 'only input items 0 to 1,'],
		[Array.from({ length: 203 }, (_, index) => 2 * index), '396, 398 and 3 more,'],
	])('the input items %j are named in as few words as possible', (items, words) => {
		expect(tellMoney({ ...standing, items })).toContain(words);
	});

	test('a stopped run says how many were charged and what to set in Skip and Limit', () => {
		expect(tellMoney(standing)).toMatch(
			/^60 leads fetched before and charged, but not handed on/,
		);
		expect(tellMoney(standing)).toContain(
			"set 'Skip' (under Options) to 60 and 'Limit' to 40.",
		);
	});

	test('Return All has no Limit to set', () => {
		expect(tellMoney({ ...standing, remaining: Infinity })).not.toContain("'Limit'");
	});

	test('a run that goes on says that they are in the output', () => {
		expect(tellMoney({ ...standing, continues: true })).toContain('are in the output');
	});

	test('a preview has nothing to say about money', () => {
		expect(tellMoney({ ...standing, endpoint: 'preview' })).toBe('');
	});

	test('nothing charged is said to be nothing, unless an answer was lost', () => {
		const nothing = { ...standing, fetched: 0, charged: 0, resumeSkip: 0 };
		expect(tellMoney(nothing)).toBe('Nothing was charged.');
		const lost = tellMoney({ ...nothing, lostAnswers: 1, possiblyCharged: 100 });
		expect(lost).not.toContain('Nothing was charged');
		expect(lost).toContain('up to 100 credits');
	});

	test('with every wanted lead in, nobody is told to set Limit to 0', () => {
		// The last page came with something that doesn't fit, or a cancel came right after it.
		expect(
			tellMoney({ ...standing, fetched: 100, charged: 100, resumeSkip: 100, remaining: 0 }),
		).not.toContain("'Limit' to 0");
	});

	test('at row 100,000 nobody is told to set Skip to what Skip does not take', () => {
		expect(tellMoney({ ...standing, resumeSkip: 100_000, remaining: Infinity })).not.toContain(
			'100000',
		);
	});
});
