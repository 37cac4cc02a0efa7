/** What an answer says about the rows of a list. */
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { LeadJob } from '../../nodes/LeadSearch/paging/leadJob';
import { known, leads, listAfter, orderOf, settled, type Start } from './script';
import { recalled } from './world';

const FREE = { isPaid: false };
const FULL_100 = ['1/25 0-24', '2/25 25-49', '3/25 50-74', '4/25 75-99'];
const IN_50S = { receivedSize: 50 };

/** Answers, and what is known of the list after them. */
test.each<[string, string[], string, Start?]>([
	['a page that is short may be the last', ['1/50 0-29'], '0-29, proven 30, may end 30'],
	['page 1 that is short and says more', ['1/50 0-29 more'], '0-29, proven 30, stops 30'],
	[
		'a smaller size that page 1 names, with as many rows, is one',
		['1/50 0-29 per 30 more'],
		'0-29, proven 30, most 30',
	],
	['a size above the rows is one', ['1/50 0-29 per 40'], '0-29, proven 40, most 40, may end 30'],
	[
		'a later page that is short and says more, as a low balance makes it',
		['1/25 0-24 more', '2/25 25-34 more'],
		'0-34, proven 25, stops 35',
	],
	[
		'in a size that is not proven, a page is where its named size says',
		['1/50 0-49', '2/50 50-99', '2/200 100-199 per 100 more'],
		'0-199, proven 100, most 100, truncatedPage',
	],
	[
		'so that it may begin with known rows',
		['1/50 0-49', '2/50 50-99', '2/100 60-119 per 60 more'],
		'0-119, proven 60, most 60, repeated 40, truncatedPage',
	],
	['no row is the end', ['1/25 0-24', '26/1?'], '0-24, proven 25, ends 25'],
	['previews end where they say', ['1/50 0-29 last'], '0-29, proven 30, ends 30', FREE],
	['the last page may name any next', ['1/25 0-24 next 9 last'], '0-24, proven 25, may end 25'],
	[
		'other rows at known places: they have none',
		['3/25 50-74', '1/100 0-51 90-92'],
		'0-74, strays 90-92, proven 55, repeated 2',
	],
	[
		'rows after what looked like the end',
		['1/50 0-29', '2/50 50-79'],
		'0-29 50-79, proven 30, may end 80',
	],
	['the nearer one of two', ['3/25', '2/25'], 'none, proven 0, ends 25'],
	[
		'a full page before an end',
		['1/50 0-29', '1/30 0-29'],
		'0-29, proven 30, may end 30, repeated 30',
	],
	[
		'the last page once more',
		['1/25 0-24', '2/25 0-24 as 1 last'],
		'0-24, proven 25, may end 25, repeated 25, repeatedLastPage',
	],
	[
		'in answer to the question',
		['1/25 0-19', '21/1? 19 as 20 last'],
		'0-19, proven 20, ends 20, repeated 1, repeatedLastPage',
	],
	[
		'a last page may show new rows',
		['4/25 25-39 as 2 last'],
		'25-39, proven 15, may end 40, repeatedLastPage',
	],
	[
		'a page that only begins with known rows: the list has changed',
		['1/25 0-24', '2/25 22-46'],
		'0-49, others 25-49, proven 25, movedRows',
	],
	['a preview that sends more than asked for', ['1/25 0-49 per 50'], '0-49, proven 50', FREE],
	[
		'a preview that repeats',
		['1/25 0-24', '2/25 0-24'],
		'0-24, proven 25, ends 25, repeated 25, previewEnded',
		FREE,
	],
])('%s', (_, answers, expected, ...[start]) => {
	const { list, failures } = listAfter(answers, start);
	expect(failures.filter(Boolean)).toEqual([]);
	expect(known(list)).toBe(expected);
});

