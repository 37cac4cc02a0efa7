/** Promise 4: what was paid for is reused by those who may, and by nobody else. */
import { FREE_LISTS, type PaidLists } from '../../nodes/LeadSearch/execution/paidLists';
import { leaveForRetry } from '../../nodes/LeadSearch/execution/leftForRetry';
import type { Ended, Run } from '../../nodes/LeadSearch/execution/runResult';
import type { Json } from '../../nodes/LeadSearch/api/contract';
import type { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { ProfileList } from '../../nodes/LeadSearch/paging/profileList';

type Data = Record<string, unknown>;
interface Wants {
	executionId?: string;
	credential?: string;
	workflow?: string;
	isManual?: boolean;
	minutes?: number;
	data?: Data;
	needsRaw?: boolean;
	id?: unknown;
}
interface Taken {
	kept: PaidLists;
	list: LeadList;
	/** The run throws. */
	leave: () => void;
}

/** Each test is about a node of its own, since what was paid for outlasts it. */
let node = 0;
beforeEach(() => {
	node += 1;
});

/** The module as it is in a process of its own. */
function startProcess() {
	type Module = typeof import('../../nodes/LeadSearch/execution/paidLists');
	type Left = typeof import('../../nodes/LeadSearch/execution/leftForRetry');
	let found: (Module & Left) | undefined;
	jest.isolateModules(() => {
		const left = jest.requireActual<Left>('../../nodes/LeadSearch/execution/leftForRetry');
		const lists = jest.requireActual<Module>('../../nodes/LeadSearch/execution/paidLists');
		found = { ...lists, ...left };
	});
	if (!found) throw new Error('There is no module');
	const { PaidLists: Store, takeLeft, leaveForRetry } = found;
	return (wants: Wants = {}): Taken => {
		const { executionId = '1', credential = 'key', minutes = 60 } = wants;
		const { data = {}, isManual, needsRaw = false, id = 'search', workflow = 'workflow' } = wants;
		const belonging = {
			...{ executionId, owner: [workflow, `node ${node}`], reusesAll: isManual === true },
			keptByN8n: data,
		};
		const api = { baseUrl: 'url', endpoint: 'search', account: credential };
		const settings = { reusePaidResults: minutes };
		const run = { belonging, api, settings } as unknown as Run;
		const kept = new Store(run, takeLeft(run.belonging));
		const leave = () => {
			leaveForRetry(run.belonging, kept.keep(undefined));
		};
		return { kept, list: kept.leads(id, needsRaw, everywhere), leave };
	};
}

const everywhere = [[0, 100_000]] as const;
const open = startProcess();
const openElsewhere = startProcess();

const lead = (row: number, text = '') => ({ linkedin_url: `lead ${row}`, text });

function pay({ list }: Pick<Taken, 'list'>, rows: number, text = ''): void {
	const before = list.rows;
	for (let row = 0; row < rows; row++) list.put(row, lead(row, text));
	list.cost.charged += list.rows - before;
}

/** How a task ends, after it has put out the rows from one to another. */
type TaskEnd = 'well' | 'failed' | 'budget';
function task(list: LeadList, how: TaskEnd, to = list.rows, from = 0): Ended {
	const ended = { task: { job: { ledger: list } }, rows: list.rowsBetween(from, to), end: how };
	return { ...ended, missing: {}, ...(how === 'failed' && { failure: true }) } as unknown as Ended;
}

type End = 'well' | 'stopped' | 'dropped';
function end({ kept, list }: Pick<Taken, 'kept' | 'list'>, how: End): void {
	const ended = how === 'stopped' ? task(list, 'failed', 0) : task(list, 'well');
	kept.keep(how === 'dropped' ? undefined : [ended]);
}

afterEach(() => {
	jest.useRealTimers();
});

test.each<[string, Wants & { rows?: number; end: End }, Wants & { after?: number }, boolean]>([
	['the same execution, always', { end: 'well', minutes: 0 }, { minutes: 0 }, true],
	['an execution after one that stopped', { end: 'stopped' }, { executionId: '2' }, true],
	[
		'an execution after one whose output was dropped',
		{ end: 'dropped' },
		{ executionId: '2' },
		true,
	],
	['nobody after one that went well', { end: 'well' }, { executionId: '2' }, false],
	['a run by hand', { end: 'well' }, { executionId: '2', isManual: true }, true],
	['nobody after Reuse Paid Results', { end: 'stopped' }, { executionId: '2', after: 61 }, false],
	// Whatever the clock says, which another process may have set.
	['nobody with it at 0', { end: 'stopped' }, { executionId: '2', minutes: 0, after: -1 }, false],
	['nobody with another credential', { end: 'stopped' }, { credential: 'other' }, false],
	['nobody for another search', { end: 'stopped' }, { id: 'other' }, false],
	['nobody in another workflow', { end: 'stopped' }, { workflow: 'other' }, false],
	['nobody who needs raw', { end: 'stopped' }, { needsRaw: true }, false],
	['whoever needs no raw', { end: 'stopped', needsRaw: true }, {}, true],
	['the next try of up to 5,000 leads', { end: 'well', rows: 5_000 }, {}, true],
	['nobody, of a large run that went well', { end: 'well', rows: 5_001 }, {}, false],
	['the next try of it', { end: 'dropped', rows: 5_001 }, {}, true],
	['all of it by hand', { end: 'well', rows: 5_001, isManual: true }, {}, true],
])('what was paid for is reused by %s', (_, { rows = 3, end: how, ...first }, wants, isReused) => {
	jest.useFakeTimers();
	const one = open(first);
	pay(one, rows);
	end(one, how);
	const { after = 0, ...second } = wants;
	jest.setSystemTime(Date.now() + after * 60_000);
	const other = open(second);
	expect(other.list.rows).toBe(isReused ? rows : 0);
	expect(other.list.cost.charged).toBe(0);
});

/** Rows of the list that others may go on with, after its tasks have ended so in two runs of an execution. */
test.each<[number, TaskEnd, string]>([
	[0, 'well', '3 well'],
	[0, 'failed', '3 well'],
	[0, 'failed', '1 well, 2 well'],
	[3, 'failed', '2 well'],
	[3, 'failed', '3 budget'],
	[3, 'failed', '1 budget, 2 well'],
	[3, 'well', '1 well, 2 failed'],
])('%i of 3 leads are for the next execution after %s, then %s', (rows, first, second) => {
	const one = open();
	// What becomes of another list changes nothing.
	const broken = one.kept.leads('broken', false, everywhere);
	for (const list of [one.list, broken]) pay({ list }, 3);
	one.kept.keep([task(one.list, first, 3), task(broken, 'failed')]);
	const { kept, list } = open();
	let putOut = 0;
	const ends = second.split(', ').map((end) => {
		const [more, how] = end.split(' ');
		const from = putOut;
		putOut += Number(more);
		return task(list, how as TaskEnd, putOut, from);
	});
	kept.keep(ends);
	expect(open({ executionId: '2' }).list.rows).toBe(rows);
	expect(open({ executionId: '2', id: 'broken' }).list.rows).toBe(3);
});

/** Whether others may go on longer with a list, after a run that stopped and, an hour later, one that paid. */
test.each<[string, TaskEnd, number, boolean, Wants?]>([
	['went well by hand is kept longer', 'well', 4, true, { isManual: true }],
	['stopped, too, is kept longer', 'failed', 4, true],
	['reached what it may spend is kept longer', 'budget', 4, true],
	['went well and put out some of it is not', 'well', 4, false],
])(
	'what is left over after a run that %s, and gets no younger',
	(_, how, putOut, isLonger, mode = {}) => {
		jest.useFakeTimers();
		const start = Date.now();
		const one = open({ minutes: 90 });
		pay(one, 3);
		end(one, 'stopped');
		jest.advanceTimersByTime(60 * 60_000);
		const { kept, list } = open({ executionId: '2', minutes: 90, ...mode });
		pay({ list }, 5);
		kept.keep([task(list, how, putOut)]);
		expect(open({ executionId: '3', minutes: 90 }).kept.reusedFrom).toBe(start);
		jest.advanceTimersByTime(40 * 60_000);
		expect(open({ executionId: '4', minutes: 90 }).list.rows > 0).toBe(isLonger);
	},
);

test('in a loop, all rounds are kept, of 5,000 rows each', () => {
	for (const rows of [5_000, 9_000]) {
		const { kept, list } = open();
		pay({ list }, rows);
		kept.keep([task(list, 'well')]);
	}
	expect(open().list.rows).toBe(9_000);
});

test('how long ago it was paid for is known, unless that was in the same execution', () => {
	jest.useFakeTimers();
	const one = open();
	pay(one, 3);
	end(one, 'stopped');
	const paidAt = Date.now();
	jest.advanceTimersByTime(12 * 60_000);
	expect(open().kept.reusedFrom).toBeUndefined();
	const other = open({ executionId: '2' });
	expect(other.kept.reusedFrom).toBe(paidAt);
	end(other, 'well');
	// What an execution took over is no younger in its next run.
	expect(open({ executionId: '2' }).kept.reusedFrom).toBe(paidAt);
	// A run that fails says that all of it is kept for so many minutes, whoever has paid.
	end(other, 'stopped');
	jest.advanceTimersByTime(55 * 60_000);
	const third = open({ executionId: '3' });
	expect([third.list.rows, third.kept.reusedFrom]).toEqual([3, paidAt]);
	// There is nothing to reuse of a run that got nothing.
	end(open({ id: 'nothing' }), 'stopped');
	expect(open({ executionId: '2', id: 'nothing' }).kept.reusedFrom).toBeUndefined();
});

describe('A run that throws', () => {
	test('leaves of several lists as many as there is room for', () => {
		const data: Data = {};
		const { kept, list, leave } = open({ data, id: 0 });
		const second = kept.leads(1, false, everywhere);
		for (const one of [list, second]) pay({ list: one }, 1, 'x'.repeat(12_000_000));
		leave();
		const rowsOf = (id: number) => openElsewhere({ data: { ...data }, id }).list.rows;
		expect([0, 1].map(rowsOf)).toEqual([1, 0]);
	});

	test.each<[string, number, string]>([
		['beyond 20 MB', 3, 'x'.repeat(7_000_000)],
		['where nothing came', 0, ''],
	])('leaves nothing there %s', (_, rows, text) => {
		const data: Data = {};
		const one = open({ data });
		pay(one, rows, text);
		one.leave();
		expect(data).toEqual({});
	});

	test('leaves nothing for others that a Retry has put out since, whatever a second one brings', () => {
		const data: Data = {};
		const one = open({ data });
		pay(one, 2);
		one.leave();
		const left = { ...data };
		end(open({ data, executionId: '2' }), 'well');
		open({ data: left, executionId: '3', id: 'other' });
		expect(open({ executionId: '4' }).list.rows).toBe(0);
	});

	test('leaves its Retry what another execution holds more of, and that one its own', () => {
		const [ofOne, ofOther]: [Data, Data] = [{}, {}];
		const [one, other] = [open({ data: ofOne }), open({ data: ofOther, executionId: '2' })];
		pay(one, 2);
		one.leave();
		pay(other, 3);
		other.leave();
		const retry = open({ data: ofOne, executionId: '3' });
		expect(retry.list.rows).toBe(3);
		end(retry, 'well');
		expect(openElsewhere({ data: { ...ofOther }, executionId: '4' }).list.rows).toBe(3);
		expect(open({ data: ofOther, executionId: '5' }).list.rows).toBe(3);
	});
});

test('a list too long for a text of its own is not kept, and nothing is thrown', () => {
	const data: Data = {};
	const one = open({ data });
	pay(one, 600, 'x'.repeat(1_000_000));
	one.leave();
	expect(data).toEqual({});
	expect(open().list.rows).toBe(0);
});

test('what failed is kept before what came out, where there is room for one of them', () => {
	const text = 'x'.repeat(40_000_000);
	const { kept, list } = open({ id: 'a' });
	const other = kept.leads('b', false, everywhere);
	for (const one of [list, other]) pay({ list: one }, 1, text);
	kept.keep([task(list, 'failed'), task(other, 'well')]);
	expect(['a', 'b'].map((id) => open({ id }).list.rows)).toEqual([1, 0]);
});

test('an execution takes over the list that it goes on from: nobody else does any more', () => {
	const one = open();
	pay(one, 3);
	end(one, 'dropped');
	const second = open({ executionId: '2' });
	pay(second, 5);
	end(second, 'stopped');
	const third = open({ executionId: '3' });
	expect(third.list.rows).toBe(5);
	end(third, 'well');
	expect(open({ executionId: '4' }).list.rows).toBe(0);
});

test('what costs nothing is not kept', () => {
	const [one, other] = [
		FREE_LISTS.leads('a', false, everywhere),
		FREE_LISTS.leads('a', false, everywhere),
	];
	expect([one === other, one.isPaid, other.isPaid]).toEqual([false, false, false]);
});

/** Gives each of these URLs a row, asked for alone. */
function payProfiles(list: ProfileList, urls: readonly string[], row: Json = {}): void {
	for (const url of urls)
		list.settle(
			{ purpose: 'rows', page: 1, size: 1, first: url, urls: new Set([url]) },
			{ rows: [{ ...row }] },
		);
}

test('profiles are kept as leads are, by what was asked for', () => {
	const { kept } = open();
	const urls = new Set(['url']);
	payProfiles(kept.profiles('emails', urls), ['url']);
	kept.keep(undefined);
	const { kept: later } = open({ executionId: '2' });
	expect(['emails', 'phones'].map((id) => later.profiles(id, urls).rows)).toEqual([1, 0]);
});

test('profiles of several executions are put together: a row wins over none, and answers what is open', () => {
	const row = { full_name: 'Anna' };
	const urls = new Set(['a', 'b', 'c', 'd']);
	// At the same time, so that neither knows of the other.
	const both = ['1', '2'].map((executionId) => {
		const { kept } = open({ executionId });
		return { kept, profiles: kept.profiles('emails', urls) };
	});
	const [one, other] = both;
	if (one) payProfiles(one.profiles, ['b'], row);
	one?.profiles.cells.set('a', 'none');
	one?.profiles.queues.again.add('c').add('d');
	if (other) payProfiles(other.profiles, ['a'], row);
	other?.profiles.cells.set('b', 'none').set('c', 'none');
	for (const { kept } of both) kept.keep(undefined);
	const { cells, queues } = open({ executionId: '3' }).kept.profiles('emails', urls);
	expect(Object.fromEntries(cells)).toEqual({ a: [row], b: [row], c: 'none' });
	expect([...queues.again]).toEqual(['d']);
});

test('a row that has an owner in one list waits for none in another', () => {
	const row = { full_name: 'Anna' };
	const urls = new Set(['a']);
	const both = ['1', '2'].map((executionId) => {
		const { kept } = open({ executionId });
		return { kept, profiles: kept.profiles('emails', urls) };
	});
	const [before, after] = both;
	before?.profiles.restore({ cells: [], strays: [row], again: [], alone: ['a'] });
	if (after) payProfiles(after.profiles, ['a'], row);
	for (const { kept } of both) kept.keep(undefined);
	const { strays, rows } = open({ executionId: '3' }).kept.profiles('emails', urls);
	expect([strays, rows]).toEqual([[], 1]);
});

/** Profiles of an execution, its Retry and others: those that hold a row. */
function keepProfiles(executionId: string, rows: readonly string[], more: Wants = {}, text = '') {
	const { kept } = open({ executionId, ...more });
	const profiles = kept.profiles('emails', new Set(rows));
	payProfiles(profiles, rows, { text });
	return { kept, profiles };
}

test('profiles that nobody wants stay as they are, and as old, for the next execution that does', () => {
	jest.useFakeTimers();
	const stopped = keepProfiles('1', ['a']);
	const strays = [{ text: 'x' }];
	stopped.profiles.restore({ cells: [], strays, again: ['b'], alone: ['c'] });
	stopped.kept.keep(undefined);
	for (const executionId of ['2', '3']) {
		jest.advanceTimersByTime(25 * 60_000);
		const { kept, profiles } = keepProfiles(executionId, ['other']);
		expect([profiles.rows, kept.reusedFrom]).toEqual([1, undefined]);
		const task = { job: { ledger: profiles } };
		const ended = { task, rows: profiles.rowsAt('other'), end: 'whole', missing: {} };
		kept.keep([ended as unknown as Ended]);
	}
	const rowsFor = (url: string, executionId = '4') =>
		open({ executionId }).kept.profiles('emails', new Set([url])).rows;
	expect(['a', 'b', 'c', 'other'].map((url) => rowsFor(url))).toEqual([2, 2, 2, 0]);
	jest.advanceTimersByTime(11 * 60_000);
	expect(['a', 'b', 'c'].map((url) => rowsFor(url))).toEqual([0, 0, 0]);
});

test('a row whose owner is not known makes others go on from there, though the run went well', () => {
	const { kept, list } = open();
	pay({ list }, 3);
	const ended = { ...task(list, 'budget'), missing: { unmatched: [{}] } };
	kept.keep([ended]);
	expect(open({ executionId: '2' }).list.rows).toBe(3);
});

test('what an answer contradicted is remembered in its execution, of leads and profiles, and in no other', () => {
	const broken = { kind: 'protocolViolation', text: 'no' } as const;
	const { kept, list } = open();
	const lists = [list, kept.profiles('emails', new Set(['a']))];
	for (const one of lists) one.broken = broken;
	kept.keep(undefined);
	const brokenIn = (executionId: string) => {
		const later = open({ executionId });
		return [later.list, later.kept.profiles('emails', new Set(['b']))].map((one) => one.broken);
	};
	expect(['1', '2'].map(brokenIn)).toEqual([
		[broken, broken],
		[undefined, undefined],
	]);
});

test('an execution keeps all of its profiles, whichever of them its next run wants', () => {
	const data: Data = {};
	keepProfiles('1', ['a'], { data }).kept.keep(undefined);
	keepProfiles('1', ['b'], { data }).kept.keep(undefined);
	const both = new Set(['a', 'b']);
	expect(open({ executionId: '2' }).kept.profiles('emails', both).rows).toBe(2);
});

test('a Retry that throws leaves what it was brought, whichever profiles it wants', () => {
	const data: Data = {};
	const leave = ({ kept }: { kept: PaidLists }) => {
		leaveForRetry({ keptByN8n: data }, kept.keep(undefined));
	};
	leave(keepProfiles('1', ['a'], { data }));
	leave(keepProfiles('2', ['b'], { data }));
	const retry = openElsewhere({ data, executionId: '3' });
	expect(retry.kept.profiles('emails', new Set(['a'])).rows).toBe(2);
});

test('of two rows of a profile, the one that was paid for last is reused', () => {
	jest.useFakeTimers();
	keepProfiles('1', ['a'], {}, 'old').kept.keep(undefined);
	jest.advanceTimersByTime(60_000);
	keepProfiles('2', ['a'], { minutes: 0 }, 'new').kept.keep(undefined);
	const again = open({ executionId: '4' }).kept.profiles('emails', new Set(['a']));
	expect(again.rowsAt('a')).toEqual([{ text: 'new' }]);
});

test('what is older than the longest Reuse Paid Results takes no room', () => {
	jest.useFakeTimers();
	const text = 'x'.repeat(40_000_000);
	const old = open({ id: 'old' });
	pay(old, 1, text);
	end(old, 'stopped');
	jest.advanceTimersByTime(25 * 60 * 60_000);
	const young = open({ id: 'young' });
	pay(young, 1);
	end(young, 'stopped');
	expect(open({ id: 'old', executionId: '1' }).list.rows).toBe(0);
});

test('profiles that the version before has kept are gone on from', () => {
	const data: Data = {};
	const saved = {
		cells: [
			['a', { text: 'a' }],
			['b', 0],
			['c', 2],
		],
		strays: [
			{ row: { text: 'a2' }, places: ['a'] },
			{ row: { text: 'x' }, places: ['c', 'd'] },
		],
		doubts: ['d'],
	};
	const [stopped] = keepProfiles('1', ['a'], { data }).kept.keep(undefined);
	const facts = stopped?.facts;
	data.paidResults = JSON.stringify([{ ...facts, executionId: '0', text: JSON.stringify(saved) }]);
	const list = openElsewhere({ data, executionId: '2' }).kept.profiles('emails', new Set(['a']));
	expect(JSON.parse(JSON.stringify(list))).toEqual({
		cells: [
			['b', 'none'],
			['a', [{ text: 'a' }, { text: 'a2' }]],
		],
		strays: [{ text: 'x' }],
		again: ['d', 'c'],
		alone: [],
	});
});
