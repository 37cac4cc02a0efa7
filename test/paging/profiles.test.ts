/** What an answer says about the URLs of a lookup, and which of them are asked for next. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure } from '../../nodes/LeadSearch/api/failures';
import type { Order } from '../../nodes/LeadSearch/paging/ledger';
import { LookUpJob, type WantedProfiles } from '../../nodes/LeadSearch/paging/lookUpJob';
import type { ProfileList } from '../../nodes/LeadSearch/paging/profileList';
import { kept, newProfiles } from './world';

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

/** 'a b 0-9': names of profiles. */
function namesIn(text: string): string[] {
	return text.split(' ').flatMap((word) => {
		const [, from, to] = /^(\d+)-(\d+)$/.exec(word) ?? [];
		if (from === undefined) return word === '' ? [] : [word];
		return numbered(Number(to) - Number(from) + 1).map((id) => String(id + Number(from)));
	});
}

/** 'a2' is another row of a, 'N1' and 'N2' are rows that name no URL, of the same person. */
function rowIn(name: string): Json {
	if (name.startsWith('N')) return { full_name: 'N', at: name };
	return name === 'a2' ? row('a', { job_title: 'CEO' }) : row(name);
}

/** 'a b?: a x per 20 last': URLs, '?' where they are asked for once more; who comes, and what the page says. */
function answerIn(text: string): { order: Order<string>; page: Page } {
	const [, asked = '', again, came = '', said = ''] =
		/^(.*?)(\??):(.*?)((?: as \d+| per \d+| more| last)*)$/.exec(text) ?? [];
	const numberIn = (word: string) => new RegExp(`${word} (\\d+)`).exec(said)?.[1];
	const [page, perPage] = [numberIn('as'), numberIn('per')];
	return {
		order: orderOf(namesIn(asked), again === '?' ? 'again' : 'rows'),
		page: {
			rows: namesIn(came).map(rowIn),
			...(page !== undefined && { page: Number(page) }),
			...(perPage !== undefined && { perPage: Number(perPage) }),
			...(/more|last/.test(said) && { hasMore: said.endsWith('more') }),
		},
	};
}

function listAfter(answers: string[]) {
	const list = newProfiles();
	const failures = answers.map((text) => {
		const { order, page } = answerIn(text);
		list.reserve(order);
		return list.settle(order, page);
	});
	return { list, failures };
}

/** Names of the URLs by what is known of them; those that have none are unknown. */
function known(list: ProfileList): string {
	const { cells, doubts, strays, most, repeated } = list;
	const nameOf = (url: string) => url.slice(urlOf('').length);
	const named = (label: string, urls: string[]) =>
		urls.length > 0 && `${label} ${rangeOf(urls.map(nameOf))}`;
	const urlsOf = (isNone: boolean) =>
		[...cells].filter(([, cell]) => (cell === 'none') === isNone).map(([url]) => url);
	const facts = [
		named('rows', urlsOf(false)),
		named('none', urlsOf(true)),
		named('doubts', [...doubts]),
		...strays.map(({ row: one, places }) =>
			named(`stray ${typeof one.at === 'string' ? one.at : nameOf(String(one.linkedin_url))}:`, [
				...places,
			]),
		),
		most < Infinity && `most ${most}`,
		repeated > 0 && `repeated ${repeated}`,
	];
	return facts.filter(Boolean).join(', ');
}

/** Many names in a row as 'from-to'. */
function rangeOf(names: string[]): string {
	const isRange = names.every((name, at) => at === 0 || Number(name) === Number(names[at - 1]) + 1);
	return isRange && names.length > 5 ? `${names[0]}-${names.at(-1)}` : names.join(' ');
}

const whole = { hasMore: false };

