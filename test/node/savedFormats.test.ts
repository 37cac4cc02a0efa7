/**
 * Tests what the nodes do with saved data of another version of the package, or of other code. `test/saved` has what
 * earlier versions saved.
 */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { takeRetryData } from '../../nodes/LeadSearch/cache/retryData';
import { digest } from '../../nodes/LeadSearch/parameters/canonical';
import { readCursors, seal, startCursor } from '../../nodes/LeadSearch/trigger/cursor';
import format0 from '../saved/format-0.json';
import format1 from '../saved/format-1.json';
import { setSharedData } from './n8nCore';
import { createTrigger } from './pollCore';
import { first, iceland, useService } from './useService';

const shared = useService();

/** Returns copies of saved data. In each, one value is missing, null, of another type or no usable number. */
function damage<T>(saved: T): Array<[path: string, damaged: T]> {
	const damaged: Array<[string, T]> = [];
	const visit = (value: unknown, path: string[]) => {
		const change = (how: string, by: (parent: Record<string, unknown>, key: string) => void) => {
			const copy = structuredClone(saved);
			const [key = '', ...above] = [...path].reverse();
			const parent = above.reduceRight<unknown>(
				(inner, name) => (inner as Record<string, unknown>)[name],
				copy,
			);
			by(parent as Record<string, unknown>, key);
			damaged.push([`${path.join('.')} ${how}`, copy]);
		};
		if (path.length > 0) {
			change('missing', (parent, key) => Reflect.deleteProperty(parent, key));
			const others = typeof value === 'number' ? [null, NaN, 'text', -1] : [null, 7];
			for (const other of others)
				change(String(other), (parent, key) => {
					parent[key] = other;
				});
		}
		if (typeof value === 'object' && value !== null)
			for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
	};
	visit(saved, []);
	return damaged;
}

describe('The spending of an execution', () => {
	const KEY = 'leadSearchSpending';
	const UNVERSIONED = 'leadSearchSpent';
	const UNREADABLE = "what it spent can't be read";
	const cost = { charged: 3, wasted: 0, possiblyCharged: 0, lostResponses: 0, requests: 1 };
	const valid = (executionId: string) => ({
		version: 2,
		id: `execution ${executionId}`,
		startedAt: Date.now(),
		entries: { 'node credential': { credential: 'credential', cost, at: Date.now() } },
	});

	/** Runs Search twice with Max Credits 5, in an execution with such shared data. */
	async function searchTwice(flow: (executionId: string) => IDataObject) {
		const { search, spent } = shared.node();
		const executionId = randomUUID();
		const credentialId = randomUUID();
		const saved = flow(executionId);
		// The key of an entry is the ID of the node and that of the credential.
		for (const { entries } of Object.values(saved) as Array<{ entries?: IDataObject }>)
			if (entries?.['node credential'] !== undefined) {
				entries[`node ${credentialId}`] = entries['node credential'];
				delete entries['node credential'];
			}
		setSharedData(executionId, saved);
		const run = { executionId, nodeId: 'node', credentialId };
		const parameters = { limit: 50, maxCredits: 5 };
		const one = await search(parameters, run);
		const other = await search({ ...parameters, options: { skip: 100 } }, run);
		const isHinted = ({ warnings }: typeof one) =>
			warnings.some((line) => line.includes(UNREADABLE));
		return {
			leads: one.urls.length,
			spent: spent(),
			hints: [isHinted(one), isHinted(other)],
			other,
		};
	}

	test('the spending of an earlier run of the same version counts toward Max Credits', async () => {
		const run = await searchTwice((id) => ({ [KEY]: valid(id) }));
		expect(run).toMatchObject({ leads: 2, spent: 2, hints: [false, false] });
		expect(run.other.message).toContain('Max Credits');
	});

	test.each(damage(valid('any')))(
		'a record with %s counts from 0, a hint says so once, and Max Credits limits the rest of the execution',
		async (_, damaged) => {
			const run = await searchTwice((executionId) => {
				const id = damaged.id === 'execution any' ? `execution ${executionId}` : damaged.id;
				return { [KEY]: { ...damaged, ...('id' in damaged && { id }) } };
			});
			// This record has no entry any more.
			const isReadable = JSON.stringify(damaged.entries) === '{}';
			expect(run).toMatchObject({ leads: 5, spent: 5, hints: [!isReadable, false] });
			expect(run.other.message).toContain('Max Credits');
		},
	);

	test.each([
		['the second version', UNVERSIONED, format1.sharedData.leadSearchSpent],
		['a later version', KEY, { version: 99, id: '' }],
	])(
		'a record of %s counts from 0, and a hint says so, also beside one of this version',
		async (_, key, record) => {
			const own = (id: string) => ({ ...record, id: `execution ${id}` });
			const run = await searchTwice((id) => ({ [key]: own(id) }));
			expect(run).toMatchObject({ leads: 5, spent: 5, hints: [true, false] });
			const both = await searchTwice((id) => ({ [KEY]: valid(id), [key]: own(id) }));
			expect(both.hints).toEqual([true, false]);
			expect(both.spent).toBeLessThanOrEqual(5);
		},
	);

	test('a Retry after an update counts from 0 as every Retry, without a hint', async () => {
		const run = await searchTwice(() => ({ [UNVERSIONED]: format1.sharedData.leadSearchSpent }));
		expect(run).toMatchObject({ leads: 5, spent: 5, hints: [false, false] });
	});
});

