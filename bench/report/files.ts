import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { homeFolder, projectFolder } from '../../sandbox/paths';
import { merged, type Results } from '../results';
import { chartOf } from './chart';
import { withFigures } from './page';

/** Where the figures are kept that the page shows. */
export const resultsFile = join(projectFolder, 'bench', 'results', 'results.json');
/** The same as bars. */
export const chartFile = join(projectFolder, 'bench', 'results', 'chart.svg');
/** The page that explains them. */
export const pageFile = join(projectFolder, 'docs', 'performance.md');

/** What the bench makes on this machine and nobody else sees. */
export const workFolder = join(homeFolder, 'bench');

/** The figures that are kept; nothing when there are none yet. */
export function readResults(): Results | undefined {
	if (!existsSync(resultsFile)) return undefined;
	return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
}

/** Keeps the figures, along with those of other cells: as JSON, as a chart, and in the page. */
export function keep(results: Results): void {
	const all = merged(readResults(), results);
	writeJson(resultsFile, all);
	writeFileSync(chartFile, chartOf(all));
	writeFileSync(pageFile, withFigures(readFileSync(pageFile, 'utf8'), all));
}

/** Writes figures that aren't kept. Resolves with the file's path. */
export function writeAside(results: Results): string {
	const file = join(workFolder, 'results.json');
	writeJson(file, results);
	writeFileSync(join(workFolder, 'chart.svg'), chartOf(results));
	return file;
}

function writeJson(file: string, value: unknown): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(value, null, '\t')}\n`);
}
