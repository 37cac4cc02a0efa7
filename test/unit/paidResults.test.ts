/** Promise 4: what was paid for is reused by those who may, and by nobody else. */
import type { PaidResults } from '../../nodes/LeadSearch/execution/paidResults';
import type { Ended, Run } from '../../nodes/LeadSearch/execution/run';
import type { LeadList } from '../../nodes/LeadSearch/paging/leadList';

type Data = Record<string, unknown>;
interface Wants {
	executionId?: string;
	credential?: string;
	workflow?: string;
	endpoint?: 'search' | 'preview';
	isManual?: boolean;
	minutes?: number;
	data?: Data;
	needsRaw?: boolean;
	id?: unknown;
}
interface Taken {
	kept: PaidResults;
	list: LeadList;
}

/** Each test is about a node of its own, since what was paid for outlasts it. */
let node = 0;
beforeEach(() => {
	node += 1;
});

/** The module as it is in a process of its own. */
function startProcess() {
	type Module = typeof import('../../nodes/LeadSearch/execution/paidResults');
	let found: Module | undefined;
	jest.isolateModules(() => {
		found = jest.requireActual<Module>('../../nodes/LeadSearch/execution/paidResults');
	});
	if (!found) throw new Error('There is no module');
	const { PaidResults: Store } = found;
	return (wants: Wants = {}): Taken => {
		const { executionId = '1', credential = 'key', endpoint = 'search', minutes = 60 } = wants;
		const { data = {}, isManual, needsRaw = false, id = 'search', workflow = 'workflow' } = wants;
		const context = {
			getContext: (type: string) => (type === 'node' ? data : {}),
			getMode: () => (isManual ? 'manual' : 'trigger'),
			getNode: () => ({ id: `node ${node}` }),
			getWorkflow: () => ({ id: workflow }),
		};
		const api = { endpoint, identity: credential };
		const run = { context, executionId, api, settings: { reusePaidResults: minutes } };
		const kept = new Store(run as unknown as Run, new Set());
		return { kept, list: kept.leads(id, needsRaw) };
	};
}

const open = startProcess();
const openElsewhere = startProcess();

const lead = (row: number, text = '') => ({ linkedin_url: `lead ${row}`, text });

function pay({ list }: Pick<Taken, 'list'>, rows: number, text = ''): void {
	for (let row = 0; row < rows; row++) list.cells.set(row, lead(row, text));
	list.charged += rows;
}

/** How a task ends, after it has put out the rows from one to another. */
type TaskEnd = 'well' | 'failed' | 'budget';
function task(list: LeadList, how: TaskEnd, to = list.rows, from = 0): Ended {
	const ended = { task: { job: { ledger: list } }, rows: list.rowsBetween(from, to), end: how };
	return { ...ended, ...(how === 'failed' && { failure: true }) } as unknown as Ended;
}

type End = 'well' | 'stopped' | 'thrown' | 'runAgain';
function end({ kept, list }: Taken, how: End): boolean {
	if (how === 'thrown') return kept.keep();
	const ended = how === 'stopped' ? task(list, 'failed', 0) : task(list, 'well');
	return kept.keep([ended], how === 'runAgain');
}

afterEach(() => {
	jest.useRealTimers();
});

test.each<[string, Wants & { rows?: number; end: End }, Wants & { after?: number }, boolean]>([
	['the same execution, always', { end: 'well', minutes: 0 }, { minutes: 0 }, true],
	['an execution after one that stopped', { end: 'stopped' }, { executionId: '2' }, true],
	['an execution after one that threw', { end: 'thrown' }, { executionId: '2' }, true],
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
	['nobody, where it is free', { end: 'stopped', endpoint: 'preview' }, {}, false],
	['the next try of up to 5,000 leads', { end: 'well', rows: 5_000 }, {}, true],
	['nobody, of a large run that went well', { end: 'well', rows: 5_001 }, {}, false],
	['the next try of it', { end: 'runAgain', rows: 5_001 }, {}, true],
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
		const { kept, list } = open({ data, id: 0 });
		const second = kept.leads(1, false);
		for (const one of [list, second]) pay({ list: one }, 1, 'x'.repeat(12_000_000));
		expect(kept.keep()).toBe(true);
		const rowsOf = (id: number) => openElsewhere({ data: { ...data }, id }).list.rows;
		expect([0, 1].map(rowsOf)).toEqual([1, 0]);
	});

	test.each<[string, Wants, number, string]>([
		['with Reuse Paid Results 0', { minutes: 0 }, 3, ''],
		['beyond 20 MB', {}, 3, 'x'.repeat(7_000_000)],
		['where nothing came', {}, 0, ''],
	])('leaves nothing there %s', (_, wants, rows, text) => {
		const data: Data = {};
		const one = open({ ...wants, data });
		pay(one, rows, text);
		expect(end(one, 'thrown')).toBe(true);
		expect(data).toEqual({});
	});
});

test('the least recently used go first from 64 MB on, and what is larger is not kept', () => {
	const text = 'x'.repeat(20_000_000);
	const isKept = (id: string) => open({ id }).list.rows > 0;
	const stop = (id: string, rows = 1) => {
		const one = open({ id });
		pay(one, rows, text);
		return end(one, 'stopped');
	};
	expect(['a', 'b', 'c'].map((id) => stop(id))).toEqual([true, true, true]);
	expect(isKept('a')).toBe(true);
	expect(stop('d')).toBe(true);
	expect(['b', 'a', 'c', 'd'].filter(isKept)).toEqual(['a', 'c', 'd']);
	expect(stop('e', 4)).toBe(false);
	expect(['a', 'e'].filter(isKept)).toEqual(['a']);
	// There must be room for all of what failed, and for nothing else.
	const { kept, list } = open({ id: 'f' });
	const other = kept.leads('g', false);
	pay({ list }, 4, text);
	pay({ list: other }, 1);
	expect(kept.keep([task(list, 'failed'), task(other, 'failed')])).toBe(false);
	expect(kept.keep([task(list, 'well'), task(other, 'failed')])).toBe(true);
});

test('profiles are kept as leads are, by what was asked for', () => {
	const { kept } = open();
	const profiles = kept.profiles('emails');
	profiles.cells.set('url', {});
	profiles.charged = 1;
	kept.keep();
	const { kept: later } = open({ executionId: '2' });
	expect(['emails', 'phones'].map((id) => later.profiles(id).rows)).toEqual([1, 0]);
});
