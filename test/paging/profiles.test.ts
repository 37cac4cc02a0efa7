/** What an answer says about the URLs of a lookup, and which of them are asked for next. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure } from '../../nodes/LeadSearch/api/failures';
import type { PageRequest } from '../../nodes/LeadSearch/paging/job';
import { LookUpJob, type ProfileTarget } from '../../nodes/LeadSearch/paging/lookUpJob';
import type { ProfileList } from '../../nodes/LeadSearch/paging/profileList';
import { newProfiles, recalled } from './world';

const urlOf = (name: string | number) => `https://www.linkedin.com/in/${name}`;
const row = (name: string): Json => ({ linkedin_url: urlOf(name) });
const numbered = (count: number) => Array.from({ length: count }, (_, id) => id);
const MARKS: Record<string, PageRequest['purpose']> = { '': 'rows', '!': 'alone', '?': 'again' };

function orderOf(
	names: Array<string | number>,
	purpose: PageRequest['purpose'] = 'rows',
): PageRequest<string> {
	const urls = names.map(urlOf);
	return { purpose, page: 1, size: urls.length, firstKey: urls[0] ?? '', urls: new Set(urls) };
}

/** 'a b 0-9': names of profiles. */
function namesIn(text: string): string[] {
	return text.split(' ').flatMap((word) => {
		const [, from, to] = /^(\d+)-(\d+)$/.exec(word) ?? [];
		if (from === undefined) return word === '' ? [] : [word];
		return numbered(Number(to) - Number(from) + 1).map((id) => String(id + Number(from)));
	});
}

/** 'a2' is another row of a, 'N1' and 'N2' are rows that name no URL. */
function rowIn(name: string): Json {
	if (name.startsWith('N')) return { full_name: 'N', at: name };
	return /^[a-z]2$/.test(name) ? { ...row(name.charAt(0)), job_title: 'CEO' } : row(name);
}

/** 'a b?: a x last': URLs, '?' where they are asked for again and '!' where one is alone; who comes; what the page says. */
function answerIn(text: string): { order: PageRequest<string>; page: Page } {
	const [, asked = '', mark = '', came = '', said = ''] =
		/^(.*?)([?!]?):(.*?)((?: more| last)?)$/.exec(text) ?? [];
	return {
		order: orderOf(namesIn(asked), MARKS[mark]),
		page: {
			rows: namesIn(came).map(rowIn),
			...(said !== '' && { hasMore: said.endsWith('more') }),
		},
	};
}

function listAfter(answers: string[]) {
	const list = newProfiles();
	const failures = answers.map((text) => {
		const { order: request, page } = answerIn(text);
		list.reserve(request);
		return list.settle(request, page);
	});
	return { list, failures };
}

/** Names of the URLs by what is known of them; those that have none are unknown. */
function known({ cells, queues, unmatchedRows, cost }: ProfileList): string {
	const nameOf = (url: string) => url.slice(urlOf('').length);
	const urls = [...cells.keys()];
	const named = (label: string, some: Iterable<string>) =>
		[...some].length > 0 && `${label} ${rangeOf([...some].map(nameOf))}`;
	const labelOf = (one: Json) =>
		typeof one.at === 'string'
			? one.at
			: `${nameOf(String(one.linkedin_url))}${one.job_title === undefined ? '' : '2'}`;
	const owned = urls.flatMap((url) => {
		const cell = cells.get(url);
		return cell?.length ? [`${nameOf(url)}: ${cell.map(labelOf).join(' ')}`] : [];
	});
	const facts = [
		owned.length > 0 && (owned.length > 5 ? `${owned.length} rows` : owned.join(', ')),
		named(
			'none',
			urls.filter((url) => cells.get(url)?.length === 0),
		),
		named('again', queues.again),
		named('alone', queues.alone),
		unmatchedRows.length > 0 && `of nobody ${unmatchedRows.map(labelOf).join(' ')}`,
		cost.wasted > 0 && `repeated ${cost.wasted}`,
	];
	return facts.filter(Boolean).join('; ');
}

