/**
 * Installs what is missing, with `npm ci`. Runs before anything is installed, so it uses Node alone.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** An installation that failed; the message is for the user. */
export class StepFailed extends Error {}

/** Gigabytes that npm needs for a while beside what stays. */
const roomToUnpack = 1;

/** The project's own packages: compiler, linter, test runner, PostgreSQL. */
export async function installProject() {
	await install(projectFolder, {
		name: 'the development packages',
		gigabytes: 0.6,
		minutes: '1',
	});
}

/** Stryker, for tests of the tests. */
export async function installStryker() {
	const folder = join(projectFolder, 'test', 'mutation');
	await install(folder, { name: 'Stryker', gigabytes: 0.1, minutes: '1' });
}

/** How large each n8n is on the disk, and how long it takes to install. */
const sizes = {
	n8n: { gigabytes: 2.2, minutes: '3 to 6' },
	'n8n-1': { gigabytes: 1.6, minutes: '2 to 5' },
};

/**
 * A pinned n8n. The newest one brings the Node that both need.
 *
 * @param {'n8n' | 'n8n-1'} name the folder with its package.json, lock file and .npmrc
 */
export async function installN8n(name = 'n8n') {
	if (name !== 'n8n') await installN8n();
	const folder = join(projectFolder, 'sandbox', name);
	const { version } = packagesOf(folder, 'package-lock.json')['node_modules/n8n'];
	await install(folder, { name: `n8n ${version}`, ...sizes[name] });
}

async function install(folder, { name, gigabytes, minutes }) {
	if (isInstalled(folder)) return;
	await needDisk(folder, gigabytes + roomToUnpack);
	process.stdout.write(
		`Installing ${name}: about ${gigabytes} GB, about ${minutes} minutes, once\n`,
	);
	const started = Date.now();
	await npmCi(folder);
	process.stdout.write(`  done in ${elapsed(started)}\n`);
}

/**
 * Whether npm's record, which it writes when an installation has ended, lists everything that the
 * lock file names. What is for other systems alone is missing there.
 */
function isInstalled(folder) {
	const installed = packagesOf(folder, join('node_modules', '.package-lock.json'));
	return Object.entries(packagesOf(folder, 'package-lock.json')).every(
		([path, { version, optional = false }]) =>
			path === '' || (installed[path] ? installed[path].version === version : optional),
	);
}

function packagesOf(folder, lockFile) {
	const file = join(folder, lockFile);
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** Runs npm, with how far it is on the screen. It ends when this process does. */
async function npmCi(folder) {
	const args = ['ci', '--include=dev', '--no-progress', '--loglevel=error'];
	// On Windows npm is a script, which Node can't start; npm names the program behind it.
	const npm = process.env.npm_execpath;
	const child = npm
		? spawn(process.execPath, [npm, ...args], { cwd: folder, stdio: 'inherit' })
		: spawn(`npm ${args.join(' ')}`, { cwd: folder, stdio: 'inherit', shell: true });
	let interrupted = false;
	const interrupt = () => {
		interrupted = true;
		// npm takes its time over other signals, or doesn't end at all.
		child.kill('SIGKILL');
	};
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	for (const signal of signals) process.on(signal, interrupt);
	const stopProgress = showProgress(folder);
	const code = await new Promise((resolve) => {
		child.on('error', () => resolve(1)).on('close', resolve);
	});
	stopProgress();
	for (const signal of signals) process.off(signal, interrupt);
	if (interrupted)
		throw new StepFailed('Interrupted; the next start installs this from the start.');
	if (code !== 0) throw new StepFailed(`"npm ${args.join(' ')}" in ${folder} failed`);
}

/** Prints time and packages: on a terminal in one line, elsewhere in a new line now and then. */
function showProgress(folder) {
	const started = Date.now();
	const paths = Object.keys(packagesOf(folder, 'package-lock.json')).filter(
		(path) => path !== '',
	);
	const { isTTY } = process.stdout;
	const print = () => {
		const there = paths.filter((path) => existsSync(join(folder, path, 'package.json')));
		const line = `  ${elapsed(started)}  ${there.length} of about ${paths.length} packages`;
		process.stdout.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`);
	};
	const timer = setInterval(print, isTTY ? 1_000 : 12_000);
	return () => {
		clearInterval(timer);
		if (isTTY) process.stdout.write('\r\x1b[K');
	};
}

/** Such as "1:05". */
function elapsed(since) {
	const seconds = Math.round((Date.now() - since) / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

async function needDisk(folder, gigabytes) {
	const { bavail, bsize } = await statfs(folder);
	const free = (bavail * bsize) / 1e9;
	if (free >= gigabytes) return;
	throw new StepFailed(
		`Only ${free.toFixed(1)} GB are free on the disk of ${folder}; ` +
			`installing needs about ${gigabytes} GB.`,
	);
}
