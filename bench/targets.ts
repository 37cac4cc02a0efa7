import type { Figures, Results } from './results';
import { ratio } from './statistics';
import { contestants, type Contestant } from './work';

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
	readonly figure?: keyof typeof words;
	readonly atMost?: number;
	readonly atLeast?: number;
}

const words = {
	milliseconds: ['time of', 'that of'],
	memory: ['peak memory of', 'that of'],
	held: ['memory held by', 'that by'],
} as const;

/** That Lead Search takes at most so many times as much as another one for the same work. */
function ours(
	work: string,
	cell: string,
	other: 'httpRequest' | 'undici',
	atMost: number,
	figure: keyof typeof words = 'milliseconds',
): Wish {
	const [one, that] = words[figure];
	return {
		what: `${work}: ${one} ${contestants.ours} to ${that} ${contestants[other]}`,
		of: [cell, 'ours'],
		to: [cell, other],
		figure,
		atMost,
	};
}

const wishes: readonly Wish[] = [
	ours('100,000 leads', '100k', 'httpRequest', 0.55),
	ours('100,000 leads', '100k', 'undici', 1.4),
	ours('100,000 leads, 10 ms a page', '100k-10ms', 'httpRequest', 0.55),
	ours('100,000 leads, 10 ms a page', '100k-10ms', 'undici', 1.4),
	ours('100,000 leads', '100k', 'httpRequest', 0.6, 'memory'),
	ours('100,000 leads', '100k', 'httpRequest', 0.6, 'held'),
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
