/** The trigger's place: which of the copies found it is, why, and what a poll does by it. */
import type { Failure, FailureKind } from '../../nodes/LeadSearch/api/failures';
import { formatPaused, TOO_MANY_SEARCHES, UNREADABLE } from '../../nodes/LeadSearch/messages/polls';
import { canonicalSearch } from '../../nodes/LeadSearch/parameters/canonical';
import {
	dayAt,
	decide,
	findPlace,
	fingerprintOf,
	paidAgain,
	placeAfter,
	resume,
	revisionSaved,
} from '../../nodes/LeadSearch/trigger/cursor';
import type { Fetched } from '../../nodes/LeadSearch/trigger/fetch';
import { hashOf, type Place, type SearchPlace } from '../../nodes/LeadSearch/trigger/place';

const DAY = '2027-01-15';
const TIME = { now: Date.parse('2027-01-14T20:00:00Z'), day: DAY };
const OWNER = { nodeId: 'node', workflowId: 'workflow', instanceId: 'n8n' };
const SEARCH = { fingerprint: 'search', formerFingerprint: 'as before', skip: 7 };

const searchAt = (row: number, fields: Partial<SearchPlace> = {}): SearchPlace => ({
	...{ fingerprint: 'search', row, served: 25, mayEnd: true, isDoubted: false, pausedOn: null },
	...{ spentInTotal: 60, delivered: ['one'], ...fields },
});
const other = (row: number, name = 'other') => searchAt(row, { fingerprint: name });
const place = (fields: Partial<Place> = {}): Place => ({
	...{ version: 2, ...OWNER, revision: 4, day: DAY, spentToday: 20, newSearches: [] },
	...{ searches: [searchAt(60)], ...fields },
});
/** To the letter as the version before saved it. */
const former = {
	...{ served: 25, isAtEnd: false, spentInTotal: 40, spentBefore: { '2027-01-14': 30 } },
	...{ revision: 9, fingerprint: 'as before', row: 40, day: DAY, spentToday: 20, restarts: [5] },
};
const ofNode = (node: unknown) => ({ ofNode: node });
const begun = { row: 7, served: 0, mayEnd: false, spentInTotal: 0, delivered: [] };

interface Row {
	ofNode?: unknown;
	ofWorkflow?: unknown;
	inMemory?: unknown;
}

test.each<[string, Row, object, string | undefined]>([
	['no copy', {}, begun, 'firstPoll'],
	['nulls', { ofNode: null, ofWorkflow: null }, begun, 'firstPoll'],
	['one of the node', ofNode(place()), searchAt(60), undefined],
	['one of the workflow', { ofWorkflow: place() }, searchAt(60), undefined],
	['one in memory', { inMemory: place() }, searchAt(60), undefined],
	[
		'several',
		{
			ofNode: place(),
			ofWorkflow: place({ revision: 6, searches: [searchAt(90)] }),
			inMemory: place({ revision: 5, searches: [searchAt(80)] }),
		},
		searchAt(90),
		undefined,
	],
	[
		'one that Skip moves',
		ofNode(place({ searches: [searchAt(3)] })),
		{ row: 7, mayEnd: false },
		undefined,
	],
	["another node's", ofNode(place({ nodeId: 'deleted' })), begun, 'firstPoll'],
	["another workflow's", ofNode(place({ workflowId: 'first' })), begun, 'imported'],
	[
		'one that does not say which workflow it is of',
		ofNode(JSON.parse(JSON.stringify(place({ workflowId: undefined as never })))),
		searchAt(60),
		undefined,
	],
	["another n8n's", ofNode(place({ instanceId: 'of elsewhere' })), begun, 'imported'],
	[
		"another node's, newer than its own",
		{ ofNode: place({ nodeId: 'deleted', revision: 9 }), ofWorkflow: place() },
		searchAt(60),
		undefined,
	],
	['one of another search', ofNode(place({ searches: [other(60)] })), begun, 'searchChanged'],
	[
		'one of several searches',
		ofNode(place({ searches: [other(9), searchAt(60)] })),
		searchAt(60),
		'former',
	],
	[
		'one of the version before',
		{ ofNode: former, ofWorkflow: former },
		{ fingerprint: 'search', row: 40, served: 25, spentInTotal: 40, delivered: [] },
		undefined,
	],
	[
		'one of the version before, of another search',
		{ ofWorkflow: { ...former, fingerprint: 'another' } },
		begun,
		'searchChanged',
	],
	[
		'one of the version before under the name alone, perhaps of a deleted node',
		ofNode(former),
		begun,
		'firstPoll',
	],
	[
		'an older one that is none',
		{ ofNode: { revision: 3 }, ofWorkflow: place() },
		searchAt(60),
		undefined,
	],
])('%s: the place is found, and why it is there', (_, copies, search, reason) => {
	const all = { ofNode: undefined, ofWorkflow: undefined, inMemory: undefined, ...copies };
	const found = findPlace(all, OWNER, SEARCH, TIME);
	expect(found).toMatchObject({ place: OWNER, ...(reason && { reason }) });
	expect('place' in found && found.place.searches[0]).toMatchObject(search);
	expect('reason' in found).toBe(reason !== undefined);
});

