/** The command line of `npm run bench`. */
import { readOptions } from '../../bench/options';

test('Without arguments everything runs five times, and the page stays as it is', () => {
	expect(readOptions([])).toEqual({
		only: ['growth', 'latency', 'limited', 'urls'],
		runs: 5,
		quick: false,
		save: false,
		help: false,
	});
});

test('A part can go into the page, but no try', () => {
	expect(readOptions(['--only=urls', '--save'])).toMatchObject({ save: true, only: ['urls'] });
	for (const other of ['--quick', '--runs=4'])
		expect(() => readOptions([other, '--save'])).toThrow('--save takes 5 rounds');
});

test.each([
	[['--only', 'x'], '--only takes growth,latency,limited,urls, not "x"'],
	[['--runs', '0'], '--runs takes a number from 1, not "0"'],
	[['--fast'], "Unknown option '--fast'"],
])('%j is refused', (args, message) => {
	expect(() => readOptions(args)).toThrow(message);
});
