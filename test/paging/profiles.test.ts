/** What an answer says about the URLs of a lookup, and which of them are asked for next. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure } from '../../nodes/LeadSearch/api/failures';
import type { Order } from '../../nodes/LeadSearch/paging/ledger';
import { LookUpJob, type WantedProfiles } from '../../nodes/LeadSearch/paging/lookUpJob';
import type { ProfileList } from '../../nodes/LeadSearch/paging/profileList';
import { kept, newProfiles } from './world';

const urlOf = (name: string | number) => `https://www.linkedin.com/in/${name}`;
const row = (name: string): Json => ({ linkedin_url: urlOf(name) });
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

/** 'a2' is another row of a, 'N1' and 'N2' are rows that name no URL, of the same name, 'aN' one that is at a. */
function rowIn(name: string): Json {
	if (name.startsWith('N')) return { full_name: 'N', at: name };
	if (/^[a-z]N$/.test(name)) return { ...row(name.charAt(0)), full_name: 'N' };
	return name === 'a2' ? { ...row('a'), job_title: 'CEO' } : row(name);
}

/** 'a b?: a x per 20 last': URLs, '?' where they are asked for once more; who comes, and what the page says. */
function answerIn(text: string): { order: Order<string>; page: Page } {
	const [, asked = '', again, came = '', said = ''] =
		/^(.*?)(\??):(.*?)((?: per \d+)?(?: more| last)?)$/.exec(text) ?? [];
	const perPage = / per (\d+)/.exec(said)?.[1];
	return {
		order: orderOf(namesIn(asked), again === '?' ? 'again' : 'rows'),
		page: {
			rows: namesIn(came).map(rowIn),
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
	const urlsOf = (isFit: (cell: unknown) => boolean) =>
		[...cells].filter(([, cell]) => isFit(cell)).map(([url]) => url);
	const facts = [
		named(
			'rows',
			urlsOf((cell) => typeof cell === 'object'),
		),
		named(
			'none',
			urlsOf((cell) => cell === 0),
		),
		named(
			'unclear',
			urlsOf((cell) => typeof cell === 'number' && cell > 0),
		),
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

/** Answers, and what is known after them; 'unclear' is who is not found beside a row that may be theirs. */
test.each<[string, string[], string]>([
	['what has no row is in doubt', ['a b: a last'], 'rows a, doubts b'],
	['a page size above what was asked for says nothing', ['a b: a per 100'], 'rows a, doubts b'],
	['what has none again does not exist', ['a b: last', 'b?: last'], 'none b, doubts a'],
	['the only other row belongs to the only open URL', ['a b: a x last'], 'rows a b'],
	['also where it comes twice', ['a b: a x x last'], 'rows a b, repeated 1'],
	['or only later', ['a b: x last', 'a?: x last'], 'rows a, doubts b, repeated 1'],
	[
		'with its second row',
		['a b: N1 N2 last', 'a?: N1 last'],
		'rows a, doubts b, stray N2: a, repeated 1',
	],
	[
		'what comes for one that is asked for alone is its own, however many rows',
		['a b: x N1 last', 'a?: x N1 last'],
		'rows a, doubts b, stray N1: a, repeated 2',
	],
	[
		'beside its own row, too',
		['a b: N1 last', 'a?: N1 a last'],
		'rows a, doubts b, stray N1: a, repeated 1',
	],
	[
		'one who names the same as another row may be a second row of that',
		['a b: aN N2 last', 'b?: last'],
		'rows a, none b, stray N2: b a',
	],
	[
		'where each URL got a row, one that names nobody may be a second one of any',
		['a b: a b x last'],
		'rows a b, stray x: a b',
	],
	[
		'another row, for others too, may belong to any of them',
		['a b: x last', 'c d: x last'],
		'doubts a b c d, stray x: a b c d, repeated 1',
	],
	['a new one tells nothing of others', ['a b: last', 'a b?: x last'], 'doubts a b, stray x: a b'],
	[
		'two of the same person leave two in doubt',
		['a b: N1 N2 last'],
		'doubts a b, stray N1: a b, stray N2: a b',
	],
	['all rows need no word about more', ['a b: a b'], 'rows a b'],
	['nor do few URLs', ['a b: a'], 'rows a, doubts b'],
	['a named size counts', ['0-149: 0 per 120'], 'rows 0, doubts 1-149, most 120'],
	[
		'as many other rows as open URLs are no reason for smaller requests',
		['a b: x y last'],
		'doubts a b, stray x: a b, stray y: a b',
	],
	[
		'another row that comes again with the same ones may be any of theirs',
		['a b c: x last', 'a b?: x last'],
		'unclear a b, doubts c, stray x: a b c, repeated 1',
	],
	[
		'where none comes, it is none of theirs',
		['a b c: x last', 'a b?: last'],
		'none a b, doubts c, stray x: a b c',
	],
	['a new row leaves the others in doubt', ['a b c: last', 'a b c?: a last'], 'rows a, doubts b c'],
	[
		'a second row of a profile is its own, and the same one again is repeated',
		['a b c d: a a2 a last'],
		'rows a, doubts b c d, stray a: a, repeated 1',
	],
	[
		"a second row of one of two namesakes is either's",
		['a b: aN bN N2 last'],
		'rows a b, stray N2: a b',
	],
	[
		'a full answer that brings nothing new may be about some URLs, so that smaller requests follow',
		['a b c: x last', 'a b c?: x x x last'],
		'doubts a b c, stray x: a b c, most 2, repeated 3',
	],
	[
		'so may one that names a smaller page',
		['0-149: 0 per 100 more'],
		'rows 0, doubts 1-149, most 100',
	],
	[
		'also where none of so many has a row',
		['0-99: per 40 more', '0-39?: last'],
		'none 0-39, doubts 40-99, most 40',
	],
	['or nothing but that more follow', ['0-149: more'], 'doubts 0-149, most 100'],
	['but not its number of rows for the page size', ['0-149: 0 per 1 last'], 'rows 0, doubts 1-149'],
	[
		'what came for others before is new for these, once',
		['a b: x last', 'c d: last', 'c d?: x y last', 'c d?: x y last'],
		'unclear c d, doubts a b, stray x: a b c d, stray y: c d, repeated 3',
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

test('a row that may be a second one is paired with its namesake, and with who has none', () => {
	const { list } = listAfter(['a b c: aN c N2 last']);
	const [stray] = list.strays;
	const among = (names: string[]) => stray && list.placesAmong(stray, new Set(names.map(urlOf)));
	expect(among(['a', 'b', 'c'])).toEqual([urlOf('b'), urlOf('a')]);
	// It may as well be the other's.
	expect([among(['a']), among(['c'])]).toEqual([[], []]);
});

test('a row that has found its place in another run has no other', () => {
	const [a, b] = [urlOf('a'), urlOf('b')];
	const strays = [{ row: row('x'), places: [a, b] }];
	const list = newProfiles().restore({ cells: [[a, row('x')]], strays, doubts: [b] });
	expect(known(list)).toBe('rows a, doubts b');
});

/** "Noticed": what the last answer contradicts. */
test.each<[string, string[], string]>([
	[
		'it said that more profiles follow, and sent none',
		['a: a last', 'b: more'],
		'rows a, doubts b, most 1',
	],
	['it said that more profiles follow, and sent none', ['0-99: more'], 'doubts 0-99, most 50'],
	['it sent 3 rows where 1 were asked for', ['a: a x y'], 'stray a: a, stray x: a, stray y: a'],
])('%s', (text, answers, expected) => {
	const { list, failures } = listAfter(answers);
	expect(failures.slice(0, -1).filter(Boolean)).toEqual([]);
	expect(failures.at(-1)).toMatchObject({ kind: 'protocolViolation', text });
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

describe('What is asked for next', () => {
	/** After answers to what is asked for one after the other. */
	function open(urls: string, answers: string[] = [], wanted: Partial<WantedProfiles> = {}) {
		const list = newProfiles();
		const all = namesIn(urls).map(urlOf);
		const job = new LookUpJob(list, { urls: all, limit: Infinity, pageSize: 1_000, ...wanted });
		const next = (room = Infinity) => {
			const order = job.next(room);
			if (typeof order === 'string') return order;
			list.reserve(order);
			const names = [...(order.urls ?? [])].map((url) => url.slice(urlOf('').length));
			return rangeOf(names) + (order.purpose === 'again' ? '?' : '');
		};
		for (const text of answers) {
			const { order, page } = answerIn(text);
			expect(job.next(Infinity)).toEqual(order);
			list.reserve(order);
			list.settle(order, page);
		}
		return { list, next };
	}

	/** Answers, and the URLs of each request that follows before another answer comes. */
	test.each<[string, string, string[], string[], Partial<WantedProfiles>?]>([
		[
			'all once, in pages; what is in doubt once more; then nothing',
			'a b c d e',
			['a b: a last', 'c d: last', 'e: e last', 'b c?: b last', 'd c?: last'],
			['whole'],
			{ pageSize: 2 },
		],
		['one request until it is answered', '0-5', [], ['0 1', 'wait'], { pageSize: 2 }],
		['then several, none twice', '0-5', ['0 1: 0 1 last'], ['2 3', '4 5', 'wait'], { pageSize: 2 }],
		['no more than Limit', '0-8', ['0 1 2: 0 last'], ['3 4 5', 'wait'], { limit: 4, pageSize: 3 }],
		['none beyond Limit', '0-2', ['0: 0 last'], ['limit'], { limit: 1 }],
		['nothing where no URL is wanted', '', [], ['whole']],
		['no row too many, whosever those are', 'a b c', ['a b: x last'], ['c'], { limit: 2 }],
		['each alone of a few beside another row', '0-9', ['0-9: x last'], ['0?', '1?', '2?']],
		['of more all at once', '0-59', ['0-59: x last'], ['0-59?', 'wait']],
		[
			'first those that no row may be about, since that is free',
			'a b c d',
			['a b: x last', 'c d: last'],
			['c d?', 'a?', 'b?', 'wait'],
			{ pageSize: 2 },
		],
		['in doubt, no more at once than are looked at', '0-299', ['0-299: last'], ['0-99?']],
		['so many as have been looked at', '0-399', ['0-399: 0-150 last'], ['151-301?']],
	])('%s', (_, urls, answers, expected, ...[wanted]) => {
		const { next } = open(urls, answers, wanted);
		expect(expected.map(() => next())).toEqual(expected);
	});

	test('never more than may be spent', () => {
		const { next } = open('0-8', ['0 1 2: 0 last'], { pageSize: 3 });
		expect([next(0), next(2)]).toEqual(['budget', '3 4']);
		expect(open('0-2', ['0: 0 last'], { limit: 1 }).next(0)).toBe('limit');
	});

	test('Limit counts what came for it alone, before and now', () => {
		const { list } = listAfter(['p q: x last', 'c r: y last', 'd: last', 'd?: last']);
		const next = (names: string[]) =>
			new LookUpJob(list, { urls: names.map(urlOf), limit: 1, pageSize: 9 }).next(Infinity);
		expect(next(['a', 'd'])).toMatchObject({ size: 1, first: urlOf('a') });
		expect(next(['a', 'c'])).toMatchObject({ size: 1, first: urlOf('a') });
		expect(next(['a', 'c', 'r'])).toBe('limit');
	});

	test('each alone, where few of those that a row may be about are wanted', () => {
		const { list } = listAfter(['0-29: x last']);
		const urls = ['3', '4'].map(urlOf);
		const job = new LookUpJob(list, { urls, limit: Infinity, pageSize: 9 });
		for (const url of urls) {
			const order = job.next(Infinity);
			expect(order).toMatchObject({ purpose: 'again', urls: new Set([url]) });
			if (typeof order !== 'string') list.reserve(order);
		}
	});

	test('half as many where an answer was lost, and again what is unknown', () => {
		const { list, next } = open('0-7');
		expect([next(), next()]).toEqual(['0-7', 'wait']);
		for (const order of list.inFlight) {
			list.release(order);
			list.countTry(order, true);
		}
		expect(next()).toBe('0 1 2 3');
	});

	test('of more than are documented, half as many everywhere once an answer was lost', () => {
		const list = newProfiles();
		const job = (from: number) =>
			new LookUpJob(list, {
				urls: numbered(400).map((id) => urlOf(id + from)),
				limit: Infinity,
				pageSize: 1_000,
			});
		const sizeOf = (order: ReturnType<LookUpJob['next']>) =>
			typeof order !== 'string' && order.size;
		const failure = { kind: 'lostResponse' } as const;
		expect(sizeOf(job(0).next(Infinity))).toBe(400);
		expect(list.fail(orderOf(numbered(400)), failure)).toBe(failure);
		expect(sizeOf(job(1_000).next(Infinity))).toBe(200);
		list.fail(orderOf(numbered(150)), failure);
		expect(sizeOf(job(2_000).next(Infinity))).toBe(100);
	});
});
