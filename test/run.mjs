/**
 * `npm test`: installs what is missing, then lints, checks types, builds and tests.
 *
 *     npm test -- [arguments for Jest]
 */
import '../sandbox/node-version.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { homeFolder, projectFolder } from '../sandbox/folders.mjs';
import { installN8n, installProject, StepFailed } from '../sandbox/setup.mjs';

const jest = join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js');
const resultFile = join(homeFolder, 'jest-result.json');

process.exit(await test(process.argv.slice(2)));

async function test(jestArguments) {
	try {
		await installProject();
		await installN8n();
		await installN8n('n8n-1');
	} catch (error) {
		process.stderr.write(`${error instanceof StepFailed ? error.message : error.stack}\n`);
		return 1;
	}
	mkdirSync(homeFolder, { recursive: true });
	rmSync(resultFile, { force: true });

	const checks = [
		await timed('Lint', 'npm', ['run', '--silent', 'lint']),
		await timed('Types', 'npm', ['run', '--silent', 'typecheck']),
		await timed('Build', 'npm', ['run', '--silent', 'build']),
		await timed('Tests', process.execPath, [
			jest,
			// These start servers by the dozen, and take minutes: npm run test:scale.
			'--ignoreProjects=scale',
			'--ci',
			'--json',
			`--outputFile=${resultFile}`,
			...jestArguments,
		]),
	];
	const failedSteps = checks.filter((check) => !check.passed).map((check) => check.name);
	if (failedSteps.length > 0) process.stdout.write(`\nFailed: ${failedSteps.join(', ')}\n`);
	const counted = printCounts();
	return counted && failedSteps.length === 0 ? 0 : 1;
}

/** Runs one step with its output on the screen. */
async function timed(name, command, args) {
	process.stdout.write(`\n== ${name}\n`);
	const started = Date.now();
	const passed = await run(command, args);
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	process.stdout.write(`== ${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s\n`);
	return { name, passed };
}

function run(command, args) {
	return new Promise((resolve) => {
		const child = spawn(command, args, {
			cwd: projectFolder,
			stdio: ['ignore', 'inherit', 'inherit'],
		});
		child.on('error', (error) => {
			process.stderr.write(`${error.message}\n`);
			resolve(false);
		});
		child.on('exit', (code) => resolve(code === 0));
	});
}

/** The last line of all; false when Jest left no result, or no test ran. */
function printCounts() {
	const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, failedSuites } =
		result();
	const failed = numFailedTests + failedSuites;
	const skipped = numPendingTests + numTodoTests;
	process.stdout.write(
		`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
	);
	return failed === 0 && numPassedTests > 0;
}

/** A suite that could not even be loaded has no tests to count, so it counts as one. */
function result() {
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