/** Many names in a row as 'from-to'. */
function rangeOf(names: string[]): string {
	const isRange = names.every((name, at) => at === 0 || Number(name) === Number(names[at - 1]) + 1);
	return isRange && names.length > 5 ? `${names[0]}-${names.at(-1)}` : names.join(' ');
}

/** Answers, and what is known after them. */
test.each<[string, string[], string]>([
	['what has no row beside others is asked for again', ['a b: a last'], 'a: a; again b'],
	['where nobody comes, nobody is there', ['a b: last'], 'none a b'],
	['but of more than are looked at', ['0-149: last'], 'again 0-149'],
	[
		'as many as came in one answer are',
		['0-149: 0-149', '200-349: last'],
		'150 rows; none 200-349',
	],
	["a row under another URL is nobody's", ['a b: a x last'], 'a: a; alone b; of nobody x'],
	[
		'what comes for one that is asked for alone is its own',
		['a b: x last', 'a!: x last'],
		'a: x; again b; repeated 1',
	],
	['whatever it names, or nothing', ['a b: N1 last', 'b!: N1 last'], 'b: N1; again a; repeated 1'],
	['however many rows', ['a b: x x2 last', 'a!: x x2 last'], 'a: x x2; again b; repeated 2'],
	[
		'with those of that profile that came before',
		['a b: x x2 last', 'a!: x last'],
		'a: x x2; again b; repeated 1',
	],
	[
		'while a row has no owner, the others are asked for alone',
		['a b c: x y last', 'a!: x last'],
		'a: x; alone b c; of nobody y; repeated 1',
	],
	[
		'one that is asked for by both URLs has two owners',
		['a b: x last', 'x: x last', 'a!: x last'],
		'x: x, a: x; again b; repeated 1',
	],
	['the same one again is repeated', ['a b: a a last'], 'a: a; again b; repeated 1'],
	['a word about more changes nothing while rows come', ['a b: a more'], 'a: a; again b'],
])('%s', (_, answers, expected) => {
	const { list, failures } = listAfter(answers);
	expect(failures.filter(Boolean)).toEqual([]);
	expect(known(list)).toBe(expected);
	expect(list.cost.requests).toBe(answers.length);
	const again = recalled(list);
	// What got no row is asked for again, which is free.
	expect(known(again)).toBe(
		expected.replace(/(^|; )(repeated|again|alone|of nobody|none) [^;]+/g, '').replace(/^; /, ''),
	);
	expect(again.rowCount).toBe(list.rowCount - list.unmatchedRows.length);
});

/** "Noticed": what the last answer contradicts. */
test.each<[string, string[], string]>([
	['it said that more profiles follow, and sent none', ['a: a last', 'b: more'], 'a: a; again b'],
	['it sent 3 rows where 1 were asked for', ['a: a x y'], 'a: a x y'],
])('%s', (text, answers, expected) => {
	const { list, failures } = listAfter(answers);
	expect(failures.at(-1)).toMatchObject({ kind: 'protocolViolation', text });
	expect(known(list)).toBe(expected);
});

test.each<[number, number, number | undefined]>([
	[402, 9, 4],
	[402, 1, undefined],
	[413, 150, 100],
	[400, 100, undefined],
])('%d to a request of %d URLs is followed by one of %s', (status, size, most) => {
	const list = newProfiles();
	const failure: Failure = { kind: status === 402 ? 'noCredits' : 'refused', status };
	const refused = list.fail(orderOf(numbered(size)), failure);
	expect(refused).toEqual(most === undefined ? failure : undefined);
	expect(list.sizeLimit).toBe(most ?? Infinity);
});

