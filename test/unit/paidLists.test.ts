/** Promise 4: what was paid for is reused by those who may, and by nobody else. */
import { FREE_LISTS, type PaidLists } from '../../nodes/LeadSearch/execution/paidLists';
import { leaveForRetry } from '../../nodes/LeadSearch/execution/leftForRetry';
import type { Ended, Run } from '../../nodes/LeadSearch/execution/runResult';
import type { LeadList } from '../../nodes/LeadSearch/paging/leadList';

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
		const context = {
			getContext: (type: string) => (type === 'node' ? data : {}),
			getMode: () => (isManual ? 'manual' : 'trigger'),
			getNode: () => ({ id: `node ${node}` }),
			getWorkflow: () => ({ id: workflow }),
		};
		const api = { identity: credential };
		const settings = { reusePaidResults: minutes };
		const run = { context, executionId, api, settings } as unknown as Run;
		const kept = new Store(run, takeLeft(run.context));
		const leave = () => {
			leaveForRetry(run.context, kept.keep(undefined));
		};
		return { kept, list: kept.leads(id, needsRaw), leave };
	};
}

const open = startProcess();
const openElsewhere = startProcess();

const lead = (row: number, text = '') => ({ linkedin_url: `lead ${row}`, text });

function pay({ list }: Pick<Taken, 'list'>, rows: number, text = ''): void {
	for (let row = 0; row < rows; row++) list.put(row, lead(row, text));
	list.charged += rows;
}

/** How a task ends, after it has put out the rows from one to another. */
type TaskEnd = 'well' | 'failed' | 'budget';
function task(list: LeadList, how: TaskEnd, to = list.rows, from = 0): Ended {
	const ended = { task: { job: { ledger: list } }, rows: list.rowsBetween(from, to), end: how };
	return { ...ended, ...(how === 'failed' && { failure: true }) } as unknown as Ended;
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
	expect(other.list.charged).toBe(0);
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
	const broken = one.kept.leads('broken', false);
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

/** When the list that others may go on with was paid for, in minutes, after a run that stopped and, an hour later, one that paid. */
test.each<[string, TaskEnd, number, number]>([
	['stopped, too', 'failed', 4, 60],
	['reached what it may spend', 'budget', 4, 60],
	['went well and put out some of it', 'well', 4, 0],
])('what is left over after a run that %s is so old', (_, how, putOut, expected) => {
	jest.useFakeTimers();
	const start = Date.now();
	const one = open({ minutes: 90 });
	pay(one, 3);
	end(one, 'stopped');
	jest.advanceTimersByTime(60 * 60_000);
	const { kept, list } = open({ executionId: '2', minutes: 90 });
	pay({ list }, 5);
	kept.keep([task(list, how, putOut)]);
	const { reusedFrom = 0 } = open({ executionId: '3', minutes: 90 }).kept;
	expect((reusedFrom - start) / 60_000).toBe(expected);
});

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
	// Taken over and kept again, it is as old as it was.
	end(other, 'stopped');
	expect(open({ executionId: '3' }).kept.reusedFrom).toBe(paidAt);
	// There is nothing to reuse of a run that got nothing.
	end(open({ id: 'nothing' }), 'stopped');
	expect(open({ executionId: '2', id: 'nothing' }).kept.reusedFrom).toBeUndefined();
});

