import type { Figures, Results } from './results';
import { ratio } from './statistics';
import type { Contestant } from './work';

/** Something that the package wants to reach. */
export interface Target {
	readonly what: string;
	/** The ratio it is about. */
	readonly value: number;
	/** The most or the least that it may be. */
	readonly bound: number;
	readonly atLeast: boolean;
	readonly met: boolean;
}

interface Wish {
	readonly what: string;
	readonly of: readonly [cell: string, contestant: Contestant];
	readonly to: readonly [cell: string, contestant: Contestant];
	/** The time, unless it is about memory. */
	readonly figure?: 'memory' | 'held' | 'milliseconds';
	readonly atMost?: number;
	readonly atLeast?: number;
}

const wishes: readonly Wish[] = [
	{
		what: '100,000 leads: time of Lead Search to that of HTTP Request + Split Out',
		of: ['100k', 'ours'],
		to: ['100k', 'httpRequest'],
		atMost: 0.55,
	},
	{
		what: '100,000 leads: time of Lead Search to that of undici',
		of: ['100k', 'ours'],
		to: ['100k', 'undici'],
		atMost: 1.4,
	},
	{
		what: '100,000 leads, 10 ms a page: time of Lead Search to that of HTTP Request + Split Out',
		of: ['100k-10ms', 'ours'],
		to: ['100k-10ms', 'httpRequest'],
		atMost: 0.55,
	},
	{
		what: '100,000 leads, 10 ms a page: time of Lead Search to that of undici',
		of: ['100k-10ms', 'ours'],
		to: ['100k-10ms', 'undici'],
		atMost: 1.4,
	},
	{
		what: '100,000 leads: peak memory of Lead Search to that of HTTP Request + Split Out',
		of: ['100k', 'ours'],
		to: ['100k', 'httpRequest'],
		figure: 'memory',
		atMost: 0.6,
	},
	{
		what: '100,000 leads: memory held by Lead Search to that by HTTP Request + Split Out',
		of: ['100k', 'ours'],
		to: ['100k', 'httpRequest'],
		figure: 'held',
		atMost: 0.6,
	},
	{
		what: '150 ms a page: HTTP Request + Split Out to Lead Search with 8 pages at once',
		of: ['100k-150ms', 'httpRequest'],
		to: ['100k-150ms', 'oursParallel'],
		atLeast: 5,
	},
	{
		what: '150 ms a page: Lead Search with 8 pages at once to undici with 8 at once',
		of: ['100k-150ms', 'oursParallel'],
		to: ['100k-150ms', 'undiciParallel'],
		atMost: 1.4,
	},
	{
		what: '10,000 URLs: HTTP Request + Split Out to Lead Search',
		of: ['urls', 'httpRequest'],
		to: ['urls', 'ours'],
		atLeast: 20,
	},
	{
		what: 'Growth: Lead Search with 100,000 leads to 10,000 leads',
		of: ['100k', 'ours'],
		to: ['d-10k', 'ours'],
		atMost: 11,
	},
];

/** The targets that the results tell something about. */
export function targetsOf(results: Results): Target[] {
	const figures = ([id, contestant]: Wish['of']): Figures | undefined =>
		results.cells.find((cell) => cell.id === id)?.figures[contestant];
	return wishes.flatMap(({ what, of, to, figure = 'milliseconds', atMost, atLeast }) => {
		const one = figures(of)?.[figure];
		const other = figures(to)?.[figure];
		if (one === undefined || other === undefined) return [];
		const value = ratio(one, other);
		const met = value <= (atMost ?? Infinity) && value >= (atLeast ?? 0);
		return [
			{ what, value, bound: atMost ?? atLeast ?? 0, atLeast: atLeast !== undefined, met },
		];
	});
}
