/** What an answer says about the URLs of a lookup, and which of them are asked for next. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure } from '../../nodes/LeadSearch/api/failures';
import type { Order } from '../../nodes/LeadSearch/paging/ledger';
import { LookUpJob, type WantedProfiles } from '../../nodes/LeadSearch/paging/lookUpJob';
import { ProfileList } from '../../nodes/LeadSearch/paging/profileList';
import { profileUrlOf } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrl';

const urlOf = (name: string | number) => `https://www.linkedin.com/in/${name}`;
const row = (name: string | number, more: Json = {}): Json => ({
	linkedin_url: urlOf(name),
	...more,
});
const numbered = (count: number) => Array.from({ length: count }, (_, id) => id);

function orderOf(names: Array<string | number>, purpose: Order['purpose'] = 'rows'): Order<string> {
	const urls = names.map(urlOf);
	return { purpose, page: 1, size: urls.length, first: urls[0] ?? '', urls: new Set(urls) };
}

/** Names of the URLs by what is known of them; those that have none are unknown. */
function known(list: ProfileList) {
	const nameOf = (url: string) => url.slice(urlOf('').length);
	const cells = [...list.cells];
	const strays = list.strays.map(({ row: one, places }) => [
		nameOf(String(one.linkedin_url)),
		...places.map(nameOf),
	]);
	return {
		rows: cells.filter(([, cell]) => cell !== 'none').map(([url]) => nameOf(url)),
		none: cells.filter(([, cell]) => cell === 'none').map(([url]) => nameOf(url)),
		doubts: [...list.doubts].map(nameOf),
		...(strays.length > 0 && { strays }),
		...(list.most < Infinity && { most: list.most }),
		...(list.repeated > 0 && { repeated: list.repeated }),
		...(list.reopened > 0 && { reopened: list.reopened }),
	};
}

type Answered = [names: Array<string | number>, page: Page, purpose?: Order['purpose']];

const whole = { hasMore: false };
const nothing = { rows: [], none: [], doubts: [] };
const first100 = numbered(100).map(String);

