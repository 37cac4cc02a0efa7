/** Promise 4, "one owner": which of several lists a run goes on from. */
import { choose, reusable } from '../../nodes/LeadSearch/execution/reuse';
import type { Kept, Wanted } from '../../nodes/LeadSearch/execution/reuse';

const NOW = 1_000_000;

const kept = (name: string, fields: Partial<Kept> = {}): Kept & { name: string } => ({
	...{ name, key: 'search', executionId: 'other', hasRaw: false, isStopped: true },
	...{ paidFrom: NOW, paidAt: NOW, ranges: [[0, 50]] },
	...fields,
});

const wanted = (fields: Partial<Wanted> = {}): Wanted => ({
	...{ key: 'search', executionId: 'this', hasRaw: false },
	...{ reusesAll: false, since: NOW - 60, ranges: [[0, 60]] },
	...fields,
});

const own = { executionId: 'this' };
const brought = { broughtBy: 'this' };
const more: Partial<Kept> = { ranges: [[0, 60]] };

test.each<[string, string | undefined, Kept[], Partial<Wanted>]>([
	['nothing', undefined, [], {}],
	['its own execution', 'b', [kept('a', more), kept('b', { ...own, ranges: [] })], {}],
	['its own, whatever it is', 'a', [kept('a', { ...own, isStopped: false, paidAt: 1 })], {}],
	['what a Retry brings along', 'b', [kept('a'), kept('b', { ...brought, ...more })], {}],
	['what holds more than a Retry brings', 'a', [kept('a', more), kept('b', brought)], {}],
	['its own before that', 'a', [kept('a', own), kept('b', { ...brought, ...more })], {}],
	[
		'what another Retry brought along like any',
		'a',
		[kept('a'), kept('b', { broughtBy: 'x', ranges: [] })],
		{},
	],
	['the one that holds most', 'a', [kept('a', more), kept('b')], {}],
	[
		'the one that holds most of what is wanted',
		'b',
		[kept('a', more), kept('b', { ranges: [[100, 130]] })],
		{ ranges: [[100, 200]] },
	],
	['the newest of equals', 'a', [kept('a', { paidAt: NOW + 1 }), kept('b')], {}],
	['the one used last of equals', 'b', [kept('a'), kept('b')], {}],
	['what a Retry brings along, however old', 'a', [kept('a', { ...brought, paidAt: 1 })], {}],
	[
		'nothing that a Retry brings where nothing is reused',
		undefined,
		[kept('a', brought)],
		{ since: Infinity },
	],
	['no other search', undefined, [kept('a', { key: 'x' }), kept('b', { ...own, key: 'x' })], {}],
	['nothing too old', undefined, [kept('a', { paidAt: NOW - 60 })], {}],
	['nothing of others where nothing is reused', undefined, [kept('a')], { since: Infinity }],
	['nothing that went well', undefined, [kept('a', { isStopped: false })], {}],
	['by hand, what went well', 'a', [kept('a', { isStopped: false })], { reusesAll: true }],
	['nothing without raw for raw', undefined, [kept('a'), kept('b', own)], { hasRaw: true }],
	['what has raw, with and without', 'a', [kept('a', { hasRaw: true })], {}],
])('a run goes on from %s', (_, name, all, fields) => {
	expect(choose(all, wanted(fields))).toBe(all.find((one) => 'name' in one && one.name === name));
});

test('all that may be reused is told, for what can be put together', () => {
	const all = [kept('a'), kept('b', own), kept('c', { isStopped: false })];
	expect(reusable(all, wanted())).toEqual(all.slice(0, 2));
});
