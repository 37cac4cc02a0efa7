import fc from 'fast-check';

import { ResultCache } from '../../nodes/LeadSearch/execution/resultCache';

const results = (executionId: string, { isStopped = false, text = 'leads' } = {}) => ({
	executionId,
	isStopped,
	json: Buffer.from(text),
});
const ids = (found: Array<{ executionId: string }>) => found.map(({ executionId }) => executionId);
const anyone = (executionId: string) => ({ executionId, takesComplete: true });
const afterStops = (executionId: string) => ({ executionId, takesComplete: false });

describe('Whose results are taken', () => {
	test('an execution finds its own first, then those of others, the latest first', () => {
		const cache = new ResultCache();
		for (const id of ['1', '2', '3']) cache.keep('search', results(id));
		expect(ids(cache.find('search', anyone('2')))).toEqual(['2', '3', '1']);
		expect(cache.find('another search', anyone('2'))).toEqual([]);
	});

	test('of others, a run of its own accord takes only what stopped part-way', () => {
		const cache = new ResultCache();
		cache.keep('search', results('1', { isStopped: true }));
		cache.keep('search', results('2'));
		expect(ids(cache.find('search', afterStops('2')))).toEqual(['2', '1']);
		expect(ids(cache.find('search', afterStops('3')))).toEqual(['1']);
	});

	test('once a run has completed it, nobody goes on from where others stopped', () => {
		const cache = new ResultCache();
		cache.keep('search', results('1', { isStopped: true }));
		cache.keep('another search', results('1', { isStopped: true }));
		cache.complete('search');
		expect(cache.find('search', afterStops('2'))).toEqual([]);
		expect(ids(cache.find('another search', afterStops('2')))).toEqual(['1']);
		expect(ids(cache.find('search', anyone('2')))).toEqual(['1']);
	});

	test('what an execution keeps again takes the place of what it kept, as the latest', () => {
		const cache = new ResultCache();
		cache.keep('search', results('1', { text: 'one page' }));
		cache.keep('search', results('2'));
		cache.keep('search', results('1', { text: 'two pages' }));
		const found = cache.find('search', anyone('3'));
		expect(ids(found)).toEqual(['1', '2']);
		expect(found[0]?.json.toString()).toBe('two pages');
	});
});

describe('Room', () => {
	test('what was used longest ago makes room, and a look counts as use', () => {
		const cache = new ResultCache(10);
		cache.keep('a', results('1'));
		cache.keep('b', results('1'));
		cache.find('a', anyone('1'));
		cache.keep('c', results('1'));
		expect(['a', 'b', 'c'].map((key) => cache.holds(key, '1'))).toEqual([true, false, true]);
	});

	test('what is larger than all the room is not kept, nor what it would have replaced', () => {
		const cache = new ResultCache(10);
		cache.keep('a', results('1'));
		cache.keep('b', results('1'));
		cache.keep('a', results('1', { text: 'eleven byte' }));
		expect(cache.holds('a', '1')).toBe(false);
		expect(cache.holds('b', '1')).toBe(true);
		expect(cache.find('a', anyone('1'))).toEqual([]);
	});

	test('as much is kept as fits, the latest first, whatever is kept and looked for', () => {
		const key = fc.constantFrom('a', 'b', 'c');
		const step = fc.record({
			key,
			executionId: fc.constantFrom('1', '2'),
			bytes: fc.integer({ min: 0, max: 10 }),
			isLook: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
				const cache = new ResultCache(10);
				/** Key and execution, the one used longest ago first. */
				let used: Array<{ name: string; bytes: number }> = [];
				for (const { key: search, executionId, bytes, isLook } of steps) {
					const name = `${search}${executionId}`;
					if (isLook) {
						const found = ids(cache.find(search, anyone(executionId)));
						const looked = found.map((id) => `${search}${id}`);
						const moved = looked.flatMap((id) => used.filter((one) => one.name === id));
						used = [...used.filter((one) => !moved.includes(one)), ...moved];
					} else {
						cache.keep(search, results(executionId, { text: 'x'.repeat(bytes) }));
						used = [...used.filter((one) => one.name !== name), { name, bytes }];
						while (used.reduce((sum, one) => sum + one.bytes, 0) > 10) used.shift();
					}
					for (const one of ['a', 'b', 'c'].flatMap((letter) => [
						`${letter}1`,
						`${letter}2`,
					])) {
						const [letter = '', id = ''] = one;
						expect([one, cache.holds(letter, id)]).toEqual([
							one,
							used.some((other) => other.name === one),
						]);
					}
				}
			}),
		);
	});
});
