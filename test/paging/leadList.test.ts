/** What an answer says about the rows of a list. */
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { LeadJob } from '../../nodes/LeadSearch/paging/leadJob';
import { ANY, known, leads, listAfter, orderOf, type Start } from './script';
import { kept } from './world';

const FREE = { isPaid: false };
const FULL_100 = ['1/25 0-24', '2/25 25-49', '3/25 50-74', '4/25 75-99'];

/** Answers, and what is known of the list after them. */
test.each<[string, string[], string, Start?]>([
	['a page that is full', ['1/25 0-24'], '0-24, served 25'],
	['after an empty one, one row', ['1/40 0-3', '6/25? more'], '0-3, served 4, asks 4 one'],
	['a page that is short may be the last', ['1/50 0-29'], '0-29, served 30, asks 30'],
	['one that says so most likely is', ['1/50 0-29 last'], '0-29, served 30, asks 30 one'],
	['a full one that says so, too', ['1/30 0-29 last'], '0-29, served 30, asks 30 one'],
	['a smaller size that is named is served', ['1/50 0-29 per 30 more'], '0-29, served 30, most 30'],
	['so is one below the documented size', ['1/50 0-9 per 10 more'], '0-9, served 10, most 10'],
	['a size above the rows is one', ['1/50 0-29 per 40'], '0-29, served 40, most 40, asks 30'],
	[
		'a page is where its named size says',
		['1/25 0-24', '2/100 50-99 per 50 more'],
		'0-24 50-99, served 50, most 50',
		ANY,
	],
	['a whole page has the place asked for', ['2/100 100-199'], '100-199, served 100, most any', ANY],
	[
		'a short page of another size has its place for certain once its first row is there',
		['2/100 100-129', '101/1= 100'],
		'100-129, served 30, most 30, asks 130, repeated 1',
		ANY,
	],
	['previews end where they say', ['1/50 0-29 last'], '0-29, served 30, asks 30 one, end 30', FREE],
	['no row is the end', ['1/25 0-24', '26/1?'], '0-24, served 25, asks 25, end 25'],
	['rows after a proven end', ['1/25 0-24', '26/1?', '3/25 50-74'], '0-24 50-74, served 25'],
	['a row after a reported end', ['1/50 0-29', '31/1? 30 more'], '0-30, served 30, most 30'],
	['a last page may show new rows', ['4/25 25-39 as 2'], '25-39, served 15, asks 40 one, charged'],
	['no row out of reach', ['1/25 0-24', '100001/100#'], '0-24, served 25, tried 100, free'],
	[
		'an empty page after all others says more: it would be charged',
		['1/50 0-29', '100001/1# more'],
		'0-29, served 30, asks 30, charged',
	],
	[
		'the last page of a hidden size in answer to that question',
		['1/50 0-49', '2/50 50-99', '3/50 100-149', '100001/120# 100-149 as 2'],
		'0-149, served 50, tried 120, asks 12000000 one, repeated 50, charged',
	],
	[
		'another last page than is known, in a preview',
		['1/25 0-24', '2/25 50-74 as 1'],
		'0-24, strays 50-74, served 25, asks 25 one, charged',
		FREE,
	],
	['the last page may name any next', ['1/25 0-24 next 9 last'], '0-24, served 25, asks 25 one'],
	['a page that comes once more', ['1/25 0-24', '1/25 0-24'], '0-24, served 25, repeated 25'],
	['a size named with no word about more', ['1/50 0-29 per 30'], '0-29, served 30, asks 30'],
	['a page that ends where rows are known', ['3/25 50-74', '1/100 0-49'], '0-74, served 50'],
	[
		'rows after a reported end, and then those in between',
		['1/50 0-29', '3/25 50-74', '2/30 30-59'],
		'0-74, served 30, repeated 10',
	],
	[
		'an empty page of a size that is not certain',
		['1/25 0-24', '2/100'],
		'0-24, served 25, most any, asks 100, end 100',
		ANY,
	],
	[
		'the last page in answer to the question for the size',
		['1/25 0-24', '100001/100# 0-24 as 1 per 25'],
		'0-24, served 25, most 25, asks 25 one, repeated 25, charged',
	],
	[
		'the last of what was asked for, where more is known',
		['3/25 50-74', '100001/1# 49 as 50'],
		'49-74, served 25, asks 100000 one, charged',
	],
	[
		'a page that is nowhere, and then may be somewhere',
		['4/100 60-74 as 3', '2/100 60-74'],
		'none, doubt 100-114, served 15, most 25, asks 115, repeated 15, charged',
	],
	[
		'a page that only begins with known rows: the list has changed',
		['1/25 0-24', '2/25 22-46'],
		'0-49, others 25-49, served 25, moved',
	],
])('%s', (_, answers, expected, ...[start]) => {
	const { list, failures } = listAfter(answers, start);
	expect(failures.filter(Boolean)).toEqual([]);
	expect(known(list)).toBe(expected);
});