test.each<[string, Answered[], object]>([
	[
		'what has no row is in doubt',
		[[['a', 'b'], { rows: [row('a')], ...whole }]],
		{ ...nothing, rows: ['a'], doubts: ['b'] },
	],
	[
		'what has none again does not exist',
		[
			[['a', 'b'], { rows: [], ...whole }],
			[['b'], { rows: [], ...whole }, 'end'],
		],
		{ ...nothing, none: ['b'], doubts: ['a'] },
	],
	[
		'the only other row belongs to the only open URL',
		[[['a', 'b'], { rows: [row('a'), row('x')], ...whole }]],
		{ ...nothing, rows: ['a', 'b'] },
	],
	[
		'another row may belong to each open URL',
		[[['a', 'b', 'c'], { rows: [row('a'), row('x')], ...whole }]],
		{ ...nothing, rows: ['a'], doubts: ['b', 'c'], strays: [['x', 'b', 'c']] },
	],
	[
		'one that comes for others too may still belong to the first ones',
		[
			[['a', 'b'], { rows: [row('x')], ...whole }],
			[['c', 'd'], { rows: [row('x')], ...whole }],
		],
		{ ...nothing, doubts: ['a', 'b', 'c', 'd'], strays: [['x', 'a', 'b']], repeated: 1 },
	],
	[
		'one that is new says nothing about the others',
		[
			[['a', 'b'], { rows: [], ...whole }],
			[['a', 'b'], { rows: [row('x')], ...whole }, 'end'],
		],
		{ ...nothing, doubts: ['a', 'b'], strays: [['x', 'a', 'b']] },
	],
	[
		'one that has its own place is repeated',
		[
			[['x'], { rows: [row('x')], ...whole }],
			[['a', 'b', 'c'], { rows: [row('x')], ...whole }],
		],
		{ ...nothing, rows: ['x'], doubts: ['a', 'b', 'c'], repeated: 1 },
	],
	[
		'two of the same person leave two in doubt',
		[
			[
				['a', 'b', 'c'],
				{
					rows: [
						{ full_name: 'N', at: 1 },
						{ full_name: 'N', at: 2 },
					],
					...whole,
				},
			],
		],
		{
			...nothing,
			doubts: ['a', 'b', 'c'],
			strays: [
				['', 'a', 'b', 'c'],
				['', 'a', 'b', 'c'],
			],
		},
	],
	[
		'all rows need no word about more',
		[[['a', 'b'], { rows: [row('a'), row('b')] }]],
		{ ...nothing, rows: ['a', 'b'] },
	],
	[
		'nor do few URLs',
		[[['a', 'b'], { rows: [row('a')] }]],
		{ ...nothing, rows: ['a'], doubts: ['b'] },
	],
	[
		'a size that is named without such a word counts',
		[[numbered(150), { rows: [row(0)], perPage: 120 }]],
		{ ...nothing, rows: ['0'], doubts: numbered(120).slice(1).map(String), most: 120, reopened: 1 },
	],
	[
		'so does the number of rows where more follow',
		[[numbered(150), { rows: numbered(100).map((id) => row(id)), perPage: 100, hasMore: true }]],
		{ ...nothing, rows: first100, most: 100, reopened: 1 },
	],
	[
		'nothing for the documented size: half of it',
		[[numbered(100), { rows: [], hasMore: true }]],
		{ ...nothing, most: 50, reopened: 1 },
	],
	[
		'as many other rows as open URLs leave none in doubt',
		[[['a', 'b'], { rows: [row('x'), row('y')], ...whole }]],
		{
			...nothing,
			none: ['a', 'b'],
			strays: [
				['x', 'a', 'b'],
				['y', 'a', 'b'],
			],
		},
	],
	[
		'another row that comes again with the same ones is theirs',
		[
			[['a', 'b', 'c'], { rows: [row('x')], ...whole }],
			[['a', 'b'], { rows: [row('x')], ...whole }, 'end'],
		],
		{ ...nothing, none: ['a', 'b'], doubts: ['c'], strays: [['x', 'a', 'b']], repeated: 1 },
	],
	[
		'a row that is new leaves the others in doubt',
		[
			[['a', 'b', 'c'], { rows: [], ...whole }],
			[['a', 'b', 'c'], { rows: [row('a')], ...whole }, 'end'],
		],
		{ ...nothing, rows: ['a'], doubts: ['b', 'c'] },
	],
	[
		'a second row of a profile is its own, and the same one again is repeated',
		[
			[
				['a', 'b', 'c', 'd'],
				{ rows: [row('a'), row('a', { job_title: 'CEO' }), row('a')], ...whole },
			],
		],
		{ ...nothing, rows: ['a'], doubts: ['b', 'c', 'd'], strays: [['a', 'a']], repeated: 1 },
	],
	[
		'a full answer that is not about all URLs is about none of the open ones',
		[[['a', 'b'], { rows: [row('a'), row('a', { job_title: 'CEO' })], ...whole }]],
		{ ...nothing, rows: ['a'], strays: [['a', 'a']], most: 1, reopened: 1 },
	],
	[
		'a smaller page is about the first URLs alone',
		[[numbered(150), { rows: [row(0)], perPage: 100, hasMore: true }]],
		{ ...nothing, rows: ['0'], doubts: first100.slice(1), most: 100, reopened: 1 },
	],
	[
		'one that says no more, about all',
		[[numbered(150), { rows: [row(0)], ...whole }]],
		{ ...nothing, rows: ['0'], doubts: numbered(150).slice(1).map(String) },
	],
	[
		'one that says nothing, about as many as any service takes',
		[[numbered(150), { rows: [row(0)] }]],
		{ ...nothing, rows: ['0'], doubts: first100.slice(1), most: 100, reopened: 1 },
	],
	[
		'one that names its rows for the page size, about as many',
		[[numbered(150), { rows: [row(0)], perPage: 1, ...whole }]],
		{ ...nothing, rows: ['0'], doubts: first100.slice(1), most: 100, reopened: 1 },
	],
	[
		'one that says more without a size, about nobody it does not name',
		[[numbered(150), { rows: [row(0)], hasMore: true }]],
		{ ...nothing, rows: ['0'], most: 100, reopened: 1 },
	],
	[
		'the same of a small page, in smaller ones',
		[[numbered(9), { rows: [], hasMore: true }]],
		{ ...nothing, most: 4, reopened: 1 },
	],
])('%s', (_, answers, expected) => {
	const list = new ProfileList(profileUrlOf);
	for (const [names, page, purpose] of answers) {
		const order = orderOf(names, purpose);
		list.reserve(order);
		expect(list.settle(order, page)).toBeUndefined();
	}
	expect(known(list)).toEqual(expected);
	const copy = new ProfileList(profileUrlOf);
	copy.restore(JSON.parse(JSON.stringify(list)) as ReturnType<ProfileList['toJSON']>);
	const { rows, none, doubts, strays } = known(list);
	expect(list.rows).toBe(rows.length + (strays?.length ?? 0));
	expect(list.requests).toBe(answers.length);
	expect(known(copy)).toEqual({ rows, none, doubts, ...(strays && { strays }) });
});

