/**
 * Runs a suite of tests: installs what it lacks, checks and builds, tests, and counts. What each suite is
 * stands in docs/development.md; further arguments are Jest's, of the soak its runs and its seed: "fixed"
 * for the one that all other suites draw with.
 */
import '../sandbox/node-version.mjs';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { install, projectFolder } from '../sandbox/setup.mjs';

/** ESLint's cache misses what a change means for other files, so CI goes without. */
const lintCache = process.env.CI
	? []
	: ['--', '--cache', '--cache-strategy=content', '--cache-location=node_modules/.cache/eslint/'];

/**
 * A suite is some of the projects in jest.config.js. Without a real n8n, tests need no build, so all
 * runs at once; with it, two files run at a time, since each starts servers that wait for one another.
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

/** Every suite in a process of its own, so that nothing keeps the next one from running. */
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
		// Not --selectProjects, so that people can select among them.
		...others.map(({ displayName }) => `--ignoreProjects=${displayName}`),
		...(inN8n ? ['--maxWorkers=2'] : []),
		...['--ci', '--json', `--outputFile=${resultFile}`, ...args],
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
		`Seed ${seed}. The same draws again: npm run test:soak -- ${runs} ${seed}\n`,
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

/** Runs one step, with its output on the screen at once, or held back for the end. */
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

/** The last line of all; false when Jest left no result, or no test ran. */
function printCounts(resultFile) {
	const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
	const result = existsSync(resultFile)
		? JSON.parse(readFileSync(resultFile, 'utf8'))
		: { ...none, numRuntimeErrorTestSuites: 1 };
	// A suite that could not even be loaded has no tests to count, so it counts as one.
	const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
	const skipped = result.numPendingTests + result.numTodoTests;
	process.stdout.write(
		`${result.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
	);
	return failed === 0 && result.numPassedTests > 0;
}
