/** Tests the trigger's cursor: the copies that n8n saves, and which of them counts for the next poll. */
import { getGlobalState, ObservableObject, setGlobalState } from 'n8n-workflow';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import {
	startCursor,
	hasTooManyNewSearches,
	isPaused,
	spendingOn,
} from '../../nodes/LeadSearch/trigger/cursor';
import { resolveTimeZone } from '../../nodes/LeadSearch/parameters/timeZone';
import type { SearchCursor } from '../../nodes/LeadSearch/trigger/cursor';
import { keyOf, memories, openCursorStorage } from '../../nodes/LeadSearch/trigger/cursorStorage';

const NOW = Date.parse('2027-01-14T20:00:00Z');
const DAY = '2027-01-14';

const cursorAt = (row: number, fields: Partial<SearchCursor> = {}): SearchCursor => ({
	...startCursor('search', 0),
	revision: 4,
	row,
	...fields,
});
const otherCursor = (fields: Partial<SearchCursor> = {}) =>
	cursorAt(5, { fingerprint: 'other', ...fields });

/**
 * A node of the workflow. It has data of its own, and shares the data of the workflow. n8n watches the static data that
 * it saves with the workflow. With durable cursors, it saves the node's on its own.
 */
function nodeOf(global: IDataObject, node: IDataObject = ObservableObject.create({})) {
	const context = {
		getInstanceId: () => 'n8n',
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id: 'node', name: 'Leads' }),
		getWorkflowStaticData: (type: string) => (type === 'node' ? node : global),
	};
	const storage = openCursorStorage(context as unknown as IPollFunctions);
	const save = (after: SearchCursor, before?: SearchCursor) => {
		storage.save(after, { [DAY]: 20 }, before && { cursor: before, since: 0 });
	};
	const rowsBySearch = (polled = 'search') => {
		if (!storage.load(polled)) return undefined;
		return Object.fromEntries(storage.memory.searches.map((one) => [one.fingerprint, one.row]));
	};
	return { node, storage, save, rowsBySearch };
}

beforeEach(() => {
	memories.clear();
});

test('the key of a cursor depends on the n8n instance and on the workflow', () => {
	expect(new Set([keyOf('one', 'one'), keyOf('one', 'two'), keyOf('two', 'one')]).size).toBe(3);
});

test('two triggers of a workflow share the cursor of a search, and neither overwrites a later cursor of the other', () => {
	const global = {};
	const [one, two] = [nodeOf(global), nodeOf(global)];
	one.save(cursorAt(20));
	one.rowsBySearch();
	const [before = cursorAt(0)] = one.storage.memory.searches;
	one.save({ ...before, row: 40 }, before);
	expect(two.rowsBySearch('other')).toEqual({ search: 20 });
	two.save(otherCursor());
	for (const { rowsBySearch } of [one, two])
		expect(rowsBySearch()).toEqual({ search: 40, other: 5 });
});

test('with durable cursors, the copy of the workflow is never ahead of the leads that n8n saves with the copy of the node', () => {
	const global: IDataObject = {};
	const committed: IDataObject = {};
	const { storage, save, rowsBySearch } = nodeOf(global, committed);
	save(cursorAt(20));
	const beforePoll = JSON.parse(JSON.stringify(committed)) as IDataObject;
	rowsBySearch();
	const [before = cursorAt(0)] = storage.memory.searches;
	save({ ...before, row: 40, delivered: ['a'], spentInTotal: 20 }, before);
	// n8n stops after it has saved the workflow, and before it saves the leads.
	memories.clear();
	const restarted = nodeOf(global, beforePoll);
	expect(restarted.rowsBySearch()).toEqual({ search: 20 });
	expect(restarted.storage.memory.searches).toMatchObject([{ delivered: [], spentInTotal: 20 }]);
	memories.clear();
	expect(nodeOf(global, committed).rowsBySearch()).toEqual({ search: 40 });
	// The next poll without leads brings the copy of the workflow up to date, for a trigger with another ID.
	const later = nodeOf(global, committed);
	later.rowsBySearch();
	const [newest = cursorAt(0)] = later.storage.memory.searches;
	later.save(newest);
	memories.clear();
	expect(nodeOf(global, {}).rowsBySearch()).toEqual({ search: 40 });
});

test('the largest spending of all copies counts', () => {
	const at = (revision: number, spentInTotal: number) => cursorAt(20, { revision, spentInTotal });
	const older = nodeOf({});
	older.storage.save(at(NOW, 50), { [DAY]: 50, '2027-01': 90 });
	memories.clear();
	const global = {};
	nodeOf(global).storage.save(at(NOW + 10, 30), { [DAY]: 70, '2027-01': 70 });
	memories.clear();
	const { rowsBySearch, storage } = nodeOf(global, older.node);
	rowsBySearch();
	expect(storage.memory.searches).toMatchObject([{ revision: NOW + 12, spentInTotal: 50 }]);
	expect(storage.memory.spent).toEqual({ [DAY]: 70, '2027-01': 90 });
});

test('the cursors of the ten searches that ran last are saved, three with 1,000 leads and the others with 100', () => {
	const global: IDataObject = {};
	const { save } = nodeOf(global);
	const delivered = Array.from({ length: 1_200 }, (_, index) => `${index}`);
	for (let name = 0; name < 12; name++)
		save(otherCursor({ fingerprint: `${name}`, revision: NOW + name * 10, delivered }));
	memories.clear();
	const restarted = nodeOf(global);
	restarted.rowsBySearch();
	const { searches } = restarted.storage.memory;
	const names = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
	expect(searches.map(({ fingerprint }) => Number(fingerprint))).toEqual(names);
	const counts = searches.map((search) => search.delivered.length);
	expect(counts).toEqual([1_000, 1_000, 1_000, ...Array<number>(7).fill(100)]);
});

test('saved days and times that are far in the future are ignored, because the clock was wrong', () => {
	const hours = (count: number) => NOW + count * 3_600_000;
	const days = { '2027-01-15': 9, [DAY]: 20, '2030-01-01': 70 };
	const spentAt = (count: number) => spendingOn(days, hours(count), 'UTC').spent;
	// A later day counts too, because it may be the current day in another time zone.
	expect([-48, -24, 0, 24, 48].map(spentAt)).toEqual([20, 20, 20, 9, 0]);
	const months = { ...days, '2027-01': 40, '2027-02': 3, '2030-01': 70 };
	const spentInMonth = (count: number) => spendingOn(months, hours(count), 'UTC').spentThisMonth;
	expect([0, 16 * 24, 25 * 24, 60 * 24].map(spentInMonth)).toEqual([40, 40, 3, 0]);
	const isPausedFor = (count: number) => isPaused(cursorAt(0, { pausedUntil: hours(count) }), NOW);
	expect([-1, 1, 23, 48].map(isPausedFor)).toEqual([false, true, true, false]);
	const startedCursors = (...counts: number[]) =>
		counts.map((count) => cursorAt(1, { startedByScheduleAt: hours(count) }));
	expect(hasTooManyNewSearches(startedCursors(-1, -2, -3, 50), NOW)).toBe(false);
});

test("the time zone DEFAULT of a workflow is n8n's own time zone", () => {
	const state = getGlobalState();
	setGlobalState({ ...state, defaultTimezone: 'Asia/Tokyo' });
	expect(resolveTimeZone('DEFAULT')).toBe('Asia/Tokyo');
	setGlobalState(state);
});
