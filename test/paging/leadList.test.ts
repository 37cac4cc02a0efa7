/** What an answer says about the rows of a list. */
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { LeadJob } from '../../nodes/LeadSearch/paging/leadJob';
import { ANY, known, leads, listAfter, orderOf, type Answered, type Start } from './script';

const FREE = { isPaid: false };
const last = { hasMore: false };
const more = { hasMore: true };
const full25: Answered = ['1/25', '0-24'];
const full100 = [1, 2, 3, 4].map((page): Answered => [
	`${page}/25`,
	`${page * 25 - 25}-${page * 25 - 1}`,
]);

test.each<[string, Answered[], object, Start?]>([
	['a page that is full', [full25], { rows: '0-24', served: 25 }],
	['a page that is short may be the last', [['1/50', '0-29']], { served: 30, asks: 30 }],
	[
		'one that says so most likely is',
		[['1/50', '0-29', last]],
		{ served: 30, asks: 30, takesOneRow: true },
	],
	[
		'a full one that says so, too',
		[['1/30', '0-29', last]],
		{ served: 30, asks: 30, takesOneRow: true },
	],
	[
		'a smaller size that is named is served',
		[['1/50', '0-29', { perPage: 30, ...more }]],
		{ served: 30, most: 30 },
	],
	[
		'the rows of a last page are no size',
		[['1/50', '0-29', { perPage: 30, ...last }]],
		{ served: 30, asks: 30, takesOneRow: true },
	],
	[
		'a size above the rows is one',
		[['1/50', '0-29', { perPage: 40 }]],
		{ served: 40, most: 40, asks: 30 },
	],
	[
		'a page is where its named size says',
		[full25, ['2/100', '50-99', { perPage: 50, ...more }]],
		{ rows: '0-24 50-99', served: 50, most: 50 },
		ANY,
	],
	[
		'a page that came whole is where it was asked for',
		[['2/100', '100-199']],
		{ rows: '100-199', served: 100, most: 100_000 },
		ANY,
	],
	[
		'a short one of a size that is served, too',
		[['2/25', '25-29']],
		{ rows: '25-29', served: 25, most: 100_000, asks: 30 },
		ANY,
	],
	[
		'a short one of another size may be elsewhere',
		[['2/100', '100-129']],
		{ rows: '', unsure: '100-129', served: 30, most: 30, asks: 130 },
		ANY,
	],
	[
		'it has its place once its last row is there',
		[
			['2/100', '100-129'],
			['130/1?', '129'],
		],
		{ rows: '100-129', served: 30, most: 30, asks: 130, repeated: 1 },
		ANY,
	],
	[
		'it is not elsewhere where all rows before are others',
		[full25, ['2/25', '25-49'], ['2/50', '50-69']],
		{ rows: '0-69', served: 25, most: 25, asks: 70 },
	],
	[
		'a preview is where it was asked for',
		[['2/100', '100-129']],
		{ rows: '100-129', served: 30, most: 30, asks: 130 },
		{ ...ANY, ...FREE },
	],
	[
		'and ends where it says so',
		[['1/50', '0-29', last]],
		{ served: 30, asks: 30, takesOneRow: true, end: 30 },
		FREE,
	],
	['no row is the end', [full25, ['26/1?', '']], { rows: '0-24', served: 25, asks: 25, end: 25 }],
	[
		'an empty page that says more is asked for again as one row',
		[full25, ['2/25', '', more]],
		{ rows: '0-24', served: 25, asks: 25, takesOneRow: true },
	],
	[
		'a row after a reported end means that the list goes on',
		[
			['1/50', '0-29'],
			['31/1?', '30', more],
		],
		{ rows: '0-30', served: 30, most: 30 },
	],
	[
		'the last page in place of a later one',
		[full25, ['2/25', '0-24', { page: 1 }]],
		{ rows: '0-24', served: 25, asks: 25, takesOneRow: true, isCharged: true, repeated: 25 },
	],
	[
		'it proves the end where that was asked for',
		[full25, ['26/1?', '24', { page: 25 }]],
		{
			rows: '0-24',
			served: 25,
			asks: 25,
			takesOneRow: true,
			end: 25,
			isCharged: true,
			repeated: 1,
		},
	],
	[
		'it may show rows that are new',
		[['4/25', '25-39', { page: 2 }]],
		{ rows: '25-39', served: 15, asks: 40, takesOneRow: true, isCharged: true },
	],
	[
		'it may be of a size that is not certain',
		[['4/100', '60-74', { page: 3 }]],
		{
			rows: '',
			strays: '60-74',
			served: 15,
			most: 25,
			asks: 300,
			takesOneRow: true,
			isCharged: true,
		},
	],
	[
		'no row after all others: any size may be tried',
		[full25, ['100001/100#', '']],
		{ rows: '0-24', served: 25, most: 100_000, asks: 1e7, end: 1e7 },
	],
	[
		'or the one that is named',
		[full25, ['100001/100#', '', { perPage: 50 }]],
		{ rows: '0-24', served: 50, most: 50, asks: 1e7, end: 1e7 },
	],
	[
		'an empty page after all others says more: it would be charged',
		[
			['1/50', '0-29'],
			['100001/1?', '', more],
		],
		{ rows: '0-29', served: 30, asks: 30, isCharged: true },
	],
	['a page that comes once more', [full25, full25], { rows: '0-24', served: 25, repeated: 25 }],
	[
		'a size that is named with no word about more',
		[['1/50', '0-29', { perPage: 30 }]],
		{ served: 30, asks: 30 },
	],
	[
		'a page that ends where rows are known',
		[
			['3/25', '50-74'],
			['1/100', '0-49'],
		],
		{ rows: '0-74', served: 50 },
	],
	[
		'rows after a reported end, and then those in between',
		[
			['1/50', '0-29'],
			['3/25', '50-74'],
			['2/30', '30-59'],
		],
		{ rows: '0-74', served: 30, repeated: 10 },
	],
	[
		'an empty page that says more, asked for twice',
		[full25, ['2/25', '', more], ['2/25', '', more]],
		{ rows: '0-24', served: 25, asks: 25, takesOneRow: true },
	],
	[
		'an empty page of a size that is not certain',
		[full25, ['2/100', '']],
		{ rows: '0-24', served: 25, most: 100_000, asks: 100, end: 100 },
		ANY,
	],
	[
		'the last page in answer to the question for the size',
		[full25, ['100001/100#', '0-24', { page: 1, perPage: 25 }]],
		{
			rows: '0-24',
			served: 25,
			most: 25,
			asks: 25,
			takesOneRow: true,
			isCharged: true,
			repeated: 25,
		},
	],
	[
		'the last of what was asked for, where more is known',
		[
			['3/25', '50-74'],
			['100001/1?', '49', { page: 50 }],
		],
		{ rows: '49-74', served: 25, asks: 100_000, takesOneRow: true, end: 100_000, isCharged: true },
	],
	[
		'the last page, where a short one came before',
		[
			['1/25', '0-14'],
			['2/25', '0-14', { page: 1 }],
		],
		{ rows: '0-14', served: 15, asks: 15, isCharged: true, repeated: 15 },
	],
	[
		'a page that is nowhere, and then may be somewhere',
		[
			['4/100', '60-74', { page: 3 }],
			['2/100', '60-74'],
		],
		{ rows: '', unsure: '100-114', served: 15, most: 25, asks: 115, isCharged: true, repeated: 15 },
	],
	[
		'a page that only begins with known rows: the list has changed',
		[full25, ['2/25', '22-46']],
		{ rows: '0-49', others: '25-49', served: 25, hasMoved: true },
	],
])('%s', (_, answers, expected, ...[start]) => {
	const { list, failures } = listAfter(answers, start);
	expect(failures.filter(Boolean)).toEqual([]);
	const all = answers.length === 1 && !('rows' in expected) ? { rows: '0-29' } : {};
	expect(known(list)).toEqual({ ...all, ...expected });
});