describe('A run that throws', () => {
	test('leaves of several lists as many as there is room for', () => {
		const data: Data = {};
		const { kept, list, leave } = open({ data, id: 0 });
		const second = kept.leads(1, false);
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

	test('leaves a Retry its own, though another execution holds more of it', () => {
		const data: Data = {};
		const [one, other] = [open({ data }), open({ executionId: '2' })];
		pay(one, 2);
		one.leave();
		pay(other, 3);
		other.leave();
		expect(open({ data, executionId: '3' }).list.rows).toBe(2);
		expect(open({ executionId: '3' }).list.rows).toBe(2);
		expect(open({ executionId: '4' }).list.rows).toBe(3);
	});
});

test('all of what failed must have room', () => {
	const text = 'x'.repeat(20_000_000);
	const { kept, list } = open({ id: 'a' });
	const other = kept.leads('b', false);
	pay({ list }, 4, text);
	pay({ list: other }, 1, text);
	expect(kept.hasRoom([other, other])).toBe(true);
	expect(kept.hasRoom([list])).toBe(false);
	kept.keep([task(list, 'failed'), task(other, 'failed')]);
	expect(['a', 'b'].map((id) => open({ id }).list.rows)).toEqual([0, 1]);
});

test('a list too long for a text of its own is not kept, and nothing is thrown', () => {
	const data: Data = {};
	const one = open({ data });
	pay(one, 600, 'x'.repeat(1_000_000));
	expect(one.kept.hasRoom([one.list])).toBe(false);
	one.leave();
	expect(data).toEqual({});
	expect(open().list.rows).toBe(0);
});

test('what failed is kept before what came out, where there is room for one of them', () => {
	const text = 'x'.repeat(40_000_000);
	const { kept, list } = open({ id: 'a' });
	const other = kept.leads('b', false);
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
	const [one, other] = [FREE_LISTS.leads('a', false), FREE_LISTS.leads('a', false)];
	expect([one === other, one.isPaid, other.isPaid]).toEqual([false, false, false]);
});

test('profiles are kept as leads are, by what was asked for', () => {
	const { kept } = open();
	const urls = new Set(['url']);
	const profiles = kept.profiles('emails', urls);
	profiles.put('url', {});
	profiles.charged = 1;
	kept.keep(undefined);
	const { kept: later } = open({ executionId: '2' });
	expect(['emails', 'phones'].map((id) => later.profiles(id, urls).rows)).toEqual([1, 0]);
});

test('profiles of several executions are put together: a row wins over none, and answers what is in doubt', () => {
	const row = { full_name: 'Anna' };
	const urls = new Set(['a', 'b', 'c', 'd']);
	// At the same time, so that neither knows of the other.
	const both = ['1', '2'].map((executionId) => {
		const { kept } = open({ executionId });
		return { kept, profiles: kept.profiles('emails', urls) };
	});
	const [one, other] = both;
	one?.profiles.put('b', row);
	one?.profiles.cells.set('a', 0);
	one?.profiles.doubts.add('c').add('d');
	other?.profiles.put('a', row);
	other?.profiles.cells.set('b', 0).set('c', 0);
	for (const { kept, profiles } of both) {
		profiles.charged = 1;
		kept.keep(undefined);
	}
	const { cells, doubts } = open({ executionId: '3' }).kept.profiles('emails', urls);
	expect(Object.fromEntries(cells)).toEqual({ a: row, b: row, c: 0 });
	expect([...doubts]).toEqual(['d']);
});

/** Profiles of an execution, its Retry and others: those that hold a row and those in doubt. */
function keepProfiles(executionId: string, rows: readonly string[], more: Wants = {}, text = '') {
	const { kept } = open({ executionId, ...more });
	const profiles = kept.profiles('emails', new Set(rows));
	for (const url of rows) profiles.put(url, { text });
	profiles.charged = rows.length;
	return { kept, profiles };
}

test('profiles that nobody wants stay as they are, and as old, for the next execution that does', () => {
	jest.useFakeTimers();
	const stopped = keepProfiles('1', ['a']);
	stopped.profiles.doubts.add('b');
	stopped.profiles.restore({
		cells: [],
		strays: [{ row: { text: 'x' }, places: ['c'] }],
		doubts: ['b'],
	});
	stopped.kept.keep(undefined);
	for (const executionId of ['2', '3']) {
		jest.advanceTimersByTime(25 * 60_000);
		const { kept, profiles } = keepProfiles(executionId, ['other']);
		const ledger = profiles as unknown as LeadList;
		expect([profiles.rows, kept.reusedFrom]).toEqual([1, undefined]);
		const ended = { task: { job: { ledger } }, rows: [profiles.rowAt('other')], end: 'whole' };
		kept.keep([ended as unknown as Ended]);
	}
	const rowsFor = (url: string, executionId = '4') =>
		open({ executionId }).kept.profiles('emails', new Set([url])).rows;
	expect(['a', 'b', 'c', 'other'].map((url) => rowsFor(url))).toEqual([2, 2, 2, 0]);
	jest.advanceTimersByTime(11 * 60_000);
	expect(['a', 'b', 'c'].map((url) => rowsFor(url))).toEqual([0, 0, 0]);
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
		leaveForRetry({ getContext: () => data } as unknown as Run['context'], kept.keep(undefined));
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
	expect(again.rowAt('a')).toEqual({ text: 'new' });
});
