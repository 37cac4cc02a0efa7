/** The command line of `npm run bench`. */
import { cellsOf } from '../../bench/cells';
import { readOptions } from '../../bench/options';

test('Without arguments everything runs five times, and the figures are kept', () => {
	expect(readOptions([])).toEqual({
		only: ['a', 'b', 'c', 'd', 'e'],
		runs: 5,
		scale: 1,
		memory: true,
		profile: false,
		save: true,
	});
});

test.each([['--quick'], ['--only=a'], ['--runs=3'], ['--no-memory'], ['--profile']])(
	'%s does not write over the figures that are kept',
	(argument) => {
		expect(readOptions([argument])).toMatchObject({ save: false });
	},
);

test('A part can be kept, but no try', () => {
	expect(readOptions(['--only=a', '--save'])).toMatchObject({ save: true });
	expect(() => readOptions(['--quick', '--save'])).toThrow('leave out --quick');
});

test('Parts run in their own order, however they are written', () => {
	expect(readOptions(['--only', 'c, a'])).toMatchObject({ only: ['a', 'c'] });
});

test.each([
	[['--only', 'x'], '--only takes a,b,c,d,e, not "x"'],
	[['--runs', '0'], '--runs takes a number from 1, not "0"'],
	[['--fast'], "Unknown option '--fast'"],
])('%j is refused', (args, message) => {
	expect(() => readOptions(args)).toThrow(message);
});

test('A try has the same kinds of work with fewer leads, in whole pages', () => {
	const full = cellsOf();
	const small = cellsOf(0.02);
	expect(small.map(({ id }) => id)).toEqual(full.map(({ id }) => id));
	for (const { work } of small) {
		expect(work.leads).toBeLessThanOrEqual(2_000);
		if (work.kind === 'search') expect(work.leads % work.pageSize).toBe(0);
	}
});
