/** Tests what responses say about the rows of a list. */
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { LeadJob } from '../../nodes/LeadSearch/paging/leadJob';
import { describeFacts, leads, listAfter, parseRequest, parseExchange } from './script';
import { restoreCopy } from './world';

const FULL_100 = ['1/25 0-24', '2/25 25-49', '3/25 50-74', '4/25 75-99'];

/** Each row has a title, responses, and the facts of the list after them. */
test.each<[string, string[], string, isPaid?: boolean]>([
	[
		'a smaller size that page 1 reports is the size limit if the page is short',
		['1/50 0-29 per 40'],
		'0-29, pages of 40, may end 30',
	],
	[
		'a short later page that says that more follows stops the list, as after a low balance',
		['1/25 0-24 more', '2/25 25-34 more'],
		'0-34, stops 35',
	],
	['a preview ends where it says so', ['1/50 0-29 last'], '0-29, ends 30', false],
	['the last page may name any next page', ['1/25 0-24 next 9 last'], '0-24, may end 25'],
	[
		'other rows at known indexes are unmatched',
		['3/25 50-74', '1/100 0-51 90-92'],
		'0-74, unmatched 90-92, wasted 2',
	],
	['the earlier one of two ends counts', ['3/25', '2/25'], 'none, ends 25'],
	[
		'a full page before an end keeps that end',
		['1/50 0-29', '1/30 0-29'],
		'0-29, may end 30, wasted 30',
	],
	['a preview may return more rows than requested', ['1/25 0-49 per 50'], '0-49', false],
])('%s', (_, responses, expected, ...[isPaid]) => {
	const { list, failures } = listAfter(responses, isPaid);
	expect(failures.filter(Boolean)).toEqual([]);
	expect(describeFacts(list)).toBe(expected);
});

/** Each row has the violation in the last response, the responses, the facts after them, and the advice. */
test.each<[string, string[], string, RegExp?]>([
	[
		'it sent 26 rows instead of the requested 25',
		['1/25 0-25'],
		'none, unmatched 0-25',
		/to 26 or more/,
	],
	[
		'it sent a page of 30 rows instead of the requested 25',
		['1/25 0-24 per 30'],
		'none, unmatched 0-24',
		/Set 'Page Size' and 'Limit' to 30 or more/,
	],
	['it sent a page of 30 rows instead of the requested 25', ['1/25 per 30'], 'none', /30/],
	[
		'it sent page 2 instead of the requested page 4',
		[...FULL_100, '4/25 25-49 as 2'],
		'0-99, wasted 25',
	],
	[
		'it sent page 1 instead of the requested page 2',
		['1/25 0-24', '2/25 50-74 as 1 last'],
		'0-24, unmatched 50-74',
	],
	['it named page 3 as the next page after page 1', ['1/25 0-24 next 3'], 'none, unmatched 0-24'],
	[
		'it sent no lead for row 26, but leads for later rows',
		['1/25 0-24', '3/25 50-74', '2/25'],
		'0-24 50-74',
	],
	[
		'it sent no leads after row 3,000 but said that more follow',
		['4/1000 more'],
		'none',
		/^Check your balance: the credits may have run out\. If you have credits left, contact the lead service\.$/,
	],
	['a violation', ['1/25 0-24 !'], 'none, unmatched 0-24'],
])('a response is unexpected: %s', (text, responses, expected, ...[advice]) => {
	const { list, failures } = listAfter(responses);
	expect(failures.slice(0, -1).filter(Boolean)).toEqual([]);
	expect(failures.at(-1)).toMatchObject({ kind: 'protocolViolation', text });
	if (advice) expect(failures.at(-1)?.advice).toMatch(advice);
	else expect(failures.at(-1)).not.toHaveProperty('advice');
	expect(list.violation).toBe(failures.at(-1));
	expect(describeFacts(list)).toBe(expected);
});

test('rows without a profile are compared by all values, and never count as a list that starts again', () => {
	const list = new LeadList();
	const pageOf = (at: number) => ['', null, 'N/A'].map((linkedin_url) => ({ linkedin_url, at }));
	for (let page = 1; page < 40; page++)
		expect(list.settle(parseRequest(`${page}/3`), { rows: pageOf(page) })).toBeUndefined();
	expect(list.settle(parseRequest('2/3'), { rows: pageOf(2).toReversed() })).toBeUndefined();
	expect(list).toMatchObject({ rowCount: 117, cost: { wasted: 3 } });
	list.settle(parseRequest('2/3'), { rows: pageOf(99) });
	expect(list.unmatchedRows).toEqual(pageOf(99));
});

