/** Where a trigger is: what n8n keeps of it, whichever node polls, and what follows from that. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import {
	beginsTooMany,
	newestOf,
	openPlace,
	spentOn,
	unmoved,
	type SearchPlace,
} from '../../nodes/LeadSearch/trigger/place';
import { memories, storageOf } from '../../nodes/LeadSearch/trigger/storage';

const DAY = '2027-01-15';
const NOW = Date.parse('2027-01-14T20:00:00Z');

const at = (row: number, fields: Partial<SearchPlace> = {}): SearchPlace => ({
	...{ fingerprint: 'search', revision: 4, begun: 1, row, served: 25, mayEnd: true, waitMs: 0 },
	...{ spentInTotal: 60, day: DAY, spentToday: 20, delivered: ['one'], ...fields },
});
const other = (fields: Partial<SearchPlace> = {}) => at(5, { fingerprint: 'other', ...fields });
const saved = (...searches: SearchPlace[]) => ({ version: 1, searches });

const newData = () => ({ key: '', global: {} as IDataObject });

/** A node of the workflow, whose own data are its own, and those of the workflow of all. */
function nodeOf(global: IDataObject, node: IDataObject = {}) {
	const context = {
		getInstanceId: () => 'n8n',
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: (type: string) => (type === 'node' ? node : global),
	};
	const storage = storageOf(context as unknown as IPollFunctions);
	return { node, storage };
}
const rowsOf = (places: SearchPlace[] | undefined) =>
	Object.fromEntries((places ?? []).map(({ fingerprint, row }) => [fingerprint, row]));

beforeEach(() => {
	memories.clear();
});

test('two triggers of a workflow share a search, and what is spent; each goes on with its own other one', () => {
	const { global } = newData();
	const [one, two] = [nodeOf(global), nodeOf(global)];
	one.storage.save(at(20), undefined, 0);
	two.storage.save(other(), undefined, 0);
	one.storage.save(at(40, { revision: Date.now() + 1_000 }), undefined, 0);
	const found = two.storage.find('search') ?? [];
	expect(rowsOf(found)).toEqual({ search: 40, other: 5 });
	expect(spentOn(DAY, found)).toEqual({ day: DAY, spent: 40 });
	// The node is gone, and n8n has started anew.
	memories.clear();
	expect(rowsOf(nodeOf(global).storage.find('search'))).toEqual({ search: 40, other: 5 });
});

test('has moved once n8n has saved it; what was spent is spent', () => {
	const { global } = newData();
	const { storage, node } = nodeOf(global);
	storage.save(at(20), undefined, 0);
	const copies = { node: structuredClone(node), global: structuredClone(global) };
	const [before = at(0)] = storage.find('search') ?? [];
	const after = { ...before, row: 40, spentToday: 40 };
	storage.save(after, unmoved(after, before), 7);
	const thrownAway = nodeOf(copies.global, copies.node).storage;
	expect(thrownAway.find('search')).toMatchObject([{ row: 20, spentToday: 40 }]);
	expect(thrownAway.memoryOf('search').unsaved).toMatchObject({ since: 7 });
	// With durable cursors, n8n may save the workflow's copy although it hands the leads to nobody.
	const onlyOfWorkflow = nodeOf(global, copies.node).storage;
	expect(onlyOfWorkflow.find('search')).toMatchObject([{ row: 20 }]);
	expect(storage.find('search')).toMatchObject([{ row: 40 }]);
	expect(storage.memoryOf('search').unsaved).toBeUndefined();
});

test.each<[string, unknown]>([
	['a later version', { ...saved(at(1)), version: 3 }],
	['one without a revision', saved(at(1, { revision: undefined as never }))],
	['a row below 0', saved(at(-3))],
	['half a credit', saved(at(1, { spentToday: 0.5 }))],
	['leads that are no texts', saved(at(1, { delivered: [1] as never }))],
	['a text', 'row 7'],
	['a list', []],
])('%s is no place, beside a good one, too', (_, copy) => {
	const { storage, node } = nodeOf({});
	storage.save(at(20), undefined, 0);
	node[storage.key] = copy as IDataObject;
	expect(storage.find()).toBeUndefined();
});

test('ten searches are kept, those that ran last', () => {
	const { global } = newData();
	const { storage } = nodeOf(global);
	for (let name = 0; name < 12; name++)
		storage.save(other({ fingerprint: `${name}`, revision: NOW + name * 10 }), undefined, 0);
	memories.clear();
	expect(Object.keys(rowsOf(nodeOf(global).storage.find()))).toHaveLength(10);
});

test('Skip moves a place on, never back; a day never goes back; the newest copy counts, the first of two as new', () => {
	expect(
		[3, 90].map((skip) => openPlace([at(60)], { fingerprint: 'search', skip }, NOW).row),
	).toEqual([60, 90]);
	expect(openPlace([at(60)], { fingerprint: 'new', skip: 7 }, NOW)).toMatchObject({
		row: 7,
		begun: NOW,
	});
	expect(spentOn('2027-01-14', [at(1), other()])).toEqual({ day: DAY, spent: 40 });
	expect(spentOn('2027-01-16', [at(1), other()])).toEqual({ day: '2027-01-16', spent: 0 });
	expect(rowsOf(newestOf([at(1), other(), at(2), at(3, { revision: 3 })]))).toEqual({
		search: 1,
		other: 5,
	});
});

test('more than three searches of a workflow within a day are too many', () => {
	const begun = (hours: number) => at(1, { begun: NOW - hours * 3_600_000 });
	expect(beginsTooMany([1, 2, 3, 25].map(begun), NOW)).toBe(false);
	expect(beginsTooMany([1, 2, 3, 23].map(begun), NOW)).toBe(true);
});
