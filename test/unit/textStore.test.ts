/** What is kept in n8n's memory, and how it is written. */
import { TextStore, writeJson } from '../../nodes/LeadSearch/execution/textStore';

test('what was used longest ago goes first, and what is larger than all room is not stored', () => {
	const store = new TextStore<string>(2_010);
	const put = (id: string, length: number) => store.put(id, id, Buffer.from('x'.repeat(length)));
	// Each takes 1,000 bytes beside its text.
	expect([put('a', 4), put('b', 4)]).toEqual([true, true]);
	expect(store.read('a')).toBe('xxxx');
	expect(put('c', 4)).toBe(true);
	expect(store.facts).toEqual(['a', 'c']);
	expect(store.read('b')).toBeUndefined();
	// It takes the place of what has its id.
	expect(put('c', 6)).toBe(true);
	expect(store.facts).toEqual(['a', 'c']);
	expect(put('a', 1_011)).toBe(false);
	expect(store.facts).toEqual(['c']);
	store.dropWhere((facts) => facts === 'c');
	expect(store.facts).toEqual([]);
});

test.each<[object]>([
	[{}],
	[{ none: undefined }],
	[{ a: undefined, b: 1, c: { d: [Infinity] } }],
	[
		{
			cells: [
				[0, { name: 'Ł"\n' }],
				[1, 'none'],
			],
			strays: [],
			doubts: [undefined, null],
		},
	],
])('JSON is written as JSON.stringify writes it: %j', (value) => {
	expect(writeJson(value, 1_000)?.toString()).toBe(JSON.stringify(value));
});

test('more than there is room for is not written, though Node could not even make such a text', () => {
	const row = { text: 'x'.repeat(1_000_000) };
	const rows = Array<object>(600).fill(row);
	expect(writeJson({ rows }, 64_000_000)).toBeUndefined();
	// UTF-8 takes more bytes than characters.
	expect(writeJson({ text: 'ŁŁŁ' }, 16)).toBeUndefined();
	expect(writeJson({ text: 'ŁŁŁ' }, 17)).toHaveLength(17);
});

test('what cannot be written at all is not written', () => {
	const ring: Record<string, unknown> = {};
	ring.ring = ring;
	expect(writeJson({ rows: [ring] }, 1_000)).toBeUndefined();
});