test('a row of a known profile is a duplicate, even if its other values have changed', () => {
	const { list } = listAfter(['1/1 0']);
	list.settle(parseRequest('1/1'), { rows: leads('0').map((row) => ({ ...row, city: 'Oslo' })) });
	expect(list).toMatchObject({ unmatchedRows: [], cost: { wasted: 1 } });
});

test('25 known rows without a new one are a list that starts again, and fewer are not', () => {
	const pages = Array.from({ length: 30 }, (_, index) => `${index + 1}/1 0`);
	const { failures } = listAfter(pages);
	expect(failures.findIndex(Boolean)).toBe(25);
	expect(failures[25]?.text).toBe('page 26 contains only leads that were already received');
});

test.each<[string, string[], string]>([
	['without rows', [], 'none'],
	['that has later rows', ['1/25 0-24', '3/25 50-74'], '0-24 50-74'],
])('a refused page does not end a list %s', (_, responses, expected) => {
	const { list } = listAfter(responses);
	const failure = { kind: 'refused' as const, status: 404, text: 'no' };
	expect(list.fail(parseRequest('2/25'), failure)).toEqual(failure);
	expect(describeFacts(list)).toBe(expected);
});

test.each<[string[], boolean]>([
	[['1/50 0-24 more'], true],
	[['1/25 0-24 more', '2/25 25-34 more'], true],
	[['1/25 0-24 last'], false],
])('the refusal of further pages after %j is reported: %s', (responses, isReported) => {
	const { list } = listAfter(responses);
	const at = list.cells.size;
	const refusal = { kind: 'refused' as const, status: 400, text: 'no further' };
	// The page is refused, not its size.
	for (const requestText of ['2/100', `${at / 5 + 1}/5`, `${at + 1}/1?`])
		list.fail(parseRequest(requestText), refusal);
	expect(list.hints.size).toBe(0);
	expect(list.end?.refusal).toEqual(isReported ? refusal : undefined);
	const job = new LeadJob(list, { skip: 0, limit: 50, pageSize: 25 });
	expect(job.next(50)).toBe(isReported ? 'refused' : 'complete');
});

test.each<[string[], string, string]>([
	[['1/25 0-19 last'], '21/1?', '0-19'],
	[['1/25 0-19', '21/1?'], '2/25', '0-19, ends 20'],
])(
	'a 402 after %j removes an end that a short page suggests, and keeps a confirmed end',
	(responses, requestText, expected) => {
		const { list } = listAfter(responses);
		const failure = { kind: 'noCredits' as const, status: 402 };
		expect(list.fail(parseRequest(requestText), failure)).toEqual(failure);
		expect(describeFacts(list)).toBe(expected);
	},
);

test('a request ends before rows that are known or in flight', () => {
	const { list } = listAfter(['1/25 0-24', '5/25 100-124']);
	list.take(parseRequest('3/25'));
	const job = new LeadJob(list, { skip: 0, limit: 130, pageSize: 25 });
	list.settle(parseRequest('2/25'), { rows: leads('25-39') });
	const requests = [1, 2, 3].map(() => {
		const request = job.next(Infinity);
		if (typeof request !== 'string') list.take(request);
		return request;
	});
	expect(requests).toMatchObject(['5/10', '4/25', '26/5'].map(parseRequest));
	expect(job.next(Infinity)).toBe('limit');
});

test('a page of nothing but rows of an earlier run is not unexpected, one of rows of this run is', () => {
	const list = restoreCopy(listAfter(['1/25 0-24']).list);
	const settle = (text: string) => list.settle(...parseExchange(text));
	expect(settle('2/25 0-24')).toBeUndefined();
	expect(describeFacts(list)).toBe('0-49, others 25-49, wasted 25');
	expect(settle('3/25 0-24')?.text).toBe('page 3 contains only leads that were already received');
});

test.each<[string, string[]]>([
	['the service names its size', ['1/100 0-39 per 60', '41/1? 40']],
	['the page was of the documented size', ['1/25 0-9', '11/1? 10']],
	['the page was page 2', ['1/50 0-49', '2/50 50-79', '81/1? 80']],
])('a row after a short page is not unexpected if %s', (_, responses) => {
	const { list, failures } = listAfter(responses);
	expect(failures.filter(Boolean)).toEqual([]);
	expect(list.unmatchedRows).toEqual([]);
});
