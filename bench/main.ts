import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type as systemType } from 'node:os';
import { join } from 'node:path';

import { buildPackage, pinnedVersion } from '../sandbox/n8n';
import { homeFolder, projectFolder } from '../sandbox/paths';
import { say } from '../sandbox/start/progress';
import { commit, distOf } from './baseline';
import { casesOf, subjects, targets, type Case, type Subject } from './cases';
import { startEnvironment, type Environment } from './environment';
import { judge, type Result, type Run } from './figures';
import { readOptions, usage, type Options } from './options';
import { secondsText, tableOf, titleOf, verdictTable, withFigures } from './report';

/** What the bench makes on this machine. */
const workFolder = join(homeFolder, 'bench');
/** The figures that the page shows. */
const keptFile = join(projectFolder, 'bench', 'results.json');
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
		if (args.includes('--help')) {
			process.stdout.write(usage);
			return 0;
		}
		options = readOptions(args);
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n\n${usage}`);
		return 1;
	}
	await bench(options);
	return 0;
}

async function bench(options: Options): Promise<void> {
	const { only, quick, baseline, cpuProfile } = options;
	const cases = casesOf(quick ? 0.02 : 1, baseline !== undefined).filter((one) =>
		one.groups.some((group) => only.includes(group)),
	);
	say('Building the package');
	await buildPackage();
	say('Starting the lead service, n8n and undici');
	const profiles = cpuProfile ? join(workFolder, 'profiles') : undefined;
	const environment = await startEnvironment({
		folder: join(workFolder, 'n8n'),
		baseline: baseline && (await distOf(baseline, join(workFolder, 'baseline'))),
		profiles,
	});
	const measured = `Measured on ${new Date().toISOString().slice(0, 10)} at ${await commit()}: ${machine()}.`;
	const results: Result[] = [];
	for (const [index, one] of cases.entries()) {
		say(`${index + 1} of ${cases.length}: ${titleOf(one)}`);
		const result = { ...(await measure(environment, one, options.runs)), measured };
		results.push(result);
		// After each case, so that a late failure loses little.
		if (options.save) keep(result);
		process.stdout.write(`${tableOf([result])}\n`);
	}
	await environment.stop();
	if (profiles) say(`Profiles: ${profiles}`);
	process.stdout.write(`\n${tableOf(results)}\n`);
	const verdicts = judge(targets, results);
	if (!quick) process.stdout.write(`\n${verdictTable(verdicts)}\n`);
}

/**
 * Lets the subjects of a case do its work in turns, so that whatever else the machine does hits all
 * of them, each once more before that, which doesn't count: only computing gets faster by practice,
 * so that is done without waiting.
 */
export async function measure(
	environment: Environment,
	one: Case,
	runs: number,
): Promise<Omit<Result, 'measured'>> {
	const counted = new Map<Subject, Run[]>(one.subjects.map((subject) => [subject, []]));
	const practice: Case = { ...one, latencyMs: 0, limits: undefined };
	for (const subject of one.subjects) await environment.run(subject, practice);
	for (let round = 0; round < runs; round++) {
		for (const subject of inTurn(one.subjects, round)) {
			const run = await environment.run(subject, one);
			counted.get(subject)?.push(run);
			say(
				`  run ${round + 1} of ${runs}  ${secondsText(run.milliseconds)}  ${subjects[subject]}`,
			);
		}
	}
	return { case: one, runs: Object.fromEntries(counted) };
}

/** Another one begins each time. */
function inTurn<T>(all: readonly T[], round: number): T[] {
	const first = round % all.length;
	return [...all.slice(first), ...all.slice(0, first)];
}

/** Puts a result in place of an earlier one, in the file and on the page. */
function keep(result: Result): void {
	const all = [result, ...(JSON.parse(readFileSync(keptFile, 'utf8')) as Result[])];
	const kept = casesOf().flatMap(({ id }) => all.find((one) => one.case.id === id) ?? []);
	writeFileSync(keptFile, `${JSON.stringify(kept, null, '\t')}\n`);
	writeFileSync(page, withFigures(readFileSync(page, 'utf8'), kept));
}

function machine(): string {
	const all = cpus();
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	const cpu = all[0]?.model ?? 'unknown processor';
	return `n8n ${pinnedVersion('n8n')}, ${systemType()} with ${all.length} cores (${cpu}) and ${gigabytes} GB`;
}
