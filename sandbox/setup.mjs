/**
 * Installs what is missing, with `npm ci`. Runs before anything is installed, so it uses Node alone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** An installation that failed; the message is for the user. */
class StepFailed extends Error {}

/** Gigabytes that npm needs for a while beside what stays. */
const roomToUnpack = 1;

/**
 * Everything that can be installed: a folder with package.json, lock file and .npmrc, how large it is
 * on the disk, and how many minutes it takes.
 */
const parts = {
	project: { name: 'the development packages', folder: '', gigabytes: 0.6, minutes: 1 },
	// The newest n8n brings the Node that both need.
	n8n: { folder: 'sandbox/n8n', gigabytes: 2.2, minutes: '3 to 6' },
	'n8n-1': { folder: 'sandbox/n8n-1', gigabytes: 1.6, minutes: '2 to 5' },
	'node-cli': { name: "n8n's node-cli", folder: 'sandbox/node-cli', gigabytes: 0.6, minutes: 1 },
	stryker: { name: 'Stryker', folder: 'test/mutation', gigabytes: 0.1, minutes: 1 },
};

/**
 * Installs what a program needs that uses the newest n8n, runs it, and ends with its exit code.
 *
 * @param {URL} file has a function `main`, which takes `options` and returns the exit code
 * @param {Array<keyof typeof parts>} more what else it needs
 */
export async function runMain(file, options, ...more) {
	try {
		await install('project', 'n8n', ...more);
		const { tsImport } = await import('tsx/esm/api');
		const { main } = await tsImport(file.href, import.meta.url);
		process.exit(await main(options));
	} catch (error) {
		process.stderr.write(`${error instanceof StepFailed ? error.message : error.stack}\n`);
		process.exit(1);
	}
}

/**
 * Installs those parts that are missing, one after the other.
 *
 * @param {Array<keyof typeof parts>} names
 */
export async function install(...names) {
	for (const part of names) {
		const { gigabytes, minutes, ...known } = parts[part];
		const folder = join(projectFolder, known.folder);
		if (isInstalled(folder)) continue;
		const { bavail, bsize } = await statfs(folder);
		const free = (bavail * bsize) / 1e9;
		if (free < gigabytes + roomToUnpack) {
			throw new StepFailed(
				`Only ${free.toFixed(1)} GB are free on the disk of ${folder}; ` +
					`installing needs about ${gigabytes + roomToUnpack} GB.`,
			);
		}
		const n8n = packagesOf(folder, 'package-lock.json')['node_modules/n8n'];
		const name = known.name ?? `n8n ${n8n.version}`;
		process.stdout.write(
			`Installing ${name}: about ${gigabytes} GB, about ${minutes} minutes, once\n`,
		);
		await npmCi(folder);
	}
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

/** Runs npm, which shows its own progress. It ends when this process does. */
async function npmCi(folder) {
	const args = ['ci', '--include=dev', '--loglevel=error'];
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
	const [code] = await once(child, 'close');
	for (const signal of signals) process.off(signal, interrupt);
	if (interrupted)
		throw new StepFailed('Interrupted; the next start installs this from the start.');
	if (code !== 0) throw new StepFailed(`"npm ${args.join(' ')}" in ${folder} failed`);
}
