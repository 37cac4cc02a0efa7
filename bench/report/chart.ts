import type { Figures, Results } from '../results';
import { contestants, type Contestant } from '../work';
import { secondsText, titleOf } from './rows';

const width = 760;
const left = 250;
const right = 110;
const bar = 14;
const step = 18;
const gap = 34;

/** Fill of each contestant's bars: seen on white and on dark grounds. */
const colours: Readonly<Record<Contestant, string>> = {
	ours: '#2f9e6e',
	oursParallel: '#57c793',
	helper: '#8a6fb0',
	httpRequest: '#c2703d',
	undici: '#7d8590',
	undiciParallel: '#a3abb5',
};

/**
 * The times as bars, in SVG: for each work the slowest fills the width. Text takes the colour that
 * goes with a light or a dark ground.
 */
export function chartOf({ cells }: Results): string {
	let y = 30;
	const parts = cells.flatMap((cell) => {
		const all = Object.entries(cell.figures) as Array<[Contestant, Figures]>;
		const longest = Math.max(...all.map(([, { milliseconds }]) => milliseconds.median));
		const title = `<text class="title" x="0" y="${y}">${escaped(titleOf(cell))}</text>`;
		const bars = all.map(
			([
				contestant,
				{
					milliseconds: { median },
				},
			]) => {
				y += step;
				const long = Math.max(1, Math.round((median / longest) * (width - left - right)));
				return [
					`<text x="${left - 8}" y="${y + 1}" text-anchor="end">${escaped(contestants[contestant])}</text>`,
					`<rect x="${left}" y="${y - bar + 4}" width="${long}" height="${bar}" rx="2" fill="${colours[contestant]}"/>`,
					`<text x="${left + long + 8}" y="${y + 1}">${secondsText(median)}</text>`,
				].join('');
			},
		);
		y += gap;
		return [title, ...bars];
	});
	const height = y - gap + 16;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Time of Lead Search, of HTTP Request with Split Out, and of undici">`,
		'<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>',
		...parts,
		'</svg>',
		'',
	].join('\n');
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
