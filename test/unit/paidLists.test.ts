/** Promise 4: what an account has paid for is reused as long as it is young enough, and by nobody else. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import type { Run } from '../../nodes/LeadSearch/execution/runResult';
import type { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { ProfileList } from '../../nodes/LeadSearch/paging/profileList';

interface Wants {
	executionId?: string;
	credential?: string;
	minutes?: number;
	data?: Record<string, unknown>;
	hasRaw?: boolean;
	id?: unknown;
	/** When the execution began. */
	began?: number;
}

/** Each test is about an account of its own, since what was paid for outlasts it. */
let account = 0;
beforeEach(() => {
	account += 1;
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** The module as it is in a process of its own. */
function startProcess() {
	type Module = typeof import('../../nodes/LeadSearch/execution/paidLists');
	let found: Module | undefined;
	jest.isolateModules(() => {
		found = jest.requireActual<Module>('../../nodes/LeadSearch/execution/paidLists');
	});
	return ({
		executionId = '1',
		credential = 'key',
		minutes = 60,
		data = {},
		began,
	}: Wants = {}) => {
		const at = began ?? Date.now();
		const beginning = { id: executionId, at, reusesFrom: at };
		const belonging = { executionId, beginning, keptByN8n: data, hasRetry: true };
		const api = { baseUrl: 'url', endpoint: 'search', account: [account, credential] };
		const run = { belonging, api, settings: { reusePaidResults: minutes } } as unknown as Run;
		if (!found) throw new Error('There is no module');
		return new found.PaidLists(run);
	};
}

const everywhere = [[0, 100_000]] as const;
const open = startProcess();
const openElsewhere = startProcess();

function search(wants: Wants = {}, from = open) {
	const paid = from(wants);
	const list = paid.leads(wants.id ?? 'search', wants.hasRaw ?? false, everywhere);
	paid.recall();
	return { paid, list };
}

function pay({ list }: { list: LeadList }, rows: number): void {
	list.isAnswered = true;
	for (let row = list.rows; row < rows; row++) {
		list.put(row, { linkedin_url: `lead ${row}` });
		list.cost.charged += 1;
	}
}

function lookUp(urls: readonly string[], wants: Wants = {}) {
	const paid = open(wants);
	const list = paid.profiles('emails', new Set(urls));
	paid.recall();
	return { paid, list };
}

function payProfiles(list: ProfileList, urls: readonly string[], row: Json = {}): void {
	for (const url of urls) {
		const order = { purpose: 'rows', page: 1, size: 1, first: url, urls: new Set([url]) } as const;
		list.reserve(order);
		list.settle(order, { rows: [{ ...row }] });
	}
}

test.each<[string, Wants, Wants & { after?: number }, boolean]>([
	['the same execution, always', { minutes: 0 }, { minutes: 0 }, true],
	['another one', {}, { executionId: '2' }, true],
	['nobody after Reuse Paid Results', {}, { executionId: '2', after: 61 }, false],
	['nobody with it at 0', {}, { executionId: '2', minutes: 0, after: 1 }, false],
	['one that had begun by then', {}, { executionId: '2', after: 300, began: 0 }, true],
	[
		'nobody else with it at 0, though it had begun',
		{},
		{ executionId: '2', minutes: 0, began: 0 },
		false,
	],
	['nobody else where it was 0', { minutes: 0 }, { executionId: '2' }, false],
	['nobody with another credential', {}, { credential: 'other' }, false],
	['nobody for another search', {}, { id: 'other' }, false],
	['whoever needs no raw', { hasRaw: true }, {}, true],
])('what was paid for is reused by %s', (_, first, { after = 0, ...second }, isReused) => {
	const one = search(first);
	pay(one, 3);
	one.paid.keep(false);
	jest.advanceTimersByTime(after * 60_000);
	const { list, paid } = search(second);
	expect([list.rows, list.cost.charged]).toEqual([isReused ? 3 : 0, 0]);
	expect(paid.reusedFrom).toBe(isReused ? Date.now() - after * 60_000 : undefined);
});

test('a search is as old as its last purchase, and is used whole or not at all', () => {
	const one = search();
	pay(one, 3);
	one.paid.keep(false);
	jest.advanceTimersByTime(40 * 60_000);
	const other = search({ executionId: '2' });
	pay(other, 5);
	other.paid.keep(false);
	jest.advanceTimersByTime(30 * 60_000);
	const { list, paid } = search({ executionId: '3' });
	expect([...list.cells.keys()]).toEqual([0, 1, 2, 3, 4]);
	expect(paid.reusedFrom).toBe(Date.now() - 70 * 60_000);
	jest.advanceTimersByTime(40 * 60_000);
	expect(search({ executionId: '4' }).list.rows).toBe(0);
});

test('a search is kept for a day at most, however often something is added', () => {
	for (let hour = 0; hour < 25; hour++) {
		const one = search({ executionId: `${hour}` });
		pay(one, hour + 1);
		expect(one.list.cost.charged).toBe(1);
		one.paid.keep(false);
		jest.advanceTimersByTime(3_599_000);
	}
	expect(search({ executionId: '25' }).list.rows).toBe(0);
});

test('a run that throws leaves what it has reused and bought for its Retry, however late, on another n8n', () => {
	const data = {};
	const one = search();
	pay(one, 2);
	one.paid.keep(false);
	const stopped = search({ executionId: '2', data });
	pay(stopped, 3);
	stopped.paid.keep(true);
	jest.advanceTimersByTime(3 * 86_400_000);
	const retry = search({ executionId: '3', data }, openElsewhere);
	expect(retry.list.rows).toBe(3);
	expect(data).toEqual({});
	// Nobody else goes on from what is so old.
	expect(search({ executionId: '4' }, openElsewhere).list.rows).toBe(0);
});

test('a row without an owner is for those beside whom it came, until it is found', () => {
	const url = (name: string) => `https://www.linkedin.com/in/${name}`;
	const [a, b, c] = ['a', 'b', 'c'].map(url) as [string, string, string];
	const stray = { linkedin_url: url('x') };
	const order = { purpose: 'rows', page: 1, size: 2, first: a, urls: new Set([a, b]) } as const;
	const one = lookUp([a, b]);
	one.list.reserve(order);
	one.list.settle(order, { rows: [stray] });
	one.paid.keep(true);
	expect(lookUp([c], { executionId: '2' }).list.strays).toEqual([]);
	const other = lookUp([b], { executionId: '3' });
	const third = lookUp([a], { executionId: '4' });
	expect([...other.list.queues.alone]).toEqual([b, a]);
	payProfiles(third.list, [a], stray);
	third.paid.keep(false);
	// It knows nothing of that, and takes nothing away.
	other.list.reserve({ ...order, first: b, urls: new Set([b]), size: 1 });
	other.paid.keep(false);
	const { list } = lookUp([a, b], { executionId: '5' });
	expect([list.rowsAt(a), list.strays]).toEqual([[stray], []]);
});
