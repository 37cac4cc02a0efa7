/** Promise 5: every failure is told in words that help. */
import { NodeOperationError, type INode } from 'n8n-workflow';

import type { Failure } from '../../nodes/LeadSearch/api/failures';
import { formatFailure } from '../../nodes/LeadSearch/messages/failures';
import type { Circumstances, ErrorText } from '../../nodes/LeadSearch/messages/failures';
import { hintCost, hintReused } from '../../nodes/LeadSearch/messages/hints';
import { asOperationError, escapeHtml } from '../../nodes/LeadSearch/messages/nodeErrors';
import { formatInvalid } from '../../nodes/LeadSearch/messages/nodeErrors';
import { formatNoBudget, formatStoppedRun } from '../../nodes/LeadSearch/messages/stoppedRun';
import { hintBudget, stoppedRunDetails } from '../../nodes/LeadSearch/messages/stoppedRun';
import type { SpendingLimit, StoppedRun } from '../../nodes/LeadSearch/messages/stoppedRun';
import { NO_COST } from '../../nodes/LeadSearch/paging/ledger';
import { FAILURES, HINTS, KINDS, WHERE } from '../sampleMessages';

const NASTY = `<img src=x onerror="alert(1)"> & 'more'`;
const BOTH = [true, false];
const NOTHING = NO_COST;

const wordsOf = ({ message, description }: ErrorText) => [message, description];

function everyText(text: string | undefined): ErrorText[] {
	const failures = KINDS.flatMap((kind) =>
		[200, 302, 404, 504].flatMap((status) =>
			BOTH.map((flag): Failure => {
				const retryAfterMs = flag ? 1_000 : undefined;
				const said = { text, code: text ?? 'ECONNREFUSED' };
				return { kind, status, retryAfterMs, ...said, mayBeCharged: flag };
			}),
		),
	);
	const baseUrl = `https://leads.example.com/${text ?? ''}`;
	const circumstances = (['preview', 'search', 'lookUp'] as const).flatMap((endpoint) =>
		BOTH.flatMap((sessionToken) =>
			[0, 1, 2_350].map((fetched): Circumstances => {
				return { endpoint, baseUrl, sessionToken, fetched, timeoutMs: 1_000 };
			}),
		),
	);
	return failures.flatMap((one) => circumstances.map((where) => formatFailure(one, where)));
}

test.each<[string, Failure, Partial<Circumstances>, boolean]>([
	['a lost answer', { kind: 'lostResponse' }, {}, true],
	['one of what costs nothing', { kind: 'lostResponse' }, { endpoint: 'preview' }, false],
	['one of the credential test', { kind: 'lostResponse' }, { isFree: true }, false],
	['a poll that took too long', { kind: 'cancelled', mayBeCharged: true }, { isPoll: true }, true],
	['a run that was stopped', { kind: 'cancelled', mayBeCharged: true }, {}, false],
])('%s: may it have been charged? (%#)', (_, failure, where, isTold) => {
	const { message } = formatFailure(failure, { ...WHERE, endpoint: 'search', ...where });
	expect(message.endsWith('; it may have been charged')).toBe(isTold);
});

const NO_LIMIT: SpendingLimit = {
	...{ kind: 'maximum', credits: Infinity, left: Infinity, isByHand: false, isExecution: true },
	reusesAll: false,
};
const run = (fields: Partial<StoppedRun> = {}): StoppedRun => ({
	missing: { items: [0], ranges: [{ skip: 60, limit: 40 }], wanted: { skip: 0, limit: 100 } },
	...WHERE,
	...{ fetched: 60, cost: { ...NOTHING, charged: 60 }, limit: NO_LIMIT },
	...{ failure: { kind: 'noCredits', status: 402 }, continues: false },
	...{ minutesKept: 60, isRetryable: true, isByHand: false, isOnly: true },
	...fields,
});
const RUNS = BOTH.flatMap((continues) =>
	[0, 1, 60].flatMap((number) =>
		BOTH.map((isByHand) => {
			const cost = { ...NOTHING, charged: number, atRisk: number, lost: number };
			const limit = { ...NO_LIMIT, credits: number, left: 0 };
			const state = { fetched: number, continues, minutesKept: number, isByHand, cost, limit };
			return formatStoppedRun(run({ ...state, failure: { kind: 'lostResponse' } }));
		}),
	),
);

const LIMITS = (['maximum', 'ceiling'] as const).flatMap((kind) =>
	BOTH.flatMap((isByHand) =>
		BOTH.map((isExecution): SpendingLimit => ({
			kind,
			credits: 1,
			left: 0,
			isByHand,
			isExecution,
			reusesAll: isByHand,
		})),
	),
);

test.each<[string, RegExp]>([
	["keeps n8n's guideline: no 'error', 'problem' or 'failure'", /error|problem|failure/i],
	['has no gaps where a value is missing', /undefined|null|NaN|Infinity|\[object|\(\)|\s{2}/],
	['counts one of a thing as one', /\b1 (leads|profiles|credits|seconds|minutes|answers)\b/],
	['is there', /^$/],
])('every text for people %s', (_, wrong) => {
	const texts = [
		...everyText(undefined).flatMap(wordsOf),
		...FAILURES.flatMap(wordsOf),
		...RUNS,
		...Object.values(HINTS),
		...LIMITS.flatMap((limit) =>
			wordsOf(
				formatNoBudget(
					limit,
					{ ...NOTHING, charged: 1 },
					{ unmatched: 1, minutesKept: 1, returned: 0 },
				),
			),
		),
		...LIMITS.map((limit) => hintBudget('search', limit, 1)),
	];
	expect(texts.filter((text) => wrong.test(text))).toEqual([]);
	expect(everyText(undefined).filter(({ description }) => !description.endsWith('.'))).toEqual([]);
});

test('text of the service is never HTML, and reads as it was said where text is shown as text', () => {
	const read = everyText(NASTY).map(({ message, description: text }) => message + escapeHtml(text));
	expect([...read, ...Object.values(HINTS)].filter((text) => /[<>]/.test(text))).toEqual([]);
	expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
		`&lt;a href="x" title='y'&gt;&amp;amp;&lt;/a&gt;`,
	);
	const told = formatFailure({ kind: 'serverDown', status: 500, text: NASTY }, WHERE);
	expect(told.description).toContain(`The service said: "${NASTY}".`);
});

