/** Promise 5: every failure is told in words that help. */
import { NodeOperationError, type INode } from 'n8n-workflow';

import type { Failure } from '../../nodes/LeadSearch/api/failures';
import { formatFailure } from '../../nodes/LeadSearch/messages/failures';
import type { Circumstances, ErrorText } from '../../nodes/LeadSearch/messages/failures';
import { formatCost, hintCost, hintReused } from '../../nodes/LeadSearch/messages/hints';
import {
	asOperationError,
	escapeHtml,
	formatInvalid,
} from '../../nodes/LeadSearch/messages/nodeErrors';
import {
	formatNoBudget,
	formatStoppedRun,
	hintBudget,
	stoppedRunDetails,
	type Limit,
	type StoppedRun,
} from '../../nodes/LeadSearch/messages/stoppedRun';
import { InvalidParameterError } from '../../nodes/LeadSearch/parameters/invalidParameter';
import { FAILURES, HINTS, KINDS, WHERE } from '../sampleMessages';

const NASTY = `<img src=x onerror="alert(1)"> & 'more'`;
const BOTH = [true, false];
const NOTHING = { charged: 0, atRisk: 0, lost: 0 };

const wordsOf = ({ message, description }: ErrorText) => [message, description];

function everyText(text: string | undefined): ErrorText[] {
	const failures = KINDS.flatMap((kind) =>
		[200, 302, 404, 504].flatMap((status) =>
			BOTH.map((flag): Failure => {
				const retryAfterMs = flag ? 1_000 : undefined;
				const said = { text, code: text ?? 'ECONNREFUSED' };
				return { kind, status, retryAfterMs, ...said, mayBeCharged: flag, atEndProbe: flag };
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

const run = (fields: Partial<StoppedRun> = {}): StoppedRun => ({
	missing: { items: [0], ranges: [{ skip: 60, limit: 40 }], wanted: { skip: 0, limit: 100 } },
	...WHERE,
	...{ fetched: 60, spending: { charged: 60, atRisk: 0, lost: 0 } },
	...{ continues: false, isRetryable: true, minutesKept: 60, hasRoom: true },
	...fields,
});
const RUNS = BOTH.flatMap((continues) =>
	[0, 1, 60].flatMap((number) =>
		BOTH.map((hasRoom) => {
			const spending = { charged: number, atRisk: number, lost: number };
			const state = { fetched: number, continues, minutesKept: number, hasRoom, spending };
			return formatStoppedRun(run(state));
		}),
	),
);

const LIMITS = (['maximum', 'ceiling'] as const).map((kind): Limit => ({ kind, credits: 1 }));

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
		...LIMITS.flatMap((limit) => wordsOf(formatNoBudget(limit, { ...NOTHING, charged: 1 }))),
		...LIMITS.map((limit) => hintBudget('search', limit, 1)),
	];
	expect(texts.filter((text) => wrong.test(text))).toEqual([]);
	expect(everyText(undefined).filter(({ description }) => !description.endsWith('.'))).toEqual([]);
});

test('text of the service is never HTML, and reads as it was said where text is shown as text', () => {
	const shown = everyText(NASTY).map(
		({ message, description }) => message + escapeHtml(description),
	);
	expect([...shown, ...Object.values(HINTS)].filter((text) => /[<>]/.test(text))).toEqual([]);
	expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
		`&lt;a href="x" title='y'&gt;&amp;amp;&lt;/a&gt;`,
	);
	const told = formatFailure({ kind: 'serverDown', status: 500, text: NASTY }, WHERE);
	expect(told.description).toContain(`The service said: "${NASTY}".`);
});

describe('A run that stopped', () => {
	const SAID: Record<string, Partial<StoppedRun>> = {
		'Reuse Paid Results is 0, so running again pays for 60 leads again.': { minutesKept: 0 },
		'Your 60 leads are in the output. To get only the rest, set Skip (under Options) to 60.':
			// More than can be kept.
			{ hasRoom: false, continues: true },
		'2 answers were lost or could not be used; up to 40 credits may have been charged.': {
			...{ fetched: 0, spending: { ...NOTHING, atRisk: 40, lost: 2 } },
		},
		// Other input items have.
		'This execution has spent 75 credits.': { fetched: 0, spending: { ...NOTHING, charged: 75 } },
		'': { endpoint: 'preview' },
	};
	test.each(Object.entries(SAID))('says "%s" of %j', (text, fields) => {
		expect(formatStoppedRun(run(fields))).toBe(text);
	});

	test('says as data that nothing is missing of a list that is whole', () => {
		const missing = { ...run().missing, ranges: [] };
		const details = {
			status: 402,
			creditsSpent: 60,
			fetched: 60,
			skip: 100,
			limit: 0,
			missing: [],
		};
		expect(stoppedRunDetails(run({ missing }), 402)).toEqual(details);
	});
});

test('what a run cost is told in leads, credits, requests and emails, and of the execution', () => {
	const cost = { charged: 50, requests: 1, returned: 50 };
	expect(formatCost('search', cost)).toBe('50 leads for 50 credits, 1 request');
	const rows = [{ work_email: 'a@b.c' }, { personal_emails: ['a'] }, { personal_emails: [] }, {}];
	expect(hintCost('search', cost, 50, rows)).toMatch(/1 request; 2 with an email$/);
	expect(hintCost('search', cost, 80, [])).toMatch(/; 80 credits in this execution so far$/);
});

test('what was paid for minutes ago is told, with how to buy it anew', () => {
	const told = hintReused('search', { reused: 50, returned: 80 }, 12);
	expect(told).toBe(
		'50 of 80 leads were paid for 12 minutes ago and cost nothing now. To buy them anew, set Reuse Paid Results to 0.',
	);
});

const node = { name: 'Lead Search', type: 'leadSearch' } as INode;

test('a parameter that can not be used is told by its label and the item, with what to write', () => {
	const invalid = new InvalidParameterError('Limit', 'is empty', 'Write <one>.');
	const message = "'Limit' of input item 3 is empty";
	expect(formatInvalid(invalid, 3)).toEqual({ message, description: 'Write <one>.' });
	const error = asOperationError(node, invalid, 3);
	expect(error).toMatchObject({ message, description: 'Write &lt;one&gt;.' });
	expect(error.context.itemIndex).toBe(3);
});

test.each<[string, unknown]>([
	['an error of n8n without a description', new NodeOperationError(node, 'no')],
	['one with an empty description', new NodeOperationError(node, 'no', { description: '' })],
	['any other error', new Error('no')],
	['a text', 'no'],
])('%s is told with a description, which n8n needs to tell it from a lead', (_, thrown) => {
	expect(formatInvalid(thrown, 0)).toMatchObject({
		message: 'no',
		description: expect.stringContaining('Nothing was sent or charged') as string,
	});
	expect(asOperationError(node, thrown, 0).description).not.toBeFalsy();
});
