/** What the bench says of the page that it wrote before. */
import { slowerThan } from '../../bench/report';

const tableOf = (own: string, http: string) => `
| Work         | Who                      | Time: median (min to max)  | To HTTP |
| ------------ | ------------------------ | -------------------------- | ------- |
| 1 lead, 0 ms | Lead Search              | ${own} (0.10 s to 99.0 s)  | 0.00 ×  |
|              | HTTP Request + Split Out | ${http} (0.10 s to 99.0 s) | 1.00 ×  |
`;
const page = tableOf('0.50 s', '1.00 s');

test.each([
	['as fast, on a machine half as fast', '1.00 s', '2.00 s', []],
	['slower by less than a tenth', '0.54 s', '1.00 s', []],
	['faster', '0.20 s', '1.00 s', []],
	[
		'slower',
		'5.60 s',
		'10.0 s',
		['Slower: 1 lead, 0 ms: 0.56 × HTTP Request, and 0.50 on the page'],
	],
])('%s', (_, own, http, lines) => {
	const quiet = ['Nothing is slower than on the page by more than a tenth.'];
	expect(slowerThan(page, tableOf(own, http))).toEqual(lines.length > 0 ? lines : quiet);
});

test('what the page does not have yet is not slower', () => {
	expect(slowerThan('', page)).toEqual([expect.stringContaining('Nothing')]);
});