/** Answers, and what is known after them. */
test.each<[string, string[], string]>([
	['what has no row is in doubt', ['a b: a last'], 'rows a, doubts b'],
	['what has none again does not exist', ['a b: last', 'b?: last'], 'none b, doubts a'],
	['the only other row belongs to the only open URL', ['a b: a x last'], 'rows a b'],
	[
		'another row may belong to each open URL',
		['a b c: a x last'],
		'rows a, doubts b c, stray x: b c',
	],
	[
		'one that comes for others too may still belong to the first ones',
		['a b: x last', 'c d: x last'],
		'doubts a b c d, stray x: a b, repeated 1',
	],
	[
		'one that is new says nothing about the others',
		['a b: last', 'a b?: x last'],
		'doubts a b, stray x: a b',
	],
	[
		'one that has its own place is repeated',
		['x: x last', 'a b c: x last'],
		'rows x, doubts a b c, repeated 1',
	],
	[
		'two of the same person leave two in doubt',
		['a b c: N1 N2 last'],
		'doubts a b c, stray N1: a b c, stray N2: a b c',
	],
	['all rows need no word about more', ['a b: a b'], 'rows a b'],
	['nor do few URLs', ['a b: a'], 'rows a, doubts b'],
	[
		'a size that is named without such a word counts',
		['0-149: 0 per 120'],
		'rows 0, doubts 1-149, most 120',
	],
	[
		'so does the number of rows where more follow',
		['0-149: 0-99 per 100 more'],
		'rows 0-99, doubts 100-149, most 100',
	],
	['nothing for the documented size: half of it', ['0-99: more'], 'doubts 0-99, most 50'],
	[
		'as many other rows as open URLs are no reason for smaller requests',
		['a b: x y last'],
		'doubts a b, stray x: a b, stray y: a b',
	],
	[
		'another row that comes again with the same ones is theirs',
		['a b c: x last', 'a b?: x last'],
		'none a b, doubts c, stray x: a b, repeated 1',
	],
	[
		'a row that is new leaves the others in doubt',
		['a b c: last', 'a b c?: a last'],
		'rows a, doubts b c',
	],
	[
		'a second row of a profile is its own, and the same one again is repeated',
		['a b c d: a a2 a last'],
		'rows a, doubts b c d, stray a: a, repeated 1',
	],
	[
		'a full answer may not be about all URLs, so that smaller requests follow',
		['a b: a a2 last'],
		'rows a, doubts b, stray a: a, most 1',
	],
	[
		'so may one that names a smaller page',
		['0-149: 0 per 100 more'],
		'rows 0, doubts 1-149, most 100',
	],
	['or that more follow', ['0-149: 0 more'], 'rows 0, doubts 1-149, most 100'],
	['but not its number of rows for the page size', ['0-149: 0 per 1 last'], 'rows 0, doubts 1-149'],
	['the same of a small page', ['0-8: more'], 'doubts 0-8, most 5'],
	[
		'cut off, nobody is called not found, even asked once more',
		['a b c d: last', 'a b c d?: more'],
		'doubts a b c d, most 2',
	],
	[
		'what came for others before is nothing new',
		['a b: x last', 'c d: last', 'c d?: x y last', 'c d?: x y last'],
		'none c d, doubts a b, stray x: a b, stray y: c d, repeated 3',
	],
])('%s', (_, answers, expected) => {
	const { list, failures } = listAfter(answers);
	expect(failures.filter(Boolean)).toEqual([]);
	expect(known(list)).toBe(expected);
	expect(list.rows).toBe(list.charged - list.repeated);
	expect(list.requests).toBe(answers.length);
	expect(known(newProfiles().restore(kept(list)))).toBe(
		expected.replace(/,? ?(most|repeated) \d+/g, ''),
	);
});

/** What the last answer means for the run, by its kind or for people. */
test.each<[string, string[], string, string]>([
	[
		'an empty page of one URL that says more means that credits ran out',
		['a: a last', 'b: more'],
		'noCredits',
		'rows a, doubts b, most 1',
	],
	[
		'or is unexpected, where nothing came before',
		['a: more'],
		'it said that more profiles follow, and sent none',
		'doubts a, most 1',
	],
	[
		'rows of another page than asked for come out all the same',
		['a b: a as 2'],
		'it answered with page 2 where page 1 was asked for',
		'stray a: a b',
	],
	[
		'a page size that is larger than asked for is unexpected',
		['a b: a per 5'],
		'it sent a page of 5 URLs where 2 were asked for',
		'stray a: a b',
	],
])('%s', (_, answers, failure, expected) => {
	const { list, failures } = listAfter(answers);
	expect(failures.slice(0, -1).filter(Boolean)).toEqual([]);
	expect(failures.at(-1)?.text ?? failures.at(-1)?.kind).toBe(failure);
	expect(known(list)).toBe(expected);
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
	const list = newProfiles();
	const failure: Failure = { kind: status === 402 ? 'noCredits' : 'refused', status };
	const refused = list.fail(orderOf(numbered(size)), failure);
	expect(refused).toEqual(most === undefined ? failure : undefined);
	expect(list.most).toBe(most ?? Infinity);
});

