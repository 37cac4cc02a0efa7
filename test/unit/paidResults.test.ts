/** Promise 4: what was paid for is reused by those who may, and by nobody else. */
import type { PaidResults } from '../../nodes/LeadSearch/execution/paidResults';
import type { Ended, Run } from '../../nodes/LeadSearch/execution/types';
import type { LeadList } from '../../nodes/LeadSearch/paging/leadList';

type Data = Record<string, unknown>;
interface Wants {
	executionId?: string;
	credential?: string;
	endpoint?: 'search' | 'preview';
	isManual?: boolean;
	minutes?: number;
	data?: Data;
	needsRaw?: boolean;
	id?: unknown;
	boughtBefore?: Set<string>;
}
interface Taken {
	kept: PaidResults;
	list: LeadList;
	hasRaw: boolean;
}

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
		const { data = {}, isManual, needsRaw = false, id = 'search', boughtBefore } = wants;
		const context = {
			getContext: () => data,
			getMode: () => (isManual ? 'manual' : 'trigger'),
			getNode: () => ({ id: 'node' }),
			getWorkflow: () => ({ id: 'workflow' }),
		};
		const api = { endpoint, identity: credential };
		const run = { context, executionId, api, settings: { reusePaidResults: minutes } };
		const kept = new Store(run as unknown as Run, boughtBefore ?? new Set());
		return { kept, ...kept.leads(id, needsRaw) };
	};
}

const lead = (row: number, text = '') => ({ linkedin_url: `lead ${row}`, text });

/** Pays for rows, from the first one on. */
function pay({ list }: Taken, rows: number, text = ''): void {
	for (let row = 0; row < rows; row++) list.cells.set(row, lead(row, text));
	list.charged += rows;
}

/** How a run ends. */
type End = 'well' | 'stopped' | 'thrown' | 'runAgain';
function end({ kept, list }: Taken, how: End): boolean {
	if (how === 'thrown') return kept.keep();
	const isStopped = how === 'stopped';
	const fresh = isStopped ? [] : [...list.rowsBetween(0, 100_000)];
	const ended = { task: { job: { ledger: list } }, fresh, ...(isStopped && { failure: true }) };
	return kept.keep([ended as unknown as Ended], how === 'runAgain');
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
	['nobody with Reuse Paid Results 0', { end: 'stopped' }, { executionId: '2', minutes: 0 }, false],
	['nobody with another credential', { end: 'stopped' }, { credential: 'other' }, false],
	['nobody for another search', { end: 'stopped' }, { id: 'other' }, false],
	['nobody who needs raw', { end: 'stopped' }, { needsRaw: true }, false],
	['whoever needs no raw', { end: 'stopped', needsRaw: true }, {}, true],
	['nobody, where it is free', { end: 'stopped', endpoint: 'preview' }, {}, false],
	['nobody, of a large run that went well', { end: 'well', rows: 5_001 }, {}, false],
	['the next try of it', { end: 'runAgain', rows: 5_001 }, {}, true],
	['all of it by hand', { end: 'well', rows: 5_001, isManual: true }, {}, true],
])('what was paid for is reused by %s', (_, { rows = 3, end: how, ...first }, wants, isReused) => {
	jest.useFakeTimers();
	const open = startProcess();
	const one = open(first);
	pay(one, rows);
	end(one, how);
	const { after = 0, ...second } = wants;
	jest.advanceTimersByTime(after * 60_000);
	const other = open(second);
	expect(other.list.rows).toBe(isReused ? rows : 0);
	expect(other.hasRaw).toBe(isReused ? first.needsRaw === true : second.needsRaw === true);
	expect(other.list.charged).toBe(0);
});

test('once all of it has come out, nobody goes on any more from where a run stopped', () => {
	const open = startProcess();
	const one = open();
	pay(one, 3);
	end(one, 'stopped');
	const other = open({ executionId: '2' });
	pay(other, 5);
	end(other, 'well');
	expect(open({ executionId: '3' }).list.rows).toBe(0);
});

test('how long ago it was paid for is known, unless that was in the same execution', () => {
	jest.useFakeTimers();
	const open = startProcess();
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
});

describe('A run that throws', () => {
	test('leaves it in the data of the execution, for a Retry in another process, once', () => {
		const data: Data = { other: 1 };
		const one = startProcess()({ data });
		pay(one, 3);
		expect(end(one, 'thrown')).toBe(true);
		const saved = JSON.parse(JSON.stringify(data)) as Data;
		expect(startProcess()({ data: saved, executionId: '2' }).list.rowAt(2)).toEqual(lead(2));
		expect(saved).toEqual({ other: 1 });
	});

	test.each<[string, Wants, string]>([
		['with Reuse Paid Results 0', { minutes: 0 }, ''],
		['beyond 20 MB', {}, 'x'.repeat(7_000_000)],
	])('leaves nothing there %s', (_, wants, text) => {
		const data: Data = {};
		const one = startProcess()({ ...wants, data });
		pay(one, 3, text);
		expect(end(one, 'thrown')).toBe(true);
		expect(data).toEqual({});
	});
});

test('the least recently used go first from 64 MB on, and what is larger is not kept', () => {
	const open = startProcess();
	const text = 'x'.repeat(20_000_000);
	const isKept = (id: string) => open({ id }).list.rows > 0;
	for (const id of ['a', 'b', 'c']) {
		const one = open({ id });
		pay(one, 1, text);
		expect(end(one, 'stopped')).toBe(true);
	}
	expect(isKept('a')).toBe(true);
	const more = open({ id: 'd' });
	pay(more, 1, text);
	expect(end(more, 'stopped')).toBe(true);
	expect(['b', 'a', 'c', 'd'].filter(isKept)).toEqual(['a', 'c', 'd']);
	const large = open({ id: 'e' });
	pay(large, 4, text);
	expect(end(large, 'stopped')).toBe(false);
	expect(['a', 'e'].filter(isKept)).toEqual(['a']);
});

test('profiles that were bought are left out, but shown again by hand', () => {
	const open = startProcess();
	const boughtBefore = new Set(['url']);
	for (const isManual of [false, true]) {
		const { kept } = open({ isManual, boughtBefore });
		const profiles = kept.profiles('lookUp');
		expect(kept.leavesOut('other', profiles)).toBe(false);
		expect(kept.leavesOut('url', profiles)).toBe(true);
		profiles.cells.set('url', {});
		expect(kept.leavesOut('url', profiles)).toBe(!isManual);
	}
});
