/** Tests what responses say about the URLs of a lookup, and which URLs are requested next. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure } from '../../nodes/LeadSearch/api/failures';
import type { PageRequest } from '../../nodes/LeadSearch/paging/job';
import { LookUpJob, type ProfileTarget } from '../../nodes/LeadSearch/paging/lookUpJob';
import type { ProfileList } from '../../nodes/LeadSearch/paging/profileList';
import { newProfiles, restoreCopy } from './world';

const urlOf = (name: string | number) => `https://www.linkedin.com/in/${name}`;
const row = (name: string): Json => ({ linkedin_url: urlOf(name) });
const numbered = (count: number) => Array.from({ length: count }, (_, id) => id);
const MARKS: Record<string, PageRequest['purpose']> = { '': 'rows', '!': 'alone', '?': 'again' };

function requestOf(
	names: Array<string | number>,
	purpose: PageRequest['purpose'] = 'rows',
): PageRequest<string> {
	const urls = names.map(urlOf);
	return { purpose, page: 1, size: urls.length, firstKey: urls[0] ?? '', urls: new Set(urls) };
}

/** Parses names of profiles, such as 'a b 0-9'. */
function namesIn(text: string): string[] {
	return text.split(' ').flatMap((word) => {
		const [, from, to] = /^(\d+)-(\d+)$/.exec(word) ?? [];
		if (from === undefined) return word === '' ? [] : [word];
		return numbered(Number(to) - Number(from) + 1).map((id) => String(id + Number(from)));
	});
}

/** Creates a row. 'a2' is a second row of a; 'N1' and 'N2' are rows that name no URL. */
function rowIn(name: string): Json {
	if (name.startsWith('N')) return { full_name: 'N', at: name };
	return /^[a-z]2$/.test(name) ? { ...row(name.charAt(0)), job_title: 'CEO' } : row(name);
}

/** Parses 'a b?: a x last': URLs, '?' for the purpose 'again' or '!' for 'alone'; the rows returned; `has_more`. */
function parseResponse(text: string): { request: PageRequest<string>; page: Page } {
	const [, names = '', purposeMark = '', rows = '', hasMore = ''] =
		/^(.*?)([?!]?):(.*?)((?: more| last)?)$/.exec(text) ?? [];
	return {
		request: requestOf(namesIn(names), MARKS[purposeMark]),
		page: {
			rows: namesIn(rows).map(rowIn),
			...(hasMore !== '' && { hasMore: hasMore.endsWith('more') }),
		},
	};
}

function listAfter(responses: string[]) {
	const list = newProfiles();
	const failures = responses.map((text) => {
		const { request, page } = parseResponse(text);
		list.take(request);
		return list.settle(request, page);
	});
	return { list, failures };
}

/** Describes the facts of a list. URLs in the queue `rows` are left out. */
function describeFacts({ cells, queues, unmatchedRows, cost }: ProfileList): string {
	const nameOf = (url: string) => url.slice(urlOf('').length);
	const urls = [...cells.keys()];
	const named = (label: string, some: Iterable<string>) =>
		[...some].length > 0 && `${label} ${rangeOf([...some].map(nameOf))}`;
	const labelOf = (one: Json) =>
		typeof one.at === 'string'
			? one.at
			: `${nameOf(String(one.linkedin_url))}${one.job_title === undefined ? '' : '2'}`;
	const matched = urls.flatMap((url) => {
		const cell = cells.get(url);
		return cell?.length ? [`${nameOf(url)}: ${cell.map(labelOf).join(' ')}`] : [];
	});
	const facts = [
		matched.length > 0 && (matched.length > 5 ? `${matched.length} rows` : matched.join(', ')),
		named(
			'none',
			urls.filter((url) => cells.get(url)?.length === 0),
		),
		named('again', queues.again),
		named('alone', queues.alone),
		unmatchedRows.length > 0 && `unmatched ${unmatchedRows.map(labelOf).join(' ')}`,
		cost.wasted > 0 && `wasted ${cost.wasted}`,
	];
	return facts.filter(Boolean).join('; ');
}