test.each<[string, unknown]>([
	['a later version', place({ version: 3 } as unknown as Partial<Place>)],
	['a place without a revision', { ...place(), revision: undefined }],
	['a row below 0', place({ searches: [searchAt(-3)] })],
	['half a credit', place({ spentToday: 0.5 })],
	['no search', { ...place(), searches: [] }],
	[
		'a search without a page size',
		{ ...place(), searches: [{ ...searchAt(60), served: undefined }] },
	],
	['starts that are no list', { ...place(), newSearches: 'none' }],
	['leads that are no texts', place({ searches: [searchAt(60, { delivered: [1] as never })] })],
	['a former one with a negative day', { ...former, spentBefore: { '2027-01-14': -1 } }],
	['a text', 'row 7'],
	['a later one beside a good one', { ...place({ revision: 5 }), version: 3 }],
])('%s is no place, and buys nothing', (_, copy) => {
	const copies = { ofNode: copy, ofWorkflow: copy, inMemory: undefined };
	const beside = { ...copies, ofWorkflow: place() };
	expect(findPlace(copies, OWNER, SEARCH, TIME)).toEqual({ refusal: UNREADABLE });
	if (_.endsWith('good one'))
		expect(findPlace(beside, OWNER, SEARCH, TIME)).toEqual({ refusal: UNREADABLE });
});

const found = (saved: Partial<Place>, search = SEARCH, time = TIME): Place => {
	const copies = { ofNode: place(saved), ofWorkflow: undefined, inMemory: undefined };
	const result = findPlace(copies, OWNER, search, time);
	if ('refusal' in result) throw new Error(result.refusal.message);
	return result.place;
};

test('ten searches are known, those that ran last', () => {
	const searches = Array.from({ length: 10 }, (_, index) => other(index, `of ${index}`));
	const [first, ...others] = searches as Place['searches'];
	const { searches: known } = found({ searches: [first, ...others] });
	expect(known.map(({ fingerprint }) => fingerprint)).toEqual([
		'search',
		...Array.from({ length: 9 }, (_, index) => `of ${index}`),
	]);
});

test('a new search counts for a day, one that is gone back to not at all', () => {
	const { now } = TIME;
	const earlier = [now - 86_400_001, now - 1];
	const searches: Place['searches'] = [other(9)];
	expect(found({ searches, newSearches: earlier }).newSearches).toEqual([now - 1, now]);
	expect(found({ searches: [other(9), searchAt(60)], newSearches: earlier }).newSearches).toEqual(
		earlier,
	);
});

test.each<[string, string, string, number]>([
	['the same day', DAY, DAY, 20],
	['the next day', '2027-01-16', '2027-01-16', 0],
	['a day before, as where the time zone is another one now', '2027-01-13', DAY, 20],
])('a day never goes back: %s (%s) is %s, and has spent %i', (_, now, day, spentToday) => {
	for (const search of [SEARCH, { ...SEARCH, fingerprint: 'new' }])
		expect(found({}, search, { ...TIME, day: now })).toMatchObject({ day, spentToday });
});

