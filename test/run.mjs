/**
 * Runs a suite of tests: `node test/run.mjs <suite> [arguments]`. Installs missing packages, checks or builds the
 * project, runs the tests and prints their number. docs/development.md describes the suites. Arguments are passed to
 * Jest. The soak takes the number of runs and the seed instead; the seed "fixed" is that of the other suites.
 */
import '../sandbox/node-version.mjs';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { install, projectFolder } from '../sandbox/setup.mjs';

/** ESLint's cache misses the effect of a change on other files, so CI doesn't use it. */
const lintCache = process.env.CI
	? []
	: ['--', '--cache', '--cache-strategy=content', '--cache-location=node_modules/.cache/eslint/'];

/**
 * Suites, as projects of jest.config.js. Tests without a real n8n need no build, so checks and tests run concurrently.
 * Tests in a real n8n run two files at a time, because each starts several servers.
 */
const suites = {
	quick: { inN8n: false, projects: ['unit', 'docs', 'service', 'node', 'release'] },
	n8n: { inN8n: true, projects: ['n8n', 'workflows'] },
	browser: { inN8n: true, projects: ['browser'] },
	scale: { inN8n: true, projects: ['scale'] },
};
const programs = { soak, mutation: mutate, all: runAll };
const jestProgram = join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js');

const [name, ...args] = process.argv.slice(2);
process.exit((await main()) ? 0 : 1);

async function main() {
	try {
		if (Object.hasOwn(programs, name ?? '')) return await programs[name]();
		if (!Object.hasOwn(suites, name ?? ''))
			throw new Error(`Name a suite: ${Object.keys({ ...suites, ...programs }).join(', ')}`);
		const suite = suites[name];
		await install('project', ...(suite.inN8n ? ['n8n'] : []));
		return await runSuite(suite);
	} catch (error) {
		process.stderr.write(`${error.message}\n`);
		return false;
	}
}

/** Runs every suite in its own process, so that a failure doesn't prevent the next suite. */
async function runAll() {
	await install('project');
	const results = [];
	for (const suite of ['quick', 'n8n', 'browser', 'scale', 'soak']) {
		const draws = suite === 'soak' ? ['2000', 'fixed'] : [];
		const self = [fileURLToPath(import.meta.url), suite, ...draws];
		results.push(await step(suite, process.execPath, self));
	}
	process.stdout.write(`\n${results.map(summaryOf).join('')}`);
	return results.every(({ passed }) => passed);
}

async function runSuite({ inN8n, projects }) {
	const resultFile = join(projectFolder, 'node_modules', '.cache', `jest-${name}.json`);
	mkdirSync(join(resultFile, '..'), { recursive: true });
	rmSync(resultFile, { force: true });
	const config = createRequire(import.meta.url)('../jest.config.js');
	const others = config.projects.filter(({ displayName }) => !projects.includes(displayName));
	const jest = [
		// Not --selectProjects, so that the user can still pass that option.
		...others.map(({ displayName }) => `--ignoreProjects=${displayName}`),
		...(inN8n ? ['--maxWorkers=2'] : []),
		'--ci',
		'--json',
		`--outputFile=${resultFile}`,
		...args,
	];
	const npm = (title, script, ...more) =>
		step(title, 'npm', ['run', '--silent', script, ...more], { held: true });
	const tests = () => step('Tests', process.execPath, [jestProgram, ...jest]);

	let results;
	if (inN8n) {
		results = [await npm('Build', 'build')];
		if (results[0].passed) results.push(await tests());
	} else {
		const checks = [npm('Lint', 'lint', ...lintCache), npm('Types', 'typecheck')];
		results = await Promise.all([...checks, tests()]);
	}
	process.stdout.write('\n');
	for (const result of results) process.stdout.write(`${result.output}${summaryOf(result)}`);
	const counted = printCounts(resultFile);
	return counted && results.every(({ passed }) => passed);
}

async function soak() {
	await install('project');
	const [runs = '100000', seed = randomInt(2 ** 31)] = args;
	process.stdout.write(
		`Seed ${seed}. To repeat these draws: npm run test:soak -- ${runs} ${seed}\n`,
	);
	const env = { LEAD_SEARCH_RUNS: runs, ...(seed !== 'fixed' && { LEAD_SEARCH_SEED: seed }) };
	const projects = ['--selectProjects', 'unit', 'node', 'soak'];
	const jest = [jestProgram, ...projects, '--testPathPatterns', '.property', 'test/soak'];
	return (await step('Soak', process.execPath, [...jest, '--verbose'], { env })).passed;
}

async function mutate() {
	await install('project');
	const { survivors } = await import('./mutants.mjs');
	return (await survivors()).length === 0;
}

/** Runs a command. Prints its output immediately or, with `held`, returns it. */
async function step(title, command, args, { held = false, env = {} } = {}) {
	const { default: execa } = await import('execa');
	const started = Date.now();
	const { failed, all = '' } = await execa(command, args, {
		cwd: projectFolder,
		env,
		reject: false,
		...(held ? { all: true, stdin: 'ignore' } : { stdio: ['ignore', 'inherit', 'inherit'] }),
	});
	const seconds = (Date.now() - started) / 1000;
	return { title, passed: !failed, output: all === '' ? '' : `${all}\n`, seconds };
}

function summaryOf({ title, passed, seconds }) {
	return `== ${title}: ${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s\n`;
}

/** Prints how many tests passed and failed. @returns false if a test failed, no test ran, or Jest wrote no result */
function printCounts(resultFile) {
	const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
	const result = existsSync(resultFile)
		? JSON.parse(readFileSync(resultFile, 'utf8'))
		: { ...none, numRuntimeErrorTestSuites: 1 };
	// A file that can't be loaded has no tests, so it counts as one failure.
	const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
	const skipped = result.numPendingTests + result.numTodoTests;
	process.stdout.write(
		`${result.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
	);
	return failed === 0 && result.numPassedTests > 0;
}