const ELSEWHERE = 'it serves smaller pages than it says, so that 30 rows of another place came';

/** What the last of the answers contradicts. */
test.each<[string, string[], string, Start?]>([
	['it sent 26 rows where 25 were asked for', ['1/25 0-25'], 'none, strays 0-25, served 0'],
	[
		'it sent a page of 30 rows where 25 were asked for',
		['1/25 0-24 per 30'],
		'none, strays 0-24, served 0',
	],
	[
		'it answered with page 2 where page 4 was asked for',
		[...FULL_100, '4/25 25-49 as 2'],
		'0-99, served 25, repeated 25',
	],
	[
		'it answered with page 1 where page 2 was asked for',
		['1/25 0-24', '2/25 50-74 as 1'],
		'0-24, strays 50-74, served 25',
	],
	['it named page 3 as the one after page 1', ['1/25 0-24 next 3'], 'none, strays 0-24, served 0'],
	[
		'it served pages of 25 rows before, and of 10 now',
		['1/25 0-24', '2/25 10-19 per 10 more'],
		'0-24, served 25, repeated 10',
	],
	[
		'page 5 is short and begins with leads that had come before',
		[...FULL_100, '5/25 3-5 100-109'],
		'0-99, strays 100-109, served 25, repeated 3',
	],
	[ELSEWHERE, [...FULL_100, '3/100 40-69'], '0-99, served 25, most 25, repeated 30', ANY],
	[ELSEWHERE, ['3/100 60-89', '201/1= 200'], '200, strays 60-89, served 30, most 30', ANY],
	[
		'page 1 held 20 of 25 rows and said that more follow',
		['1/25 0-19 more'],
		'0-19, served 20, asks 20 one',
	],
	[
		'it sent rows as page 100001, which no list has',
		['1/25 0-24', '100001/1# 0'],
		'0-24, served 25, repeated 1',
	],
	[
		'it sent no lead for row 26, but leads after it',
		['1/25 0-24', '3/25 50-74', '2/25'],
		'0-24 50-74, served 25',
	],
	[
		'it said that more leads follow row 25, and sent none',
		['1/25 0-24', '2/25 more', '26/1? more'],
		'0-24, served 25, asks 25 one',
	],
	[
		'page 1 held 20 of 30 rows and said that more follow',
		['1/50 0-19 per 30 more'],
		'0-19, served 30, most 30, asks 20',
	],
	['a violation', ['1/25 !'], 'none, served 0'],
	['a violation', ['1/25 0-24 !'], 'none, strays 0-24, served 0'],
])('%s', (text, answers, expected, ...[start]) => {
	const { list, failures } = listAfter(answers, start);
	expect(failures.slice(0, -1).filter(Boolean)).toEqual([]);
	expect(failures.at(-1)).toEqual({ kind: 'protocolViolation', text });
	expect(list.broken).toBe(failures.at(-1));
	expect(known(list)).toBe(expected);
});

test('rows that name nobody are no sign of a list that starts again', () => {
	const list = new LeadList();
	const nobody = ['', null, undefined].map((linkedin_url) => ({ linkedin_url }));
	for (let page = 1; page < 40; page++) {
		const rows = nobody.map((row) => ({ ...row, at: page }));
		expect(list.settle(orderOf(`${page}/3`), { rows })).toBeUndefined();
	}
	expect(list.rows).toBe(117);
});

test('rows that name nobody are known to the letter', () => {
	const rows = ['a', 'b', 'c'].map((name) => ({ name }));
	const list = new LeadList();
	list.settle(orderOf('2/3'), { rows });
	list.sizes.most = 100;
	expect(list.settle(orderOf('2/3'), { rows: rows.toReversed() })).toBeUndefined();
	expect(list).toMatchObject({ rows: 3, repeated: 3 });
	list.settle(orderOf('3/30'), { rows: [{ name: 'd' }, { name: 'e' }] });
	expect(list.settle(orderOf('61/1='), { rows: [{ name: 'd' }] })).toBeUndefined();
	expect(list.rowsBetween(60, 62)).toHaveLength(2);
});

test('few rows are no sign of a list that starts again, many are', () => {
	const pages = Array.from({ length: 30 }, (_, index) => `${index + 1}/1 0`);
	const { failures } = listAfter(pages);
	expect(failures.findIndex(Boolean)).toBe(25);
	expect(failures[25]?.text).toBe('page 26 holds leads that had come before');
});

test.each<[string, string, boolean, Start?]>([
	['1/25 0-19 last', '21/1?', true],
	['2/100 100-139 last', '101/1=', false, ANY],
])('credits ran out after %s, where %s says more', (page, asked, atEndProbe, ...[start]) => {
	const { list, failures } = listAfter([page, `${asked} more`], start);
	expect(failures).toEqual([undefined, { kind: 'noCredits', status: 402, atEndProbe }]);
	expect(list.rows).toBe(list.charged);
	const later = restored(listAfter([page], start).list);
	expect(later.settle(orderOf(asked), { rows: [], hasMore: true })?.kind).toBe('noCredits');
});