test('of the version before, the latest day counts on which something was spent', () => {
	const copy = { ...former, day: '2027-01-14', spentToday: 5, spentBefore: { [DAY]: 30 } };
	const copies = { ofNode: copy, ofWorkflow: copy, inMemory: undefined };
	expect(findPlace(copies, OWNER, SEARCH, TIME)).toMatchObject({
		place: { day: DAY, spentToday: 30 },
	});
});

test.each<[string, Row, number]>([
	['nothing', {}, -1],
	["the node's own", { ofNode: place(), ofWorkflow: place({ revision: 9 }) }, 4],
	['after a new name', { ofWorkflow: place() }, 4],
	["another node's", { ofNode: place({ nodeId: 'deleted', revision: 9 }), ofWorkflow: place() }, 4],
])('n8n has saved %s', (_, copies, revision) => {
	const all = {
		ofNode: undefined,
		ofWorkflow: undefined,
		inMemory: place({ revision: 99 }),
		...copies,
	};
	expect(revisionSaved(all, OWNER)).toBe(revision);
});

describe('Searches are the same', () => {
	const same = (one: object, other: object, address = 'a') =>
		fingerprintOf({ ...one }, 'a').fingerprint === fingerprintOf({ ...other }, address).fingerprint;

	test.each<[string, object, object, boolean]>([
		['in another order', { a: ['x', 'y'], b: 1 }, { b: 1, a: ['y', 'x'] }, true],
		['with a text twice', { a: ['x', 'x'] }, { a: ['x'] }, true],
		['with Email Status at its default', { a: ['x'], email_status: 'all' }, { a: ['x'] }, true],
		['with another Email Status', { a: ['x'], email_status: 'likely' }, { a: ['x'] }, false],
		['with a number twice, as in a range', { a: [5, 5] }, { a: [5] }, false],
		['with another value', { a: ['x'] }, { a: ['y'] }, false],
	])('%s: %j and %j', (_, one, other, isSame) => {
		expect(same(one, other)).toBe(isSame);
		expect(same(one, other, 'another address')).toBe(false);
	});

	test('as the version before told them apart', () => {
		const { formerFingerprint } = fingerprintOf(
			{ person_location_country: ['Iceland'] },
			'http://127.0.0.1:8080',
		);
		// What it saved.
		expect(formerFingerprint).toBe(
			'6ef5487311d6fd5bf4e583aa4847a5434c4798b7971c125e68867fc509b81194',
		);
	});

	test('in one form, which keeps the order of lists and changes nothing given', () => {
		const fields = { job_titles: ['b', 'a', 'b'], include_phones: false, include_emails: false };
		expect(canonicalSearch(fields)).toEqual({ job_titles: ['b', 'a'], include_emails: false });
		expect(fields.job_titles).toHaveLength(3);
	});
});

const perDay = "'Max Credits per Day' (20) is spent for 2027-01-15";
const inTotal = "'Max Credits in Total' (50) is spent";
const ceilingIn = (message: string) => ({
	...{ refusal: { message, description: 'Raise it to get more leads.' } },
});
const refused = { refusal: TOO_MANY_SEARCHES };
const pausedOn = (day: string): Partial<Place> => ({ searches: [searchAt(60, { pausedOn: day })] });

test.each<[string, Partial<Place>, number, number, object, object]>([
	['no ceiling', {}, Infinity, Infinity, { room: Infinity }, { room: 1 }],
	['100 left today', {}, 120, 1_000, { room: 100 }, { room: 1 }],
	['10 left in total', {}, 120, 70, { room: 10 }, { room: 1 }],
	['none left today', {}, 20, 1_000, { note: perDay }, ceilingIn(perDay)],
	['none left in total', {}, 10, 50, { note: inTotal }, ceilingIn(inTotal)],
	['a pause', pausedOn(DAY), 120, 70, { note: formatPaused(DAY) }, { room: 1 }],
	['one of another day', pausedOn('2027-01-14'), 120, 70, { room: 10 }, { room: 1 }],
	['two new searches', { newSearches: [1, 2] }, 120, 70, { room: 10 }, { room: 1 }],
	['three', { newSearches: [1, 2, 3], ...pausedOn(DAY) }, 20, 70, refused, refused],
])('with %s (%j) of %d a day and %d in total', (_, fields, ofDay, ofAll, inPoll, inTest) => {
	const ceilings = { perDay: ofDay, inTotal: ofAll };
	expect(decide(place(fields), ceilings, false)).toEqual(inPoll);
	expect(decide(place(fields), ceilings, true)).toEqual(inTest);
});