const elsewhere = 'it serves smaller pages than it says, so that 30 rows of another place came';

test.each<[string, Answered[], object, Start?]>([
	['it sent 26 rows where 25 were asked for', [['1/25', '0-25']], { strays: '0-25' }],
	[
		'it sent a page of 30 rows where 25 were asked for',
		[['1/25', '0-24', { perPage: 30 }]],
		{ strays: '0-24' },
	],
	[
		'it answered with page 2 where page 1 was asked for',
		[['1/25', '25-49', { page: 2 }]],
		{ strays: '25-49' },
	],
	[
		'it answered with page 2 where page 4 was asked for',
		[...full100, ['4/25', '25-49', { page: 2 }]],
		{ rows: '0-99', repeated: 25 },
	],
	[
		'it answered with page 1 where page 2 was asked for',
		[full25, ['2/25', '50-74', { page: 1 }]],
		{ rows: '0-24', strays: '50-74' },
	],
	[
		'it named page 3 as the one after page 1',
		[['1/25', '0-24', { nextPage: 3 }]],
		{ strays: '0-24' },
	],
	[
		'it served pages of 25 rows before, and of 10 now',
		[full25, ['2/25', '10-19', { perPage: 10, ...more }]],
		{ rows: '0-24', repeated: 10 },
	],
	[
		'page 5 holds leads that had come before',
		[...full100, ['5/25', '25-49']],
		{ rows: '0-99', repeated: 25 },
	],
	[
		'page 5 is short and begins with leads that had come before',
		[...full100, ['5/25', '3-5 100-109']],
		{ strays: '100-109', repeated: 3 },
	],
	[elsewhere, [...full100, ['3/100', '40-69']], { rows: '0-99', repeated: 30, most: 25 }, ANY],
	[
		elsewhere,
		[
			['3/100', '60-89'],
			['230/1?', '229'],
		],
		{ rows: '229-229', strays: '60-89', most: 30 },
		ANY,
	],
	[
		elsewhere,
		[full25, ['2/25', '25-49'], ['2/50', '30-59']],
		{ rows: '0-49', strays: '50-59', repeated: 20, most: 25 },
	],
	[
		'page 1 held 20 of 25 rows and said that more follow',
		[['1/25', '0-19', more]],
		{ rows: '0-19', asks: 20 },
	],
	[
		'it sent 1 rows as page 100001, where no search reaches',
		[full25, ['100001/1?', '0']],
		{ rows: '0-24', repeated: 1 },
	],
	[
		'it sent no lead for row 26, but leads after it',
		[full25, ['26/1?', ''], ['3/25', '50-74']],
		{ rows: '0-24', strays: '50-74' },
	],
	[
		'it sent no lead for row 26, but leads after it',
		[full25, ['3/25', '50-74'], ['2/25', '']],
		{ rows: '0-24 50-74' },
	],
	[
		'it said that more leads follow row 25, and sent none',
		[full25, ['2/25', '', more], ['26/1?', '', more]],
		{ rows: '0-24' },
	],
	[
		'page 1 held 20 of 30 rows and said that more follow',
		[['1/50', '0-19', { perPage: 30, ...more }]],
		{ rows: '0-19' },
	],
	['a violation', [['1/25', '', { violation: 'a violation' }]], { rows: '' }],
	['a violation', [['1/25', '0-24', { violation: 'a violation' }]], { strays: '0-24' }],
])('%s', (text, answers, expected, ...[start]) => {
	const { list, failures } = listAfter(answers, start);
	expect(failures.slice(0, -1).filter(Boolean)).toEqual([]);
	expect(failures.at(-1)).toEqual({ kind: 'protocolViolation', text });
	expect(known(list)).toMatchObject(expected);
	expect(list.broken).toBe(failures.at(-1));
	const { most = start?.sizes?.most } = expected as { most?: number };
	if (!text.includes('rows and said')) expect(list.sizes.most).toBe(most);
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

test('few rows are no sign of a list that starts again, many are', () => {
	const pages = Array.from({ length: 30 }, (_, index): Answered => [`${index + 1}/1`, '0']);
	const { failures } = listAfter(pages);
	expect(failures.findIndex(Boolean)).toBe(25);
	expect(failures[25]?.text).toBe('page 26 holds leads that had come before');
});

test.each(['21/1?', '101/1?'])(
	'credits ran out after a short page, where %s says more twice',
	(asked) => {
		const empty: Answered = [asked, '', more];
		const { failures } = listAfter([['1/25', '0-19', last], empty, empty]);
		expect(failures).toEqual([undefined, undefined, { kind: 'noCredits', atEndProbe: true }]);
		const kept = restored(listAfter([['1/25', '0-19', last]]).list);
		const again = [1, 2].map(() => kept.settle(orderOf(asked), { rows: [], ...more }));
		expect(again.at(-1)?.kind).toBe('noCredits');
	},
);

test.each<[string, Answered[], string, number, object?]>([
	['a page size gives way to the documented one', [], '1/1000', 422, { most: 25 }],
	['also after rows came', [full25], '1/1000', 400, { most: 25 }],
	['the documented one does not', [], '1/25', 400],
	['nor does an address that is not there', [], '1/1000', 404],
	['nor what is no refusal', [full25], '2/25', 500],
	['a page after the last one', [full25], '2/25', 404, { asks: 25 }],
	['not where nothing came before', [], '2/25', 404],
	['nor where a size is too large', [full25], '2/50', 413, { most: 25, served: 25 }],
	['nor where rows came after it', [full25, ['3/25', '50-74']], '2/25', 404],
	[
		'one of a size that was not served makes this one smaller',
		[full25],
		'2/100',
		404,
		{ most: 25, asks: 100 },
	],
	['the page size can not be asked for', [full25], '100001/100#', 422, { most: 25 }],
	['the end', [full25], '26/1?', 422, { asks: 25, end: 25 }],
	[
		'rows that no search reaches need not be there',
		[full25],
		'100001/1?',
		500,
		{ isCharged: true },
	],
])('refused: %s', (_, answers, asked, status, ...[expected]) => {
	const { list } = listAfter(answers);
	const before = known(list);
	const failure = { kind: 'refused' as const, status, text: 'no' };
	expect(list.refuse(orderOf(asked), failure)).toEqual(expected ? undefined : failure);
	expect(known(list)).toEqual({ ...before, ...expected });
});

const refusal = { kind: 'refused' as const, status: 400, text: 'no further' };

test.each<[boolean, Answered[]]>([
	[true, [full25]],
	[true, [full25, ['2/25', '', more]]],
	[false, [['1/25', '0-24', last]]],
	[false, [['1/50', '0-24']]],
	[
		false,
		[
			['1/25', '0-19'],
			['21/1?', '', more],
		],
	],
])('a refusal at the end is told: %s, by what came before', (isTold, answers) => {
	const { list } = listAfter(answers);
	const at = list.cells.size;
	list.refuse(orderOf(`${at / 5 + 1}/5`), refusal);
	list.refuse(orderOf(`${at + 1}/1?`), refusal);
	expect(list.end.refusal).toEqual(isTold ? refusal : undefined);
	const job = new LeadJob(list, { skip: 0, limit: 50, pageSize: 25 });
	expect(job.next(50)).toBe(isTold ? 'refused' : 'whole');
	expect(restored(list).end).toMatchObject({ proven: at, refusal: list.end.refusal });
});

test('a refusal is told of the end alone, and no more once rows came after it', () => {
	const { list } = listAfter([full25, ['26/1?', '']]);
	list.refuse(orderOf('2/25'), refusal);
	list.refuse(orderOf('31/1?'), refusal);
	expect(list.end).toMatchObject({ proven: 25, refusal: undefined });
	const refused = listAfter([full25]).list;
	refused.refuse(orderOf('26/1?'), refusal);
	expect(restored(refused, list).end.refusal).toEqual(refusal);
	const earlier = listAfter([
		['1/25', '0-19'],
		['21/1?', ''],
	]).list;
	expect(restored(refused, earlier).end).toMatchObject({ proven: 20, refusal: undefined });
	expect(refused.settle(orderOf('2/25'), { rows: leads('25-49') })).toBeUndefined();
	expect(refused.end).toMatchObject({ proven: Infinity, refusal: undefined });
});

function restored(...kept: LeadList[]): LeadList {
	const list = new LeadList();
	for (const one of kept)
		list.restore(JSON.parse(JSON.stringify(one)) as ReturnType<LeadList['toJSON']>);
	return list;
}

test('what is kept of several runs is put together', () => {
	const ended = listAfter([full25, ['26/1?', '']], { sizes: { served: 10, most: 50 } }).list;
	const later = listAfter([['2/25', '25-49']], { sizes: { served: 40, most: 60 } }).list;
	const charged = listAfter([['4/25', '0-4', { page: 1, perPage: 5 }]]).list;
	const both = { rows: '0-49', served: 40, most: 50, asks: 25, end: 25, isCharged: true };
	expect(known(restored(ended, later, charged))).toEqual(both);
	expect(known(restored(charged, later, ended))).toEqual(both);
	const again = restored(later).settle(orderOf('4/25'), { rows: leads('25-49') });
	expect(again?.text).toBe('page 4 holds leads that had come before');
	expect(known(restored(listAfter([full25]).list))).toEqual({ rows: '0-24', served: 25 });
	const held = listAfter([['2/100', '100-129']], ANY).list;
	const other = listAfter([['4/100', '300-329']], ANY).list;
	const sizes = { served: 30, most: 30 };
	expect(known(restored(held, held))).toEqual({ rows: '', unsure: '100-129', ...sizes });
	const one = { rows: '', unsure: '100-129', strays: '300-329', ...sizes };
	expect(known(restored(held, other))).toEqual(one);
});
