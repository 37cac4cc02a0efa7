import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type as systemType } from 'node:os';
import { join } from 'node:path';

import { stopAllGuarded } from '../sandbox/guarded-process';
import { pinnedVersion } from '../sandbox/n8n';
import { homeFolder, projectFolder } from '../sandbox/paths';
import { buildPackage } from '../sandbox/start/build';
import { whenInterrupted } from '../sandbox/start/interrupt';
import { say } from '../sandbox/start/steps';
import { commit, distOf } from './baseline';
import { casesOf, comparisonTargets, subjects, targets, type Case, type Subject } from './cases';
import { Environment, type Run } from './environment';
import { judge, spreadOf, type Figures, type Result } from './figures';
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
		options = readOptions(args);
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n\n${usage}`);
		return 1;
	}
	const interrupted = whenInterrupted().then(() => false);
	const work = bench(options);
	// Once interrupted, what was in progress fails, and nobody has to hear of it.
	work.catch(() => undefined);
	try {
		return (await Promise.race([work, interrupted])) ? 0 : 130;
	} finally {
		await stopAllGuarded();
	}
}

async function bench(options: Options): Promise<true> {
	const { only, quick, baseline, cpuProfile } = options;
	const cases = casesOf(quick ? 0.02 : 1, baseline !== undefined).filter((one) =>
		one.groups.some((group) => only.includes(group)),
	);
	say('Building the package');
	await buildPackage();
	say('Starting the lead service, n8n and undici');
	const profiles = cpuProfile ? join(workFolder, 'profiles') : undefined;
	const environment = await Environment.start({
		folder: join(workFolder, 'n8n'),
		baseline: baseline && (await distOf(baseline, join(workFolder, 'baseline'))),
		profiles,
	});
	const results: Result[] = [];
	for (const [index, one] of cases.entries()) {
		say(`${index + 1} of ${cases.length}: ${titleOf(one)}`);
		const result = await measure(environment, one, options);
		results.push(result);
		keep(result, options);
		process.stdout.write(`${tableOf([result])}\n`);
	}
	await environment.stop();
	if (profiles) say(`Profiles: ${profiles}`);
	process.stdout.write(`\n${tableOf(results)}\n`);
	const verdicts = judge(baseline === undefined ? targets : comparisonTargets, results);
	if (!quick) process.stdout.write(`\n${verdictTable(verdicts)}\n`);
	return true;
}

/**
 * Lets the subjects of a case do its work in turns, so that whatever else the machine does hits all
 * of them, each once more before that, which doesn't count: only computing gets faster by practice,
 * so that is done without waiting.
 */
export async function measure(
	environment: Environment,
	one: Case,
	{ runs, only }: Pick<Options, 'runs' | 'only'>,
): Promise<Result> {
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
	const figures = new Map([...counted].map(([subject, all]) => [subject, figuresOf(all)]));
	if (one.groups.includes('memory') && only.includes('memory')) {
		for (const subject of ['defaults', 'httpBest'] as const) {
			const known = figures.get(subject);
			const memory = known && (await measureMemory(environment, one, subject, runs));
			if (known !== undefined) figures.set(subject, { ...known, ...memory });
		}
	}
	return {
		case: one,
		figures: Object.fromEntries(figures),
		measured: `Measured on ${new Date().toISOString().slice(0, 10)} at ${await commit()}: ${machine()}.`,
	};
}

/** Another one begins each time. */
function inTurn<T>(all: readonly T[], round: number): T[] {
	const first = round % all.length;
	return [...all.slice(first), ...all.slice(0, first)];
}

function figuresOf(runs: readonly Run[]): Figures {
	return {
		time: spreadOf(runs.map(({ milliseconds }) => Math.round(milliseconds))),
		requests: spreadOf(runs.map(({ requests }) => requests)),
		refused: spreadOf(runs.map(({ refused }) => refused)),
	};
}

/**
 * Measures memory: each time in an n8n that has just been started and has done a page, so that the
 * code is loaded and nothing else. Nothing comes of it where the system doesn't tell.
 */
async function measureMemory(
	environment: Environment,
	one: Case,
	subject: Subject,
	runs: number,
): Promise<Pick<Figures, 'peak' | 'held'>> {
	const all: Array<NonNullable<Run['memory']>> = [];
	for (let round = 0; round < runs; round++) {
		await environment.restartN8n();
		await environment.run(subject, { ...one, leads: 1_000 });
		const { memory } = await environment.run(subject, one);
		if (memory === undefined) return {};
		all.push(memory);
		say(
			`  memory ${round + 1} of ${runs}  ${Math.round(memory.peak / 1e6)} MB  ${subjects[subject]}`,
		);
	}
	return {
		peak: spreadOf(all.map(({ peak }) => peak)),
		held: spreadOf(all.map(({ held }) => held)),
	};
}

/** Saves after each case, so that a late failure loses little. */
function keep(result: Result, { save }: Options): void {
	const file = save ? keptFile : join(workFolder, 'results.json');
	const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result[]) : [];
	const order = casesOf().map(({ id }) => id);
	const all = [...known.filter(({ case: { id } }) => id !== result.case.id), result].sort(
		(one, other) => order.indexOf(one.case.id) - order.indexOf(other.case.id),
	);
	mkdirSync(workFolder, { recursive: true });
	writeFileSync(file, `${JSON.stringify(all, null, '\t')}\n`);
	if (save)
		writeFileSync(page, withFigures(readFileSync(page, 'utf8'), all, judge(targets, all)));
}

function machine(): string {
	const all = cpus();
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	const cpu = all[0]?.model ?? 'unknown processor';
	return `n8n ${pinnedVersion('n8n')}, ${systemType()} with ${all.length} cores (${cpu}) and ${gigabytes} GB`;
}