/** "Noticed": what the last of the answers contradicts, what is known then, and what helps. */
test.each<[string, string[], string, RegExp?, Start?]>([
	[
		'it sent 26 rows where 25 were asked for',
		['1/25 0-25'],
		'none, strays 0-25, proven 0',
		/to 26 or more/,
	],
	[
		'it sent a page of 30 rows where 25 were asked for',
		['1/25 0-24 per 30'],
		'none, strays 0-24, proven 0',
		/set 'Page Size', and 'Limit', to 30 or more/,
	],
	['it sent a page of 30 rows where 25 were asked for', ['1/25 per 30'], 'none, proven 0', /30/],
	[
		'it answered with page 2 where page 4 was asked for',
		[...FULL_100, '4/25 25-49 as 2'],
		'0-99, proven 25, repeated 25',
	],
	[
		'it answered with page 1 where page 2 was asked for',
		['1/25 0-24', '2/25 50-74 as 1 last'],
		'0-24, strays 50-74, proven 25',
	],
	['it named page 3 as the one after page 1', ['1/25 0-24 next 3'], 'none, strays 0-24, proven 0'],
	[
		'page 5 holds leads that had come before',
		[...FULL_100, '5/25 3-5 3-5'],
		'0-99, proven 25, repeated 6',
	],
	[
		'it serves pages of 60 rows where 100 were asked for, and does not say so',
		['1/50 0-49', '2/50 50-99', '2/100 60-119'],
		'0-99, strays 100-119, proven 50, repeated 40',
		/^Set 'Page Size' to 60\.$/,
	],
	[
		'it serves pages of fewer rows where 100 were asked for, and does not say so',
		['1/50 0-49', '2/50 50-99', '2/100 64-109 last'],
		'0-99, strays 100-109, proven 50, repeated 36',
		/^Set 'Page Size' to the most that it serves in one page\.$/,
	],
	[
		'it sent no lead for row 26, but leads after it',
		['1/25 0-24', '3/25 50-74', '2/25'],
		'0-24 50-74, proven 25',
	],
	[
		'it sent no leads after row 3,000 and said that more follow',
		['4/1000 more'],
		'none, proven 0',
		/^Credits may have run out: check the balance\. If there are some, contact the lead service\.$/,
	],
	['a violation', ['1/25 0-24 !'], 'none, strays 0-24, proven 0'],
])('%s', (text, answers, expected, ...[advice, start]) => {
	const { list, failures } = listAfter(answers, start);
	expect(failures.slice(0, -1).filter(Boolean)).toEqual([]);
	expect(failures.at(-1)).toMatchObject({ kind: 'protocolViolation', text });
	if (advice) expect(failures.at(-1)?.advice).toMatch(advice);
	else expect(failures.at(-1)).not.toHaveProperty('advice');
	expect(list.violation).toBe(failures.at(-1));
	expect(known(list)).toBe(expected);
});

test('rows that name nobody are known to the letter, and are no sign of a list that starts again', () => {
	const list = new LeadList();
	const pageOf = (at: number) => ['', null, 'N/A'].map((linkedin_url) => ({ linkedin_url, at }));
	for (let page = 1; page < 40; page++)
		expect(list.settle(orderOf(`${page}/3`), { rows: pageOf(page) })).toBeUndefined();
	expect(list.settle(orderOf('2/3'), { rows: pageOf(2).toReversed() })).toBeUndefined();
	expect(list).toMatchObject({ rowCount: 117, cost: { wasted: 3 } });
	list.settle(orderOf('2/3'), { rows: pageOf(99) });
	expect(list.unmatchedRows).toEqual(pageOf(99));
});

test('a row of the same profile is the same, whatever else of it has changed', () => {
	const { list } = listAfter(['1/1 0']);
	list.settle(orderOf('1/1'), { rows: leads('0').map((row) => ({ ...row, city: 'Oslo' })) });
	expect(list).toMatchObject({ unmatchedRows: [], cost: { wasted: 1 } });
});

