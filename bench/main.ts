import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type as systemType } from 'node:os';
import { join } from 'node:path';

import execa from 'execa';

import { buildPackage, pinnedVersion } from '../sandbox/n8n';
import { homeFolder, projectFolder } from '../sandbox/paths';
import { say } from '../sandbox/start/progress';
import { cases, scaled, subjects, type Case } from './cases';
import { startEnvironment, type Environment } from './environment';
import type { Result, Run } from './figures';
import { readOptions, usage, type Options } from './options';
import { secondsText, tableOf, titleOf, verdictTable, withFigures } from './report';

/** The figures that the page shows. */
const keptFile = join(__dirname, 'results.json');
const page = join(projectFolder, 'docs', 'performance.md');

/**
 * Measures, and tells what came of it.
 *
 * @param args of the command line
 * @returns the exit code
 * @throws Error when a run did not do its work
 */
export async function main(args: readonly string[]): Promise<number> {
	let options: Options;
	try {
		options = readOptions(args);
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n\n${usage}`);
		return 1;
	}
	if (options.help) process.stdout.write(usage);
	else await bench(options);
	return 0;
}

async function bench({ only, runs, quick, save }: Options): Promise<void> {
	const chosen = cases
		.filter(({ groups }) => groups.some((group) => only.includes(group)))
		.map((one) => (quick ? scaled(one, 0.02) : one));
	say('Building the package');
	await buildPackage();
	say('Starting the lead service, n8n and undici');
	const environment = await startEnvironment(join(homeFolder, 'bench'));
	// Before anything is saved, which would make the commit one with changes.
	const measured = await surroundings();
	const results: Result[] = [];
	for (const [index, one] of chosen.entries()) {
		say(`${index + 1} of ${chosen.length}: ${titleOf(one)}`);
		const result = { ...(await measure(environment, one, runs)), measured };
		results.push(result);
		// After each case, so that a late failure loses little.
		if (save) keep(result);
		process.stdout.write(`${tableOf([result])}\n`);
	}
	await environment.stop();
	process.stdout.write(`\n${tableOf(results)}\n`);
	if (!quick) process.stdout.write(`\n${verdictTable(results)}\n`);
}

/**
 * Lets the subjects of a case do its work in turns, so that whatever else the machine does hits all
 * of them, each once more before that, which doesn't count: only computing gets faster by practice,
 * so that is done without waiting.
 */
export async function measure(environment: Environment, one: Case, rounds: number) {
	const runs = new Map(one.subjects.map((subject): [string, Run[]] => [subject, []]));
	const practice = { ...one, latencyMs: 0, limits: undefined };
	for (const subject of one.subjects) await environment.run(subject, practice);
	for (let round = 0; round < rounds; round++) {
		// Another one begins each time.
		const first = round % one.subjects.length;
		for (const subject of [...one.subjects.slice(first), ...one.subjects.slice(0, first)]) {
			const run = await environment.run(subject, one);
			runs.get(subject)?.push(run);
			const took = secondsText(run.milliseconds);
			say(`  run ${round + 1} of ${rounds}  ${took}  ${subjects[subject]}`);
		}
	}
	return { case: one, runs: Object.fromEntries(runs) };
}

/** Puts a result in place of an earlier one, in the file and on the page. */
function keep(result: Result): void {
	const all = [result, ...(JSON.parse(readFileSync(keptFile, 'utf8')) as Result[])];
	const kept = cases.flatMap(({ id }) => all.find((one) => one.case.id === id) ?? []);
	writeFileSync(keptFile, `${JSON.stringify(kept, null, '\t')}\n`);
	writeFileSync(page, withFigures(readFileSync(page, 'utf8'), kept));
}

/** When, at which commit and on what something is measured. */
async function surroundings(): Promise<string> {
	const [day] = new Date().toISOString().split('T');
	const how = { cwd: projectFolder, reject: false };
	const { stdout } = await execa('git', ['describe', '--always', '--dirty'], how);
	const all = cpus();
	const cpu = all[0]?.model ?? 'unknown processor';
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	const machine = `${systemType()} with ${all.length} cores (${cpu}) and ${gigabytes} GB`;
	return `Measured on ${day} at ${stdout || 'unknown'}: n8n ${pinnedVersion('n8n')}, ${machine}.`;
}
