/** What is paid for once: kept between runs of a node, and taken by those that may. */
import type { IDataObject } from 'n8n-workflow';

import type { ListRows } from '../../nodes/LeadSearch/api/listRows';
import { PaidResultsStore, type RunIdentity } from '../../nodes/LeadSearch/execution/paidResults';

const MINUTE = 60_000;
const none = new Set<unknown>();
const lead = (number: number, text = '') => ({ linkedin_url: `/in/lead-${number}`, text });

let scope = 0;
beforeEach(() => {
	scope += 1;
});
afterEach(() => {
	jest.restoreAllMocks();
});

interface Run extends Partial<RunIdentity> {
	/** The execution's data of the node. */
	data?: IDataObject;
	boughtBefore?: string[];
}

/** A run of a node of this test's own, in production. */
function run({ data = {}, boughtBefore = [], ...identity }: Run = {}, Store = PaidResultsStore) {
	const plain = { executionId: '1', scope, isManual: false, minutes: 60, costsCredits: true };
	const context = { getContext: (type: string) => (type === 'node' ? data : {}) };
	return new Store(context, { ...plain, ...identity }, new Set(boughtBefore));
}

/** Has leads come, behind those that are there. */
function buy(rows: ListRows, count: number): ListRows {
	const { size } = rows;
	rows.add(
		size,
		Array.from({ length: count }, (_, index) => lead(size + index)),
	);
	return rows;
}

/** A run that buys leads, and gets and emits the list whole. */
function buyWhole(count: number, identity?: Run) {
	const store = run(identity);
	const rows = buy(store.list('search'), count);
	return store.keep(none, new Set([rows]), false);
}

/** A run that stops after so many leads, with On Error set to continue. */
function stopAfter(count: number, identity?: Run) {
	const store = run(identity);
	const rows = buy(store.list('search'), count);
	return store.keep(new Set([rows]), none, false);
}

const found = (identity?: Run) => run(identity).list('search').size;

describe('A run finds what was paid for', () => {
	test('by its own execution, however long ago, and with Reuse Paid Results at 0', () => {
		buyWhole(3, { minutes: 0 });
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000 * MINUTE);
		expect(found({ minutes: 0 })).toBe(3);
	});

	test('by an execution that stopped part-way', () => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.now());
		stopAfter(3);
		expect(found({ executionId: '2' })).toBe(3);
		expect(found({ executionId: '2', minutes: 0 })).toBe(0);
	});

	test('by one that went well only when it is run by hand', () => {
		buyWhole(3);
		expect(found({ executionId: '2' })).toBe(0);
		expect(found({ executionId: '2', isManual: true })).toBe(3);
	});

	test('within Reuse Paid Results, to the millisecond', () => {
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
		stopAfter(3);
		clock.mockReturnValue(now + 10 * MINUTE);
		expect(found({ executionId: '2', minutes: 10 })).toBe(3);
		clock.mockReturnValue(now + 10 * MINUTE + 1);
		expect(found({ executionId: '2', minutes: 10 })).toBe(0);
	});

	test('for the same request with the same access alone', () => {
		stopAfter(3);
		expect(found({ executionId: '2', scope: 'another credential' })).toBe(0);
		expect(run({ executionId: '2' }).list('another filter').size).toBe(0);
		expect(run({ executionId: '2' }).profiles('search').size).toBe(0);
	});

	test('and its own alone once it has any, since that holds what it took from others', () => {
		stopAfter(3);
		stopAfter(2, { executionId: '2' });
		expect(found({ executionId: '2' })).toBe(5);
	});

	test('by others as long as it has bought nothing itself', () => {
		const store = run({ executionId: '2' });
		store.list('search');
		store.keep(none, none, false);
		stopAfter(3);
		expect(found({ executionId: '2' })).toBe(3);
	});

	test('of LinkedIn profiles, too', () => {
		const store = run();
		const profiles = store.profiles('work emails');
		profiles.add('/in/lead-1', lead(1));
		store.keep(new Set([profiles]), none, false);
		const later = run({ executionId: '2' });
		expect(later.profiles('work emails').stateOf('/in/lead-1')).toBe('found');
		expect(later.profiles('phones').size).toBe(0);
	});

	test('but nothing of what costs none', () => {
		const free = { costsCredits: false };
		expect(stopAfter(3, free)).toBe(true);
		const data = {};
		const store = run({ ...free, data });
		buy(store.list('search'), 3);
		expect(store.keepAll()).toBe(true);
		expect(data).toEqual({});
		expect(found()).toBe(0);
	});
});

describe('Nobody goes on from where a run stopped', () => {
	test('once another has got it whole', () => {
		stopAfter(3);
		buyWhole(2, { executionId: '2' });
		expect(found({ executionId: '3' })).toBe(0);
	});

	test('but as long as none has: a smaller Limit changes nothing', () => {
		stopAfter(3);
		const store = run();
		store.list('search');
		store.keep(none, none, false);
		expect(found({ executionId: '2' })).toBe(3);
	});
});