test('few rows are no sign of a list that starts again, many are', () => {
	const pages = Array.from({ length: 30 }, (_, index) => `${index + 1}/1 0`);
	const { failures } = listAfter(pages);
	expect(failures.findIndex(Boolean)).toBe(25);
	expect(failures[25]?.text).toBe('page 26 holds leads that had come before');
});

test.each<[string, string[], string, number, string?]>([
	['a page size gives way', [], '1/1000', 422, 'none, proven 0, most 25, refusedSize'],
	['to what came', ['1/50 0-49'], '2/100', 400, '0-49, proven 50, most 50, refusedSize'],
	['the documented one does not', [], '1/25', 400],
	['nor does an address that is not there', [], '1/1000', 404],
	['a page after the last one', ['1/25 0-24'], '2/25', 404, '0-24, proven 25, stops 25'],
	['not where nothing came before', [], '2/25', 404],
	['nor where rows came after it', ['1/25 0-24', '3/25 50-74'], '2/25', 404],
	['the end', ['1/25 0-24'], '26/1?', 422, '0-24, proven 25, ends 25'],
])('refused: %s', (_, answers, asked, status, ...[expected]) => {
	const { list } = listAfter(answers);
	const before = known(list);
	const failure = { kind: 'refused' as const, status, text: 'no' };
	expect(list.fail(orderOf(asked), failure)).toEqual(expected ? undefined : failure);
	expect(known(list)).toBe(expected ?? before);
});

test.each<[boolean, string[]]>([
	[true, ['1/50 0-24 more']],
	[true, ['1/25 0-24 more', '2/25 25-34 more']],
	[false, ['1/25 0-24 last']],
])('a refusal at the end is told: %s, by what came before', (isTold, answers) => {
	const { list } = listAfter(answers);
	const at = list.cells.size;
	const refusal = { kind: 'refused' as const, status: 400, text: 'no further' };
	// Of the page, and not of its size.
	for (const asked of ['2/100', `${at / 5 + 1}/5`, `${at + 1}/1?`])
		list.fail(orderOf(asked), refusal);
	expect(list.hints.size).toBe(0);
	expect(list.end?.refusal).toEqual(isTold ? refusal : undefined);
	const job = new LeadJob(list, { skip: 0, limit: 50, pageSize: 25 });
	expect(job.next(50)).toBe(isTold ? 'refused' : 'complete');
});

test.each<[string[], string, string]>([
	[['1/25 0-19 last'], '21/1?', '0-19, proven 20'],
	[['1/25 0-19', '21/1?'], '2/25', '0-19, proven 20, ends 20'],
])('a 402 after %j takes back what a short page let appear', (answers, asked, expected) => {
	const { list } = listAfter(answers);
	const failure = { kind: 'noCredits' as const, status: 402 };
	expect(list.fail(orderOf(asked), failure)).toEqual(failure);
	expect(known(list)).toBe(expected);
});

test('only what is open is asked for: up to rows that are there, or on their way', () => {
	const { list } = listAfter(['1/25 0-24', '5/25 100-124']);
	list.reserve(orderOf('3/25'));
	const job = new LeadJob(list, { skip: 0, limit: 130, pageSize: 25 });
	list.settle(orderOf('2/25'), { rows: leads('25-39') });
	const asked = [1, 2, 3].map(() => {
		const request = job.next(Infinity);
		if (typeof request !== 'string') list.reserve(request);
		return request;
	});
	expect(asked).toMatchObject(['5/10', '4/25', '26/5'].map(orderOf));
	expect(job.next(Infinity)).toBe('limit');
});

test('kept are rows, sizes and where the list ends', () => {
	const { list } = listAfter(['1/50 0-29', '31/1?'], IN_50S);
	expect(known(recalled(list))).toBe('0-29, proven 50, ends 30');
});

test('the end of a list is asked for once more where rows before it are to be bought', () => {
	const { list } = listAfter(['2/25 25-39', '41/1?']);
	expect(known(recalled(list))).toBe('25-39, proven 15, may end 40');
	const later = new LeadList().restore(list.facts, [[25, 100]]);
	expect(known(later)).toBe('25-39, proven 15, ends 40');
});

