/** The figures as words, the same on the screen and on the page. */
import type { CellResult, Figures, Results } from '../results';
import { ratio, type Spread } from '../statistics';
import type { Target } from '../targets';
import { contestants, type Contestant } from '../work';

/** Titles of the columns. */
export const columns = [
	'Work',
	'Who',
	'Time: median (min to max)',
	'To HTTP Request',
	'To undici',
	'Processor time',
	'Memory: peak, held',
	'Requests',
	'Credits',
] as const;

/** A row of the table; the work stands in the first row of each cell only. */
export type Row = readonly string[];

/** The table's rows. */
export function rowsOf(results: Results): Row[] {
	return results.cells.flatMap((cell) =>
		(Object.entries(cell.figures) as Array<[Contestant, Figures]>).map(
			([contestant, figures], index) => [
				index === 0 ? titleOf(cell) : '',
				contestants[contestant],
				timeText(figures.milliseconds),
				against(cell, contestant, 'httpRequest'),
				against(cell, contestant, limitFor(contestant)),
				secondsText(figures.cpuMilliseconds.median),
				memoryText(figures),
				count(figures.requests),
				count(figures.credits),
			],
		),
	);
}

/** What a cell is about. */
export function titleOf({ work, latencyMs }: CellResult): string {
	const leads = count(work.leads);
	const waiting = `${latencyMs} ms a request`;
	if (work.kind === 'lookUp') return `${leads} LinkedIn URLs, ${waiting}`;
	const raw = work.raw ? ' with raw' : '';
	return `${leads} leads${raw}, ${count(work.pageSize)} a page, ${waiting}`;
}

/** A target and how it was met. */
export function targetText(target: Target): string {
	const { what, value, met } = target;
	return `${met ? 'met   ' : 'missed'}  ${what}: ${value.toFixed(2)} (${wantedText(target)})`;
}

/** What a target asks for. */
export function wantedText({ bound, atLeast }: Target): string {
	return `${atLeast ? 'at least' : 'at most'} ${bound}`;
}

/** Seconds, with as many digits as mean something. */
export function secondsText(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}

/** Megabytes of a number of bytes. */
export function megabytes(bytes: number): string {
	return count(Math.round(bytes / 1e6));
}

function memoryText({ memory, held }: Figures): string {
	return [memory, held]
		.filter((spread) => spread !== undefined)
		.map(({ median }) => `${megabytes(median)} MB`)
		.join(', ');
}

function timeText({ median, min, max }: Spread): string {
	return `${secondsText(median)} (${secondsText(min)} to ${secondsText(max)})`;
}

/** Those who ask for several pages at once are compared with undici doing the same. */
function limitFor(contestant: Contestant): Contestant {
	return contestant === 'oursParallel' ? 'undiciParallel' : 'undici';
}

function against({ figures }: CellResult, contestant: Contestant, other: Contestant): string {
	const mine = figures[contestant];
	const theirs = figures[other];
	if (mine === undefined || theirs === undefined || contestant === other) return '';
	if (other.startsWith('undici') && contestant.startsWith('undici')) return '';
	return `${ratio(mine.milliseconds, theirs.milliseconds).toFixed(2)} ×`;
}

function count(number: number): string {
	return number.toLocaleString('en');
}
