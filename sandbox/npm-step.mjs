/** Runs npm for a long step: output to a log file, progress on the screen. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { homeFolder } from './folders.mjs';
import { elapsed, showProgress } from './progress.mjs';

const guard = fileURLToPath(new URL('guard.mjs', import.meta.url));
const commandNotFound = 127;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A step that failed; the message is for the user. */
export class StepFailed extends Error {}

/**
 * @typedef {object} NpmStep
 * @property {string} title what happens, how large it is and how long it takes
 * @property {string[]} args npm's arguments
 * @property {string} folder where it runs
 * @property {string} log name of the log file
 * @property {() => string} describe how far it is
 * @property {(pid: number) => void} share told the process that must end before others may install
 * @property {string} [hint] what to look at when it fails
 */

/**
 * Runs npm. It ends when this program does.
 *
 * @param {NpmStep} step
 * @throws {StepFailed} with the end of npm's output
 */
export async function runNpm(step) {
	const logs = join(homeFolder, 'logs');
	mkdirSync(logs, { recursive: true });
	const logFile = join(logs, step.log);
	const started = Date.now();
	process.stdout.write(`${step.title}\n`);

	const log = openSync(logFile, 'w');
	const npm = spawn(process.execPath, [guard, 'npm', ...step.args], {
		cwd: step.folder,
		detached: true,
		stdio: ['pipe', log, log],
	});
	closeSync(log);
	step.share(npm.pid);
	let interrupted = false;
	const interrupt = () => {
		interrupted = true;
		// The guard takes this for the end of our process.
		npm.stdin.destroy();
	};
	for (const signal of signals) process.on(signal, interrupt);
	const stopProgress = showProgress(step.describe);
	const code = await new Promise((resolve) => npm.on('exit', resolve));
	stopProgress();
	for (const signal of signals) process.off(signal, interrupt);

	if (interrupted) throw new StepFailed('Interrupted; the next start begins this step anew.');
	if (code === commandNotFound) {
		throw new StepFailed('npm was not found. It comes with Node; nothing works without it.');
	}
	if (code !== 0) {
		throw new StepFailed(
			`"npm ${step.args.join(' ')}" ended with exit code ${code} after ` +
				`${elapsed(Date.now() - started)}. npm said (all of it is in ${logFile}):\n${complaint(logFile)}` +
				(step.hint === undefined ? '' : `\n\n${step.hint}`),
		);
	}
	process.stdout.write(`  done in ${elapsed(Date.now() - started)}\n`);
}

/** npm's first errors if it names any, otherwise the end of what it printed. */
function complaint(logFile) {
	const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
	const errors = lines.filter((line) => line.startsWith('npm error'));
	return (errors.length > 0 ? errors.slice(0, 25) : lines.slice(-25)).join('\n');
}