test.each<[string, string[], string, number, string?]>([
	['a page size gives way to the documented one', [], '1/1000', 422, 'none, served 0, most 25'],
	['also after rows came', ['1/25 0-24'], '1/1000', 400, '0-24, served 25, most 25'],
	['the documented one does not', [], '1/25', 400],
	['nor does an address that is not there', [], '1/1000', 404],
	['nor what is no refusal', ['1/25 0-24'], '2/25', 500],
	['a page after the last one', ['1/25 0-24'], '2/25', 404, '0-24, served 25, asks 25'],
	['not where nothing came before', [], '2/25', 404],
	['nor where a size is too large', ['1/25 0-24'], '2/50', 413, '0-24, served 25, most 25'],
	['nor where rows came after it', ['1/25 0-24', '3/25 50-74'], '2/25', 404],
	['a size not served yet', ['1/25 0-24'], '2/100', 404, '0-24, served 25, most 25, asks 100'],
	['the size can not be asked for', ['1/25 0-24'], '100001/100#', 422, '0-24, served 25, most 25'],
	['the end', ['1/25 0-24'], '26/1?', 422, '0-24, served 25, asks 25, end 25'],
	['rows out of reach may be missing', ['1/25 0-24'], '100001/1#', 500, '0-24, served 25, charged'],
])('refused: %s', (_, answers, asked, status, ...[expected]) => {
	const { list } = listAfter(answers);
	const before = known(list);
	const failure = { kind: 'refused' as const, status, text: 'no' };
	expect(list.fail(orderOf(asked), failure)).toEqual(expected ? undefined : failure);
	expect(known(list)).toBe(expected ?? before);
});

const refusal = { kind: 'refused' as const, status: 400, text: 'no further' };

test.each<[boolean, string[]]>([
	[true, ['1/25 0-24']],
	[true, ['1/25 0-24', '2/25 more']],
	// Of a size that is hidden, so that it was full.
	[true, ['1/50 0-24 more']],
	[false, ['1/25 0-24 last']],
	[false, ['1/50 0-24']],
	[false, ['1/25 0-19', '21/1? more']],
])('a refusal at the end is told: %s, by what came before', (isTold, answers) => {
	const { list } = listAfter(answers);
	const at = list.cells.size;
	list.fail(orderOf(`${at / 5 + 1}/5`), refusal);
	list.fail(orderOf(`${at + 1}/1?`), refusal);
	expect(list.end.refusal).toEqual(isTold ? refusal : undefined);
	const job = new LeadJob(list, { skip: 0, limit: 50, pageSize: 25 });
	expect(job.next(50)).toBe(isTold ? 'refused' : 'whole');
	expect(restored(list).end).toMatchObject({ proven: at, refusal: list.end.refusal });
});

test('a refusal is told of the end alone, and no more once rows came after it', () => {
	const { list } = listAfter(['1/25 0-24', '26/1?']);
	list.fail(orderOf('2/25'), refusal);
	list.fail(orderOf('31/1?'), refusal);
	expect(list.end).toMatchObject({ proven: 25, refusal: undefined });
	const refused = listAfter(['1/25 0-24']).list;
	refused.fail(orderOf('26/1?'), refusal);
	expect(restored(list, refused).end.refusal).toEqual(refusal);
	expect(restored(refused, list).end).toMatchObject({ proven: 25, refusal: undefined });
	const earlier = listAfter(['1/25 0-19', '21/1?']).list;
	expect(restored(refused, earlier).end).toMatchObject({ proven: Infinity, refusal: undefined });
	expect(refused.settle(orderOf('2/25'), { rows: leads('25-49') })).toBeUndefined();
	expect(refused.end).toMatchObject({ proven: Infinity, refusal: undefined });
});

function restored(...lists: LeadList[]): LeadList {
	const list = new LeadList();
	for (const one of lists) list.restore(kept(one));
	return list;
}

test('what is kept of several runs is put together', () => {
	const ended = listAfter(['1/25 0-24', '26/1?'], { sizes: { served: 10, most: 50 } }).list;
	const later = listAfter(['2/25 25-49'], { sizes: { served: 40, most: 60 } }).list;
	const charged = listAfter(['4/25 0-4 as 1 per 5']).list;
	const loose = listAfter(['1/25 25-49 as 2']).list;
	for (const both of [restored(loose, later), restored(later, loose)])
		expect(known(both)).toBe('25-49, served 40, most 60');
	// Rows came after what one run took for the end; what the last one knows of pages after it counts.
	const both = '0-49, served 40, most 50';
	expect(known(restored(ended, later, charged))).toBe(`${both}, charged`);
	expect(known(restored(charged, later, ended))).toBe(both);
	const held = [1, 2].map(() => listAfter(['2/100 100-129'], ANY).list);
	expect(known(restored(...held))).toBe('none, doubt 100-129, served 30, most 30, asks 130');
});