describe('After a run that went well', () => {
	test.each([
		['5,000 leads', 5_000, {}, false, 5_000],
		['no more than that', 5_001, {}, false, 0],
		['all when it is run by hand', 5_001, { isManual: true }, false, 5_001],
		['all where n8n runs the node again', 5_001, {}, true, 5_001],
	])('%s are kept for its execution', (_, count, identity, isRunAgain, kept) => {
		const store = run(identity);
		const rows = buy(store.list('search'), count);
		expect(store.keep(none, new Set([rows]), isRunAgain)).toBe(true);
		expect(found()).toBe(kept);
	});

	test('a list that stopped beside it is kept, however long', () => {
		expect(stopAfter(5_001)).toBe(true);
		expect(found({ executionId: '2' })).toBe(5_001);
	});
});

describe('A run that throws', () => {
	/** n8n on another machine, or started again: it has the execution's data alone. */
	function elsewhere(): typeof PaidResultsStore {
		let store = PaidResultsStore;
		jest.isolateModules(() => {
			({ PaidResultsStore: store } = jest.requireActual<{
				PaidResultsStore: typeof PaidResultsStore;
			}>('../../nodes/LeadSearch/execution/paidResults'));
		});
		return store;
	}

	test('leaves it to a Retry on this machine and on another one', () => {
		const data = {};
		const store = run({ data });
		buy(store.list('search'), 3);
		expect(store.keepAll()).toBe(true);
		expect(Object.keys(data)).toEqual(['paidResults']);
		expect(found({ executionId: '2' })).toBe(3);
		const retried = run({ executionId: '2', data }, elsewhere());
		expect(retried.list('search').size).toBe(3);
		// It would be saved a second time with the execution's data.
		expect(data).toEqual({});
	});

	test('leaves nothing in the execution’s data with Reuse Paid Results at 0, or without leads', () => {
		const data = {};
		const store = run({ minutes: 0, data });
		buy(store.list('search'), 3);
		store.keepAll();
		expect(data).toEqual({});
		const empty = run({ data });
		empty.list('another filter');
		expect(empty.keepAll()).toBe(true);
		expect(data).toEqual({});
	});

	test('leaves what is too long for the execution’s data in memory alone', () => {
		const data = {};
		const store = run({ data });
		store.list('long').add(0, [lead(0, 'x'.repeat(8_000_000))]);
		buy(store.list('search'), 3);
		expect(store.keepAll()).toBe(true);
		expect(run({ executionId: '2' }).list('long').size).toBe(1);
		const retried = run({ executionId: '2', data }, elsewhere());
		expect(retried.list('long').size).toBe(0);
		expect(retried.list('search').size).toBe(3);
	});

	test('leaves as much as fits in all', () => {
		const data = {};
		const store = run({ data });
		for (const id of ['one', 'two']) store.list(id).add(0, [lead(0, 'x'.repeat(5_000_000))]);
		store.keepAll();
		const retried = run({ executionId: '2', data }, elsewhere());
		expect(['one', 'two'].map((id) => retried.list(id).size)).toEqual([1, 0]);
	});
});

test('What takes more memory than there is in all can’t be kept, and that is told', () => {
	const store = run({ minutes: 0 });
	const rows = store.list('search');
	rows.add(0, [lead(0, 'x'.repeat(64_000_000))]);
	const short = buy(store.list('another filter'), 1);
	expect(store.keep(new Set([rows]), none, false)).toBe(false);
	expect(store.keep(new Set([short]), none, false)).toBe(true);
	expect(store.keepAll()).toBe(false);
});

test('The age of a purchase is told in whole minutes, where another execution made it', () => {
	const now = Date.now();
	jest.spyOn(Date, 'now').mockReturnValue(now);
	stopAfter(3);
	const own = run();
	own.list('search');
	own.list('another filter');
	expect(own.minutesSince(now)).toBeUndefined();
	const other = run({ executionId: '2' });
	other.list('search');
	expect(other.minutesSince(now - 2 * MINUTE + 1)).toBe(1);
	expect(other.minutesSince(now - 2 * MINUTE)).toBe(2);
});

test('Leave Out leaves out what was bought before, but by hand not what can be shown for free', () => {
	const [known, unknown] = ['/in/lead-1', '/in/lead-2'];
	const buyer = run();
	const bought = buyer.profiles('emails');
	bought.add(known, lead(1));
	buyer.keep(none, new Set([bought]), false);
	const leftOut = (identity: Run) => {
		const store = run({ boughtBefore: [known, unknown], ...identity });
		const profiles = store.profiles('emails');
		return [known, unknown, '/in/lead-3'].map((url) => store.leavesOut(url, profiles));
	};
	expect(leftOut({ executionId: '2' })).toEqual([true, true, false]);
	expect(leftOut({ executionId: '2', isManual: true })).toEqual([false, true, false]);
});