test.each<[string, Answered[], string, Partial<Failure>, object]>([
	[
		'an empty page of one URL that says more means that credits ran out',
		[
			[['a'], { rows: [row('a')], ...whole }],
			[['b'], { rows: [], hasMore: true }],
		],
		'noCredits',
		{},
		{ rows: ['a'] },
	],
	[
		'or is unexpected, where nothing came before',
		[[['a'], { rows: [], hasMore: true }]],
		'protocolViolation',
		{ text: 'it said that more profiles follow, and sent none' },
		nothing,
	],
	[
		'rows of another page than asked for come out all the same',
		[[['a', 'b'], { rows: [row('a')], page: 2 }]],
		'protocolViolation',
		{ text: 'it answered with page 2 where page 1 was asked for' },
		{ rows: [], strays: [['a', 'a', 'b']] },
	],
	[
		'a page size that is larger than asked for is unexpected',
		[[['a', 'b'], { rows: [row('a')], perPage: 5 }]],
		'protocolViolation',
		{ text: 'it sent a page of 5 URLs where 2 were asked for' },
		{ rows: [] },
	],
])('%s', (_, answers, kind, more, expected) => {
	const list = new ProfileList(profileUrlOf);
	const failures = answers.map(([names, page, purpose]) =>
		list.settle(orderOf(names, purpose), page),
	);
	expect(failures.at(-1)).toMatchObject({ kind, ...more });
	expect(failures.slice(0, -1)).toEqual(failures.slice(0, -1).map(() => undefined));
	expect(known(list)).toMatchObject(expected);
});

test.each<[number, number, number | undefined]>([
	[402, 9, 4],
	[402, 1, undefined],
	[400, 101, 100],
	[413, 150, 100],
	[422, 150, 100],
	[400, 100, undefined],
	[500, 150, undefined],
])('%d to a request of %d URLs is followed by one of %s', (status, size, most) => {
	const list = new ProfileList(profileUrlOf);
	const failure: Failure = { kind: status === 402 ? 'noCredits' : 'refused', status };
	const refused = list.refuse(orderOf(numbered(size)), failure);
	expect(refused).toEqual(most === undefined ? failure : undefined);
	expect(list.most).toBe(most ?? Infinity);
});

