/** Tests the trigger's cursor: the copies that n8n saves, and which of them counts for the next poll. */
import { getGlobalState, setGlobalState } from 'n8n-workflow';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import {
	startCursor,
	hasTooManyNewSearches,
	isPaused,
	spendingOn,
	resolveTimeZone,
} from '../../nodes/LeadSearch/trigger/cursor';
import type { SearchCursor } from '../../nodes/LeadSearch/trigger/cursor';
import { keyOf, memories, openCursorStorage } from '../../nodes/LeadSearch/trigger/cursorStorage';

const NOW = Date.parse('2027-01-14T20:00:00Z');
const DAY = '2027-01-14';

const at = (row: number, fields: Partial<SearchCursor> = {}): SearchCursor => ({
	...startCursor('search', 0),
	revision: 4,
	row,
	...fields,
});
const other = (fields: Partial<SearchCursor> = {}) => at(5, { fingerprint: 'other', ...fields });

/** A node of the workflow. It has data of its own, and shares the data of the workflow. */
function nodeOf(global: IDataObject) {
	const node: IDataObject = {};
	const context = {
		getInstanceId: () => 'n8n',
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id: 'node', name: 'Leads' }),
		getWorkflowStaticData: (type: string) => (type === 'node' ? node : global),
	};
	const storage = openCursorStorage(context as unknown as IPollFunctions);
	const save = (after: SearchCursor, before?: SearchCursor) => {
		storage.save(after, { [DAY]: 20 }, before);
	};
	const rows = (polled = 'search') => {
		if (!storage.read(polled)) return undefined;
		return Object.fromEntries(storage.memory.searches.map((one) => [one.fingerprint, one.row]));
	};
	return { node, storage, save, rows };
}

beforeEach(() => {
	memories.clear();
});

test('a place is that of a workflow in an n8n', () => {
	expect(new Set([keyOf('one', 'one'), keyOf('one', 'two'), keyOf('two', 'one')]).size).toBe(3);
});

test('two triggers of a workflow share a search; neither sets back what the other has handed over', () => {
	const global = {};
	const [one, two] = [nodeOf(global), nodeOf(global)];
	one.save(at(20));
	one.rows();
	const [before = at(0)] = one.storage.memory.searches;
	one.save({ ...before, row: 40 }, before);
	expect(two.rows('other')).toEqual({ search: 20 });
	two.save(other());
	for (const { rows } of [one, two]) expect(rows()).toEqual({ search: 40, other: 5 });
});

test('what something else has written there is no place, beside a good one, too', () => {
	const { node, save, storage, rows } = nodeOf({});
	save(at(20));
	const saved = Object(node[storage.key]) as IDataObject;
	for (const written of ['row 7', [], { ...saved, searches: [at(21)] }, { ...saved, days: {} }]) {
		node[storage.key] = written;
		expect(rows()).toBeUndefined();
	}
});

test('ten searches are kept, those that ran last', () => {
	const global = {};
	const { save } = nodeOf(global);
	for (let name = 0; name < 12; name++)
		save(other({ fingerprint: `${name}`, revision: NOW + name * 10 }));
	memories.clear();
	const kept = Object.keys(nodeOf(global).rows() ?? {});
	expect([kept.length, kept.includes('1'), kept.includes('2')]).toEqual([10, false, true]);
});

test('what a clock that was wrong has left is not believed', () => {
	const hours = (count: number) => NOW + count * 3_600_000;
	const days = { '2027-01-15': 9, [DAY]: 20, '2030-01-01': 70 };
	const spentAt = (count: number) => spendingOn(days, hours(count), 'UTC').spent;
	// Another day may be one of another zone.
	expect([-48, -24, 0, 24, 48].map(spentAt)).toEqual([20, 20, 20, 9, 0]);
	const waits = (count: number) => isPaused(at(0, { pausedUntil: hours(count) }), NOW);
	expect([-1, 1, 23, 48].map(waits)).toEqual([false, true, true, false]);
	const begun = (...counts: number[]) =>
		counts.map((count) => at(1, { startedByScheduleAt: hours(count) }));
	expect(hasTooManyNewSearches(begun(-1, -2, -3, 50), NOW)).toBe(false);
});

test("where no time zone is set, days are those of n8n's own", () => {
	const state = getGlobalState();
	setGlobalState({ ...state, defaultTimezone: 'Asia/Tokyo' });
	expect(resolveTimeZone('DEFAULT')).toBe('Asia/Tokyo');
	setGlobalState(state);
});