test('rows of an earlier run at other places are a list that has changed, those of this run one that repeats', () => {
	const list = recalled(listAfter(['1/25 0-24']).list);
	const settle = (text: string) => list.settle(...settled(text));
	expect(settle('2/25 0-24')).toBeUndefined();
	expect(known(list)).toBe('0-49, others 25-49, proven 25, repeated 25, changedList');
	expect(settle('3/25 0-24')?.text).toBe('page 3 holds leads that had come before');
});

test('one row of an earlier run is enough to show that a list has changed', () => {
	const list = recalled(listAfter(['1/25 0-24']).list);
	expect(list.settle(...settled('2/25 24-48'))).toBeUndefined();
	expect([...list.hints.keys()]).toEqual(['changedList']);
});

/** What was lost of requests of so many rows, what may be asked for at once then, by the largest that came before. */
test.each<[string, number[], number, number, number]>([
	['nothing changes where none was lost', [], 0, 1_000, 1_000],
	['documented pages are safe, once a larger one was lost', [1_000], 0, 1_000, 25],
	['so they are where one of these is lost', [25], 0, 1_000, 1_000],
	['what came in runs before is, up to half of what was lost', [], 400, 1_000, 400],
	['no more than that half', [], 900, 1_000, 500],
	['in the run that loses it, nothing else is', [1_000], 400, 1_000, 25],
	['a smaller Page Size is worth another try', [1_000], 0, 300, 300],
])('%s', (_, lost, came, pageSize, expected) => {
	const list = new LeadList();
	if (came > 0) list.lossHistory = { smallestLost: 1_000, largestReceived: came };
	const failure = { kind: 'lostResponse' } as const;
	for (const size of lost) expect(list.fail(orderOf(`1/${size}`), failure)).toBe(failure);
	expect(list.maxRequestSize(pageSize)).toBe(expected);
	expect(list.cost).toMatchObject({ lostResponses: lost.length });
});

test.each<[string, Parameters<typeof LeadList.from>[0], string, number]>([
	['a start', { row: 0, confirmedSize: 0, mayEnd: false }, 'none, proven 0', 1_000],
	['after Skip', { row: 7, confirmedSize: 0, mayEnd: false }, 'none, proven 0', 25],
	['a poll later', { row: 60, confirmedSize: 40, mayEnd: false }, 'none, proven 40', 40],
	['a smaller size', { row: 60, confirmedSize: 10, mayEnd: false }, 'none, proven 10, most 10', 10],
	['at the end', { row: 60, confirmedSize: 40, mayEnd: true }, 'none, proven 40, may end 60', 40],
])('a place alone: %s', (_, place, expected, size) => {
	const list = LeadList.from(place);
	expect(known(list)).toBe(expected);
	expect(list.maxRequestSize(1_000)).toBe(size);
	expect(list.cost.charged + list.cost.wasted).toBe(0);
});

test.each<[string, number[], number[]]>([
	['smaller answers are no sign of smaller rows', [30, 30, 30], [334, 334, 334]],
	['smaller rows double them again, answer by answer', [30, 1, 1], [334, 668, 1_000]],
])('wide rows make the next pages smaller, and %s', (_, kilobytes, expected) => {
	const { list } = listAfter([]);
	let first = 0;
	const sizes = kilobytes.map((width) => {
		const size = list.maxRequestSize(1_000);
		const request = { ...orderOf(`1/${size}`), page: first / size + 1, firstKey: first };
		list.reserve(request);
		const rows = Array.from({ length: size }, (_, row) => ({ id: first + row }));
		first += size;
		expect(list.settle(request, { rows, bytes: size * width * 1_000 })).toBeUndefined();
		return list.maxRequestSize(1_000);
	});
	expect(sizes).toEqual(expected);
});