describe('A run that stopped', () => {
	const SAID: Record<string, Partial<StoppedRun>> = {
		"'Reuse Paid Results' is 0, so running again pays for 60 leads again.": { minutesKept: 0 },
		"Your 60 leads are in the output. To get only the rest, set 'Skip' to 60.": {
			...{ minutesKept: 0, continues: true },
		},
		'Your 60 leads are kept. Retry it under Executions as long as it is there, or run again within 60 minutes: you pay only for the rest.':
			{},
		"Your 60 leads are kept for 60 minutes. Run again: you pay only for the rest. To see the 60 you have paid for, set 'Limit' to 60: it costs nothing.":
			{ isRetryable: false, isByHand: true },
		'Your 3 profiles are kept. 2 profiles are kept: the next run finds out for which URL. Retry it under Executions as long as it is there, or run again within 60 minutes: you pay only for the rest.':
			{
				...{ endpoint: 'lookUp', fetched: 3, cost: { ...NOTHING, charged: 5 } },
				missing: { urls: 4, unmatched: [{}, {}] },
			},
		"1 answer was lost or could not be used; up to 500 credits may have been charged. What may have been charged counts towards 'Max Credits', which leaves nothing to spend.":
			{
				...{ fetched: 0, cost: { ...NOTHING, atRisk: 500, lost: 1 } },
				...{ failure: { kind: 'lostResponse' }, limit: { ...NO_LIMIT, left: 0 } },
			},
		// Another node of the execution has lost it, or another call of an agent.
		"What may have been charged counts towards the credential's 'Credit Ceiling', which leaves nothing to spend. It holds for all calls with this credential within 60 minutes. Ask whoever owns the credential to raise it, or wait.":
			{
				...{ fetched: 0, cost: NOTHING, failure: { kind: 'lostResponse' } },
				limit: { ...NO_LIMIT, kind: 'ceiling', left: 0, isExecution: false },
			},
		'2 answers were lost or could not be used; up to 40 credits may have been charged.': {
			...{ fetched: 0, cost: { ...NOTHING, atRisk: 40, lost: 2 } },
		},
		// Rounds before it have.
		'Retry it under Executions: what it has paid for before costs nothing then. This node has spent 75 credits in this execution.':
			{ fetched: 0, cost: { ...NOTHING, charged: 75 } },
		'Your 60 leads are in the output and kept for 60 minutes. Run again with the input items that failed: you pay only for the rest.':
			{ continues: true, isRetryable: false, isOnly: false },
		'': { endpoint: 'preview' },
	};
	test.each(Object.entries(SAID))('says "%s" of %j', (text, fields) => {
		expect(formatStoppedRun(run(fields))).toBe(text);
	});

	test('says as data that nothing is missing of a list that is whole', () => {
		const missing = { ...run().missing, ranges: [] };
		const told = { status: 402, creditsSpent: 60, fetched: 60, skip: 100, limit: 0, missing: [] };
		expect(stoppedRunDetails(run({ missing }))).toEqual(told);
	});
});

test.each<[boolean, unknown, unknown]>([
	[true, 'a@b.example', null],
	[true, null, ['N/A', 'a@b.example']],
	[true, '', 'a@b.example'],
	...[null, undefined, '', ' ', 'N/A', 'not_found', '@', 7].map(
		(none): [boolean, unknown, unknown] => [...([false, none, [none]] as const)],
	),
	[false, undefined, undefined],
	[false, null, []],
	[false, '', {}],
])('an email is counted (%j) where one stands: %j, %j', (is, work_email, personal_emails) => {
	const cost = { ...NO_COST, charged: 1, inAll: 1 };
	const told = hintCost('search', cost, [{ work_email, personal_emails }], true);
	expect(told).toBe(`1 lead for 1 credit; ${is ? 1 : 0} with an email`);
});

test('what was paid for minutes ago is told, with how to buy it anew', () => {
	const told = hintReused('search', { reused: 50, returned: 80 }, 12);
	expect(told).toBe(
		"50 of 80 leads were paid for 12 minutes ago and cost nothing now. To buy them anew, set 'Reuse Paid Results' to 0.",
	);
});

const node = { name: 'Lead Search', type: 'leadSearch' } as INode;

test('any error is told with a description, which n8n needs to tell it from a lead', () => {
	const errors = [undefined, ''].map((description) => {
		return new NodeOperationError(node, 'no', { description });
	});
	for (const thrown of [...errors, new Error('no'), 'no']) {
		const { message, description } = formatInvalid(thrown, 0);
		expect(message).toBe('no');
		expect(description).toContain('Nothing was sent or charged');
		expect(asOperationError(node, [{ item: 0, thrown }], false).description).toContain(
			'Nothing was sent or charged',
		);
	}
});