describe('What is asked for next', () => {
	/** After answers to what is asked for one after the other. */
	function open(urls: string, answers: string[] = [], wanted: Partial<ProfileTarget> = {}) {
		const list = newProfiles();
		const all = namesIn(urls).map(urlOf);
		const job = new LookUpJob(list, { urls: all, limit: Infinity, pageSize: 1_000, ...wanted });
		const next = (credits = Infinity) => {
			const request = job.next(credits);
			if (typeof request === 'string') return request;
			list.reserve(request);
			const names = [...(request.urls ?? [])].map((url) => url.slice(urlOf('').length));
			const mark = Object.keys(MARKS).find((one) => MARKS[one] === request.purpose) ?? '';
			return rangeOf(names) + mark;
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
	test.each<[string, string, string[], string[], Partial<ProfileTarget>?]>([
		[
			'all once, in pages; what is open again; then nothing',
			'a b c d e',
			['a b: a last', 'c d: last', 'e: e last', 'b?: last'],
			['complete'],
			{ pageSize: 2 },
		],
		['one request until it is answered', '0-5', [], ['0 1', 'wait'], { pageSize: 2 }],
		['no more than Limit', '0-8', ['0 1 2: 0 last'], ['3 4 5', 'wait'], { limit: 4, pageSize: 3 }],
		[
			'within Limit, no row too many, and whose the others are',
			'a b c',
			['a b: x last'],
			['c', 'a!', 'wait'],
			{ limit: 2 },
		],
		[
			'again what is open, once those rows have owners',
			'0-59',
			['0-59: x last', '0!: last', '1!: x last'],
			['2-59?', 'wait'],
		],
		['so many as have been looked at', '0-399', ['0-399: 0-150 last'], ['151-301?']],
		['the first of several ids alone', 'ACoAA1 ACoAA2 b', [], ['b', 'wait']],
		[
			'and then the others, where that came under another URL',
			'ACoAA1 ACoAA2 ACoAA3',
			['ACoAA1!: x last'],
			['ACoAA2!', 'ACoAA3!'],
		],
		[
			'one more alone, where it was not there',
			'ACoAA1 ACoAA2 ACoAA3',
			['ACoAA1!: last'],
			['ACoAA2!', 'wait'],
		],
		[
			'or all together, where it came as it was asked for',
			'ACoAA1 ACoAA4 ACoAA3',
			['ACoAA1!: ACoAA1 last'],
			['ACoAA4 ACoAA3'],
		],
	])('%s', (_, urls, answers, expected, ...[wanted]) => {
		const { next } = open(urls, answers, wanted);
		expect(expected.map(() => next())).toEqual(expected);
	});

	test('an opaque id alone, also after a failure of it that was free', () => {
		const { list, next } = open('ACoAA1 ACoAA2 ACoAA3', ['ACoAA1!: x last']);
		expect([next(), next()]).toEqual(['ACoAA2!', 'ACoAA3!']);
		const [failed, came] = list.inFlight;
		if (!failed || !came) throw new Error('Two are asked for');
		list.release(failed);
		list.settle(came, { rows: [row('y')], hasMore: false });
		expect(next()).toBe('ACoAA2!');
	});

	test("rows of nobody who is wanted don't count against Limit", () => {
		const list = newProfiles();
		const request = orderOf(['a', 'b']);
		new LookUpJob(list, { urls: ['a', 'b'].map(urlOf), limit: Infinity, pageSize: 9 });
		list.reserve(request);
		list.settle(request, { rows: [row('x')], hasMore: false });
		const other = new LookUpJob(list, { urls: [urlOf('c')], limit: 1, pageSize: 9 });
		expect(other.next(9)).toMatchObject({ firstKey: urlOf('c') });
	});

	test('documented ones, once an answer to more was lost, and again what is unknown', () => {
		const { list, next } = open('0-399');
		expect([next(), next()]).toEqual(['0-399', 'wait']);
		for (const request of list.inFlight) {
			list.release(request);
			list.fail(request, { kind: 'lostResponse' });
		}
		expect(next()).toBe('0-99');
		expect(list.cost).toMatchObject({ possiblyCharged: 400, lostResponses: 1 });
	});
});

test('first are asked for alone those whose names look like that of the row, without accents', () => {
	const list = newProfiles();
	const names = ['eve-dee-1', 'bo', 'zo%C3%AB-2', 'bell-muller-7', 'al-bo'];
	list.addUrls(names.map(urlOf));
	list.settle(orderOf(names), { rows: [{ ...row('zoe'), full_name: 'Zoë Müller-Bell' }] });
	expect([...list.queues.alone]).toEqual(
		['bell-muller-7', 'zo%C3%AB-2', 'eve-dee-1', 'bo', 'al-bo'].map(urlOf),
	);
});