describe('The results that a failed execution has saved', () => {
	const KEY = 'leadSearchPaidResults';
	const bought = { at: 5 };
	const row = { rows: [{ full_name: 'Anna' }], bought, renewed: { by: bought, age: 3 }, bytes: 40 };
	const valid = { version: 2, rows: [['list', 0, row]] };
	const take = (saved: unknown) => takeRetryData({ [KEY]: JSON.stringify(saved) });

	test('results of this version are read, and removed from the data', () => {
		const data = { [KEY]: JSON.stringify(valid) };
		expect([takeRetryData(data), data]).toEqual([[{ listKey: 'list', key: 0, ...row }], {}]);
	});

	test('no results are read with a value that is missing, null, of another type or no usable number', () => {
		const read = damage(valid).filter(([, damaged]) => take(damaged) !== undefined);
		// A lead may have any value in a field, and a row doesn't have to be renewed. The key of a profile is a string.
		expect(read.map(([path]) => path)).toEqual([
			'rows.0.1 text',
			'rows.0.1 -1',
			'rows.0.2.rows.0.full_name missing',
			'rows.0.2.rows.0.full_name null',
			'rows.0.2.rows.0.full_name 7',
			'rows.0.2.renewed missing',
		]);
	});

	test('results of earlier and later versions are not read', () => {
		for (const other of [{ ...valid, version: 99 }, { format: 1, rows: valid.rows }, [], null])
			expect(take(other)).toBeUndefined();
		expect(takeRetryData(structuredClone(format1.nodeData))).toBeUndefined();
	});
});

describe('The cursor', () => {
	const cursor = { ...startCursor('search', 5), revision: 5, row: 40, pageSize: 50 };
	const valid = seal({ searches: [{ ...cursor, delivered: ['a'] }], spent: { '2026-11-28': 20 } });
	const reseal = ({ version, searches, spent }: typeof valid) => ({
		version,
		searches,
		spent,
		seal: digest([version, { searches, spent }]),
	});

	test('a cursor of this version is read', () => {
		const { searches, spent } = valid;
		expect(readCursors(JSON.parse(JSON.stringify(valid)))).toEqual({ searches, spent });
		expect(readCursors(undefined)).toEqual({ searches: [], spent: {} });
	});

	test('no cursor is read with a value that is missing, null, of another type or no usable number', () => {
		const read = damage(valid)
			.map(
				([path, damaged]) => [path, path.startsWith('seal') ? damaged : reseal(damaged)] as const,
			)
			.filter(([, damaged]) => readCursors(damaged) !== undefined);
		// These values may be missing. The list of delivered leads may be shorter, too.
		expect(read.map(([path]) => path)).toEqual([
			'searches.0 missing',
			'searches.0.delivered.0 missing',
			'searches.0.pageSize missing',
			'spent.2026-11-28 missing',
		]);
	});

	test('a later version, and changes of other code, are not read', () => {
		for (const other of [{ ...valid, version: 99 }, { ...valid, spent: {} }, [], 'text', null, 7])
			expect(readCursors(other)).toBeUndefined();
		expect(readCursors(reseal({ ...valid, version: 99 }))).toBeUndefined();
	});

	test('the cursor of the version before continues at its row, and that of the first version is not read', () => {
		expect(readCursors(format0.cursors)).toBeUndefined();
		expect(readCursors(format1.cursors)).toMatchObject({
			searches: [{ row: 20, pageSize: 25, spentInTotal: 20, delivered: [] }],
			spent: { '2026-11-30': 20 },
		});
	});

	test('a trigger that was updated delivers the next leads', async () => {
		const { poll, workflow, spent } = await createTrigger(shared, { filters: iceland });
		await poll();
		const { nodeCopy } = workflow.copies() as { nodeCopy: typeof valid };
		const [{ fingerprint } = { fingerprint: '' }] = nodeCopy.searches;
		const searches = format1.cursors.searches.map((search) => ({ ...search, fingerprint }));
		const { days } = format1.cursors;
		const copy = { version: 1, searches, days, seal: digest([1, { searches, days }]) };
		workflow.setCopies({ nodeCopy: copy, workflowCopy: copy });
		workflow.clearMemory();
		expect(await poll()).toEqual(first(40).slice(20));
		expect(spent()).toBe(40);
	});
});
