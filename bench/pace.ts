import type { Cell } from './cells';
import { contestants, type Contestant } from './work';

/** Minutes and seconds, such as "1:05", of a number of milliseconds. */
export function clock(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Says what runs, how long it took, and about how long the rest will take. */
export class Pace {
	private readonly started = Date.now();
	private done = 0;

	/**
	 * @param planned seconds that all of it takes, as guessed before the start
	 */
	constructor(private readonly planned: number) {}

	/**
	 * Does one run, and prints a line about it.
	 *
	 * @param seconds it takes, as planned
	 */
	async time<T extends { milliseconds: number }>(
		cell: Cell,
		contestant: Contestant,
		what: string,
		seconds: number,
		work: () => Promise<T>,
	): Promise<T> {
		const result = await work();
		this.done += seconds;
		const line = [
			clock(Date.now() - this.started).padStart(5),
			cell.id.padEnd(14),
			contestants[contestant].padEnd(28),
			what.padEnd(15),
			`${(result.milliseconds / 1000).toFixed(2)} s`.padStart(8),
			`  about ${this.left()} left`,
		].join('  ');
		process.stdout.write(`${line}\n`);
		return result;
	}

	/**
	 * The guess is put right by how long it really took so far, which says little at first: as if a
	 * tenth of all had gone as planned before.
	 */
	private left(): string {
		const credit = this.planned / 10;
		const spent = (Date.now() - this.started) / 1000;
		const slowness = (spent + credit) / (this.done + credit);
		return clock(Math.max(0, this.planned - this.done) * slowness * 1000);
	}
}