/** Joins names; more than five consecutive numbers become 'from-to'. */
function rangeOf(names: string[]): string {
	const isRange = names.every(
		(name, index) => index === 0 || Number(name) === Number(names[index - 1]) + 1,
	);
	return isRange && names.length > 5 ? `${names[0]}-${names.at(-1)}` : names.join(' ');
}

/** Each row has a title, responses, and the facts of the list after them. */
test.each<[string, string[], string]>([
	['a large request without rows proves nothing', ['0-149: last'], 'again 0-149'],
	['a row under another URL is unmatched', ['a b: a x last'], 'a: a; alone b; unmatched x'],
	[
		'all rows for a URL that is requested alone belong to that URL',
		['a b: x x2 last', 'a!: x x2 last'],
		'a: x x2; again b; wasted 2',
	],
	[
		'unmatched rows of the profile belong to the URL, too',
		['a b: x x2 last', 'a!: x last'],
		'a: x x2; again b; wasted 1',
	],
	[
		'the other URLs are requested alone while a row is unmatched',
		['a b c: x y last', 'a!: x last'],
		'a: x; alone b c; unmatched y; wasted 1',
	],
	['a duplicate row is wasted', ['a b: a a last'], 'a: a; again b; wasted 1'],
	[
		'a statement that more follows changes nothing if there are rows',
		['a b: a more'],
		'a: a; again b',
	],
])('%s', (_, responses, expected) => {
	const { list, failures } = listAfter(responses);
	expect(failures.filter(Boolean)).toEqual([]);
	expect(describeFacts(list)).toBe(expected);
	expect(list.cost.requests).toBe(responses.length);
	const restored = restoreCopy(list);
	// URLs without rows are requested again, which is free.
	expect(describeFacts(restored)).toBe(
		expected.replace(/(^|; )(wasted|again|alone|unmatched|none) [^;]+/g, '').replace(/^; /, ''),
	);
	expect(restored.rowCount).toBe(list.rowCount - list.unmatchedRows.length);
});

/** Each row has the violation in the last response, the responses, and the facts after them. */
test.each<[string, string[], string]>([
	['it said that more profiles follow, but sent none', ['a: a last', 'b: more'], 'a: a; again b'],
	['it sent 3 rows instead of the requested 1', ['a: a x y'], 'a: a x y'],
])('a response is unexpected: %s', (text, responses, expected) => {
	const { list, failures } = listAfter(responses);
	expect(failures.at(-1)).toMatchObject({ kind: 'protocolViolation', text });
	expect(describeFacts(list)).toBe(expected);
});

test.each<[number, number, number]>([
	[402, 9, 4],
	[402, 1, Infinity],
	[400, 100, Infinity],
])('a %d to a request for %d URLs limits the next requests to %d URLs', (status, size, maxSize) => {
	const list = newProfiles();
	const failure: Failure = { kind: status === 402 ? 'noCredits' : 'refused', status };
	const refused = list.fail(requestOf(numbered(size)), failure);
	expect(refused).toEqual(maxSize === Infinity ? failure : undefined);
	expect(list.pageSize ?? Infinity).toBe(maxSize);
});