test('not found beside another row is in doubt again once credits ran out', () => {
	const { list } = listAfter(['a b c: x last', 'a b c?: x last', 'd: last', 'd?: last']);
	const facts = 'stray x: a b c, most 1, repeated 1';
	list.fail(orderOf(['g']), { kind: 'serverDown', status: 500 });
	expect(known(list)).toBe('none a b c d, stray x: a b c, repeated 1');
	list.fail(orderOf(['g', 'h']), { kind: 'noCredits', status: 402 });
	expect(known(list)).toBe(`none d, doubts a b c, ${facts}`);
});

test('what several runs left in doubt is asked for once, and what they found not again', () => {
	const keptAfter = (answers: string[]) => kept(listAfter(answers).list);
	const first = keptAfter(['a b c d: x a last']);
	const second = keptAfter(['a b c d: a b last', 'x: x last']);
	const list = newProfiles().restore(first).restore(second);
	expect(known(list)).toBe('rows a b x, doubts c d');
	const without = keptAfter(['a b: last', 'a b?: last']);
	for (const both of [list.restore(without), newProfiles().restore(without).restore(first)])
		expect(both.rowAt(urlOf('a'))).toEqual(row('a'));
});

describe('What is asked for next', () => {
	const open = (names: Array<string | number>, wanted: Partial<WantedProfiles> = {}) => {
		const list = newProfiles();
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
			'again b,c',
		]);
		expect(ask({ rows: [], ...whole })).toBe('again d,c');
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
		list.settle(orderOf(['d'], 'again'), { rows: [], ...whole });
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
		expect(ask({ rows: [row('x')], ...whole })).toBe('again 0,1,2');
		const mixed = open(['a', 'b', 'c'], { pageSize: 2 });
		mixed.ask({ rows: [row('x')], ...whole });
		mixed.ask({ rows: [], ...whole });
		expect(mixed.ask({ rows: [], ...whole })).toBe('again a');
		expect(mixed.ask({ rows: [row('x')], ...whole })).toBe('again b');
		expect(mixed.ask({ rows: [], ...whole })).toBe('again c');
	});

	test('in doubt, no more at once than certainly are looked at', () => {
		const few = open(numbered(300));
		few.ask({ rows: [], ...whole });
		expect(few.next()).toMatchObject({ purpose: 'again', size: 100 });
		const many = open(numbered(300));
		many.ask({ rows: numbered(120).map((id) => row(id)), ...whole });
		expect(many.next()).toMatchObject({ purpose: 'again', size: 120 });
	});

	test('each of them alone where credits ran out', () => {
		const { ask, list } = open(numbered(60));
		ask({ rows: [row('x')], ...whole });
		list.fail(orderOf([0, 1]), { kind: 'noCredits', status: 402 });
		list.most = 100;
		expect(ask({ rows: [row('x')], ...whole })).toBe('again 0');
	});

	test('more at once after fewer, where these were answered', () => {
		const { ask, list } = open(numbered(9), { limit: 9 });
		list.most = 2;
		expect(ask({ rows: [row(0), row(1)], ...whole })).toBe('rows 0,1');
		expect(ask({ rows: [row(2)], ...whole })).toBe('rows 2,3,4,5');
	});

	test('half as many where an answer was lost, and again what is unknown', () => {
		const { list, next } = open(numbered(8));
		const order = next();
		if (typeof order === 'string') throw new Error(order);
		list.release(order);
		list.countTry(order, true);
		expect(next()).toMatchObject({ size: 4, first: urlOf(0) });
	});
});