describe('What is asked for next', () => {
	const open = (names: Array<string | number>, wanted: Partial<WantedProfiles> = {}) => {
		const list = new ProfileList(profileUrlOf);
		const urls = names.map(urlOf);
		const job = new LookUpJob(list, { urls, limit: Infinity, pageSize: 1_000, ...wanted });
		const next = (room = Infinity) => {
			const order = job.next(room);
			if (typeof order === 'string') return order;
			list.reserve(order);
			return order;
		};
		const ask = (page: Page, room?: number) => {
			const order = next(room);
			if (typeof order === 'string') throw new Error(order);
			list.settle(order, page);
			return `${order.purpose} ${[...(order.urls ?? [])].map((url) => url.slice(urlOf('').length)).join()}`;
		};
		return { list, next, ask };
	};

	test('all once, in pages; what is in doubt once more; then nothing', () => {
		const { ask, next } = open(['a', 'b', 'c', 'd', 'e'], { pageSize: 2 });
		const asked = [{ rows: [row('a')] }, { rows: [] }, { rows: [row('e')] }, { rows: [row('b')] }];
		expect(asked.map((page) => ask({ ...page, ...whole }))).toEqual([
			'rows a,b',
			'rows c,d',
			'rows e',
			'end b,c',
		]);
		expect(ask({ rows: [], ...whole })).toBe('end c,d');
		expect(next()).toBe('whole');
	});

	test('one request until it is answered, then several, but no URL twice at once', () => {
		const { ask, next, list } = open(numbered(6), { pageSize: 2 });
		const first = next();
		expect(next()).toBe('wait');
		if (typeof first !== 'string') list.release(first);
		expect(ask({ rows: [row(0), row(1)], ...whole })).toBe('rows 0,1');
		expect([next(), next(), next()]).toMatchObject([
			{ first: urlOf(2) },
			{ first: urlOf(4) },
			'wait',
		]);
	});

	test('never more than Limit, and what may be spent, allow', () => {
		const { ask, next } = open(numbered(9), { limit: 4, pageSize: 3 });
		expect(ask({ rows: [row(0)], ...whole }, 2)).toBe('rows 0,1');
		expect(next(0)).toBe('budget');
		expect(next()).toMatchObject({ size: 3 });
		expect(next()).toBe('wait');
		const other = open(numbered(3), { limit: 1 });
		expect(other.ask({ rows: [row(0)], ...whole })).toBe('rows 0');
		expect([other.next(), other.next(0)]).toEqual(['limit', 'limit']);
		expect(open([]).next()).toBe('whole');
	});

	test('Limit counts what came for it alone, before and now', () => {
		const { list } = open([]);
		list.settle(orderOf(['p', 'q']), { rows: [row('x')], ...whole });
		list.settle(orderOf(['c', 'r']), { rows: [row('y')], ...whole });
		list.settle(orderOf(['d']), { rows: [], ...whole });
		list.settle(orderOf(['d'], 'end'), { rows: [], ...whole });
		const next = (names: string[]) =>
			new LookUpJob(list, { urls: names.map(urlOf), limit: 1, pageSize: 9 }).next(Infinity);
		expect(next(['a', 'd'])).toMatchObject({ size: 1, first: urlOf('a') });
		expect(next(['a', 'c'])).toBe('limit');
		expect([...list.possibleMatches()]).toEqual(
			['p', 'q', 'c', 'r'].map((name) => [urlOf(name), 1]),
		);
	});

	test('Limit counts rows that may be about what is wanted', () => {
		const { ask, next } = open(['a', 'b', 'c'], { limit: 2 });
		ask({ rows: [row('x')], ...whole });
		expect(next()).toMatchObject({ purpose: 'rows', size: 1, first: urlOf('c') });
	});

	test('what other rows may be about apart, in small requests', () => {
		const { ask } = open(numbered(60));
		ask({ rows: [row('x')], ...whole });
		expect(ask({ rows: [row('x')], ...whole })).toBe('end 0,1,2');
		const mixed = open(['a', 'b', 'c'], { pageSize: 2 });
		mixed.ask({ rows: [row('x')], ...whole });
		mixed.ask({ rows: [], ...whole });
		expect(mixed.ask({ rows: [], ...whole })).toBe('end a');
		expect(mixed.ask({ rows: [row('x')], ...whole })).toBe('end b');
		expect(mixed.ask({ rows: [], ...whole })).toBe('end c');
	});

	test('half as many where an answer was lost, and again what is unknown', () => {
		const { list, next } = open(numbered(8));
		const order = next();
		if (typeof order === 'string') throw new Error(order);
		list.release(order);
		list.fail(order, true);
		expect(list.reopened).toBe(1);
		expect(next()).toMatchObject({ size: 4, first: urlOf(0) });
	});
});