describe('The next request', () => {
	/** Opens a job and gives its requests these responses, one after the other. */
	function open(urls: string, responses: string[] = [], target: Partial<ProfileTarget> = {}) {
		const list = newProfiles();
		const all = namesIn(urls).map(urlOf);
		const job = new LookUpJob(list, { urls: all, limit: Infinity, pageSize: 1_000, ...target });
		const next = (credits = Infinity) => {
			const request = job.next(credits);
			if (typeof request === 'string') return request;
			list.take(request);
			const names = [...(request.urls ?? [])].map((url) => url.slice(urlOf('').length));
			const purposeMark = Object.keys(MARKS).find((one) => MARKS[one] === request.purpose) ?? '';
			return rangeOf(names) + purposeMark;
		};
		for (const text of responses) {
			const { request, page } = parseResponse(text);
			expect(job.next(Infinity)).toEqual(request);
			list.take(request);
			list.settle(request, page);
		}
		return { list, next };
	}

	/** Each row has a title, URLs, responses, and the URLs of each request that is sent before another response. */
	test.each<[string, string, string[], string[], Partial<ProfileTarget>?]>([
		[
			'all URLs are requested once, then those without a row again, then none',
			'a b c d e',
			['a b: a last', 'c d: last', 'e: e last', 'b?: last'],
			['complete'],
			{ pageSize: 2 },
		],
		[
			'only one request is sent before the first response',
			'0-5',
			[],
			['0 1', 'wait'],
			{ pageSize: 2 },
		],
		[
			'no more URLs are requested than Limit allows',
			'0-8',
			['0 1 2: 0 last'],
			['3 4 5', 'wait'],
			{ limit: 4, pageSize: 3 },
		],
		[
			'unmatched rows count against Limit, except for the requests that match them',
			'a b c',
			['a b: x last'],
			['c', 'a!', 'wait'],
			{ limit: 2 },
		],
		[
			'URLs without rows are requested again once all rows are matched',
			'0-59',
			['0-59: x last', '0!: last', '1!: x last'],
			['2-59?', 'wait'],
		],
		[
			'no more URLs are requested again than the documented number',
			'0-399',
			['0-399: 0-150 last'],
			['151-250?'],
		],
		['the first of several opaque IDs is requested alone', 'ACoAA1 ACoAA2 b', [], ['b', 'wait']],
		[
			'another opaque ID is requested alone if the first one does not exist',
			'ACoAA1 ACoAA2 ACoAA3',
			['ACoAA1!: last'],
			['ACoAA2!', 'ACoAA3!'],
		],
	])('%s', (_, urls, responses, expected, ...[target]) => {
		const { next } = open(urls, responses, target);
		expect(expected.map(() => next())).toEqual(expected);
	});

	test('an opaque ID is requested alone again after a free failure', () => {
		const { list, next } = open('ACoAA1 ACoAA2 ACoAA3', ['ACoAA1!: x last']);
		expect([next(), next()]).toEqual(['ACoAA2!', 'ACoAA3!']);
		const [failed, successful] = list.inFlight;
		if (!failed || !successful) throw new Error('Two requests are in flight');
		list.putBack(failed);
		list.settle(successful, { rows: [row('y')], hasMore: false });
		expect(next()).toBe('ACoAA2!');
	});

	test("unmatched rows that belong to no URL of a job don't count against its Limit", () => {
		const list = newProfiles();
		const request = requestOf(['a', 'b']);
		new LookUpJob(list, { urls: ['a', 'b'].map(urlOf), limit: Infinity, pageSize: 9 });
		list.take(request);
		list.settle(request, { rows: [row('x')], hasMore: false });
		const other = new LookUpJob(list, { urls: [urlOf('c')], limit: 1, pageSize: 9 });
		expect(other.next(9)).toMatchObject({ firstKey: urlOf('c') });
	});
});

test('the same profile for URLs that were requested alone counts once, also if responses were still in flight', () => {
	const list = newProfiles();
	const requests = ['a', 'b', 'c', 'd', 'e'].map((name) => requestOf([name]));
	for (const request of requests) list.take(request);
	for (const request of requests) list.settle(request, { rows: [row('x')], hasMore: false });
	expect(list.rowCount).toBe(1);
	expect(list.cost).toMatchObject({ charged: 5, wasted: 4 });
	expect(list.unmatchedRows).toEqual([row('x')]);
});

test('URLs that are similar to the name in an unmatched row are requested first, without regard to accents', () => {
	const list = newProfiles();
	const names = ['eve-dee-1', 'bo', 'zo%C3%AB-2', 'bell-muller-7', 'al-bo'];
	list.addUrls(names.map(urlOf));
	list.settle(requestOf(names), { rows: [{ ...row('zoe'), full_name: 'Zoë Müller-Bell' }] });
	expect([...list.queues.alone]).toEqual(
		['bell-muller-7', 'zo%C3%AB-2', 'eve-dee-1', 'bo', 'al-bo'].map(urlOf),
	);
});
