/** What the bench makes of its measurements, and what people see of them. */
import { tableOf, withFigures } from '../../bench/report';
import type { Run } from '../../bench/report';

const one = { kind: 'search', leads: 100_000, latencyMs: 0 } as const;
const took = (milliseconds: number, more: Partial<Run> = {}): Run => ({
	...{ milliseconds, requests: 1_000, ...more },
});
const runs = {
	leadSearch: [2_000, 1_000, 1_500].map((time) => took(time, { peak: 200e6, held: 50e6 })),
	http: [took(3_000), took(12_000)],
	undici: [took(750)],
};
const figures = tableOf([{ case: one, runs }]);

test('a row tells the time, how it compares, memory and requests', () => {
	expect(figures.split('\n')).toEqual([
		expect.stringMatching(/^\| Work \| Who \| Time/),
		expect.stringMatching(/^(\| --- ){7}\|$/),
		'| 100,000 leads, 0 ms a request | Lead Search | 1.50 s (1.00 s to 2.00 s) | 0.20 × | 200 MB | 50 MB | 1,000 |',
		'|  | HTTP Request + Split Out | 7.50 s (3.00 s to 12.0 s) | 1.00 × |  |  | 1,000 |',
		'|  | undici, 8 in flight | 0.75 s (0.75 s to 0.75 s) | 0.10 × |  |  | 1,000 |',
	]);
});

test('the page keeps its own words around the figures', () => {
	const page =
		'# Title\n\n<!-- figures: written by npm run bench -->\n\nold\n\n<!-- end of figures -->\n\nWords\n';
	expect(withFigures(page, figures)).toBe(page.replace('old', figures));
	expect(() => withFigures('# Title', figures)).toThrow('no place');
});
