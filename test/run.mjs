/**
 * Runs a suite of tests: installs what it lacks, checks and builds, tests, and counts.
 *
 *     npm test -- [arguments for Jest]             no real n8n, no browser: the loop to work in
 *     npm run test:n8n -- [arguments for Jest]     in the two real n8n
 *     npm run test:browser -- [arguments for Jest]
 *     npm run test:scale -- [arguments for Jest]   in n8n's queue mode
 *     npm run test:soak -- [runs] [seed]           random runs, or those of an earlier seed again
 *     npm run test:all                             one after another, whether they pass or not
 */
import '../sandbox/node-version.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { homeFolder, projectFolder } from '../sandbox/folders.mjs';
import { installN8n, installProject, StepFailed } from '../sandbox/setup.mjs';

/**
 * A suite is some of the projects in jest.config.js. `n8n` names the installations it starts: with
 * those goes the built package. Its tests are run one file at a time, since each starts servers.
 */
const suites = {
	quick: {
		n8n: [],
		checks: { Lint: 'lint', Types: 'typecheck', Build: 'build' },
		projects: ['unit', 'docs', 'service', 'node', 'release'],
		// Enough for a look at every change; the soak has more.
		env: { LEAD_SEARCH_RUNS: process.env.LEAD_SEARCH_RUNS ?? '200' },
	},
	n8n: { n8n: ['n8n', 'n8n-1'], checks: { Build: 'build' }, projects: ['n8n', 'workflows'] },
	browser: { n8n: ['n8n'], checks: { Build: 'build' }, projects: ['browser'] },
	scale: { n8n: ['n8n'], checks: { Build: 'build' }, projects: ['scale'] },
	soak: { n8n: [], checks: {}, projects: ['node'] },
};

const [name, ...args] = process.argv.slice(2);
process.exit((await main()) ? 0 : 1);

async function main() {
	if (name === 'all') return await runAll();
	if (name === 'soak') {
		const [runs = '100000', seed] = args;
		const env = {
			LEAD_SEARCH_RUNS: runs,
			...(seed !== undefined && { LEAD_SEARCH_SEED: seed }),
		};
		return await runSuite({ ...suites.soak, env }, ['--verbose', 'credits.property']);
	}
	if (Object.hasOwn(suites, name ?? '')) return await runSuite(suites[name], args);
	process.stderr.write(`Name a suite: ${[...Object.keys(suites), 'all'].join(', ')}\n`);
	return false;
}

/** Every suite in a process of its own, so that nothing keeps the next one from running. */
async function runAll() {
	const steps = [
		['npm test', 'quick'],
		['npm run test:n8n', 'n8n'],
		['npm run test:browser', 'browser'],
		['npm run test:scale', 'scale'],
		['npm run test:soak -- 2000', 'soak', '2000'],
	];
	const results = [];
	for (const [title, ...suite] of steps) {
		const self = [fileURLToPath(import.meta.url), ...suite];
		results.push(await step(title, process.execPath, self));
	}
	process.stdout.write(`\n${results.map(({ summary }) => summary).join('')}`);
	return results.every(({ passed }) => passed);
}

async function runSuite({ n8n, checks, projects, env }, jestArguments) {
	try {
		await installProject();
		for (const installation of n8n) await installN8n(installation);
	} catch (error) {
		process.stderr.write(`${error instanceof StepFailed ? error.message : error.stack}\n`);
		return false;
	}
	const resultFile = join(homeFolder, `jest-${name}.json`);
	mkdirSync(homeFolder, { recursive: true });
	rmSync(resultFile, { force: true });

	// Each of them takes one core, so they run together. What they print comes when they end.
	const results = await Promise.all(
		Object.entries(checks).map(([title, script]) =>
			step(title, 'npm', ['run', '--silent', script], { held: true }),
		),
	);
	const startsServers = n8n.length > 0;
	// Tests of the package can't do without it; the others say more than a failed build alone.
	if (!startsServers || results.every(({ passed }) => passed)) {
		const jest = [
			join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js'),
			// Not --selectProjects, so that people can select among them.
			...otherProjects(projects).map((project) => `--ignoreProjects=${project}`),
			...(startsServers ? ['--runInBand'] : []),
			'--ci',
			'--json',
			`--outputFile=${resultFile}`,
			...jestArguments,
		];
		results.push(await step('Tests', process.execPath, jest, { env }));
	}
	const failed = results.filter(({ passed }) => !passed).map(({ title }) => title);
	if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`);
	const counted = printCounts(resultFile);
	return counted && failed.length === 0;
}

function otherProjects(projects) {
	const config = createRequire(import.meta.url)('../jest.config.js');
	return config.projects
		.map(({ displayName }) => displayName)
		.filter((project) => !projects.includes(project));
}

/** Runs one step, with its output on the screen at once, or held back until it ends. */
async function step(title, command, args, { held = false, env = {} } = {}) {
	const heading = `\n== ${title}\n`;
	if (!held) process.stdout.write(heading);
	const started = Date.now();
	const { passed, output } = await run(command, args, held, env);
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	const summary = `== ${title}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s\n`;
	process.stdout.write(`${held ? heading : ''}${output}${summary}`);
	return { title, passed, summary };
}

function run(command, args, held, env) {
	return new Promise((resolve) => {
		const out = held ? 'pipe' : 'inherit';
		const child = spawn(command, args, {
			cwd: projectFolder,
			stdio: ['ignore', out, out],
			env: { ...process.env, ...env },
		});
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text) => (output += text));
		}
		child.on('error', (error) => resolve({ passed: false, output: `${error.message}\n` }));
		child.on('close', (code) => resolve({ passed: code === 0, output }));
	});
}

/** The last line of all; false when Jest left no result, or no test ran. */
function printCounts(resultFile) {
	const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, failedSuites } =
		readResult(resultFile);
	const failed = numFailedTests + failedSuites;
	const skipped = numPendingTests + numTodoTests;
	process.stdout.write(
		`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
	);
	return failed === 0 && numPassedTests > 0;
}

/** A suite that could not even be loaded has no tests to count, so it counts as one. */
function readResult(resultFile) {
	try {
		const jestResult = JSON.parse(readFileSync(resultFile, 'utf8'));
		return { ...jestResult, failedSuites: jestResult.numRuntimeErrorTestSuites };
	} catch {
		return {
			numPassedTests: 0,
			numFailedTests: 0,
			numPendingTests: 0,
			numTodoTests: 0,
			failedSuites: 1,
		};
	}
}