test('a test that went well ends a pause, and what led to it', () => {
	const searches: Place['searches'] = [searchAt(60, { pausedOn: DAY, isDoubted: true }), other(9)];
	expect(resume(place({ searches }))).toEqual(place({ searches: [searchAt(60), other(9)] }));
});

const fetched = (fields: Partial<Fetched> = {}): Fetched => ({
	...{ spent: { charged: 0, atRisk: 0, lost: 0, requests: 1 }, rows: [], leads: [], placed: 0 },
	...{ old: 0, certain: 25, mayEnd: false, end: 'limit', failure: undefined, warnings: [] },
	...fields,
});
const lead = (name: string) => ({ linkedin_url: `https://www.linkedin.com/in/${name}` });

test('a place moves by the leads that follow it, with what they cost and short hashes of the last 100', () => {
	const rows = Array.from({ length: 120 }, (_, index) => lead(`lead-${index}`));
	const spent = { charged: 120, atRisk: 5, lost: 1, requests: 3 };
	const after = placeAfter(place(), fetched({ rows, placed: 119, spent, mayEnd: true }));
	expect(after).toMatchObject({
		spentToday: 145,
		searches: [{ row: 179, spentInTotal: 185, mayEnd: true }],
	});
	const [{ delivered }] = after.searches;
	expect(delivered).toEqual(rows.slice(20).map(hashOf));
	expect(new Set(delivered).size).toBe(100);
	expect(JSON.stringify(after).length).toBeLessThan(2_500);
});

test('a lead is known by its profile, or by all its fields where it names none', () => {
	expect(hashOf({ ...lead('a'), raw: 1 })).toBe(hashOf(lead('a')));
	expect(hashOf({ full_name: 'A' })).not.toBe(hashOf({ full_name: 'B' }));
	expect(hashOf(lead('a'))).toHaveLength(12);
});

const failed = (kind: FailureKind, more: Partial<Failure> = {}) =>
	fetched({ end: undefined, failure: { kind, ...more } });
const paid = (end: Fetched['end'], charged: number, placed: number) =>
	fetched({ end, placed, spent: { charged, atRisk: 0, lost: 0, requests: 1 } });

test.each<[string, Fetched, string | undefined]>([
	['the question at the end cost a credit', paid('whole', 11, 10), 'end'],
	['it was free', paid('whole', 10, 10), undefined],
	['it brought an old lead', { ...paid('limit', 1, 0), old: 1 }, 'end'],
	['all that was wanted came', paid('limit', 10, 10), undefined],
	['what came contradicts itself', failed('protocolViolation'), 'answer'],
	['what came is no list of leads', failed('notTheService', { status: 200 }), 'answer'],
	['there is nothing at the address', failed('notTheService', { status: 404 }), undefined],
	['what came is not readable', failed('unreadable'), 'answer'],
	['what came is too large', failed('tooLarge'), 'answer'],
	['an answer was lost', failed('lostResponse'), undefined],
	['credits ran out', failed('noCredits'), undefined],
])('where %s, the next poll would pay again for: %3$s', (_, came, again) => {
	expect(paidAgain(came)).toBe(again);
});

test('an end pauses at once, an answer at the second in a row', () => {
	const pausesOf = (...all: Fetched[]) => {
		let now = place();
		return all.map((one) => {
			now = placeAfter(now, one);
			return now.searches[0].pausedOn;
		});
	};
	const answer = failed('unreadable');
	expect(pausesOf(paid('whole', 1, 0), paid('limit', 1, 1))).toEqual([DAY, null]);
	expect(pausesOf(answer, paid('limit', 1, 1), answer)).toEqual([null, null, null]);
	expect(pausesOf(answer, answer, answer)).toEqual([null, DAY, DAY]);
});

test.each([
	['Pacific/Auckland', DAY],
	['America/New_York', '2027-01-14'],
	['DEFAULT', undefined],
	['GMT+2', undefined],
	['', undefined],
])('in the time zone %j it is %s', (timeZone, day) => {
	expect(dayAt(TIME.now, timeZone)).toBe(day);
});
