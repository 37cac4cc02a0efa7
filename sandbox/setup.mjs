/**
 * Installs what is missing. Runs before anything is installed, so it uses Node alone.
 *
 * Every function may be called at any time: what is complete is left alone, what is missing, half
 * done or of another version is installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { homeFolder, n8nFolder, projectFolder } from './folders.mjs';
import { isInstalled, lockedPaths, lockedVersion, makeWay, writeStamp } from './installed.mjs';
import { withLock } from './lock.mjs';
import { runNpm, StepFailed } from './npm-step.mjs';

export { StepFailed };

const gigabyte = 1e9;
/** Gigabytes that npm needs for a while beside what stays. */
const roomToUnpack = 1.8;
/**
 * What the lock file says, without changing it. Not `npm ci`, which refuses a lock file that was
 * written where the registry has no builds of some packages for other systems.
 */
const install = ['install', '--no-save', '--no-progress'];
const nodeMajor = `node ${process.versions.node.split('.', 1)[0]}`;

/** The project's own packages: compiler, linter, test runner. */
export async function installProject() {
	if (isInstalled(projectFolder, nodeMajor)) return writeStamp(projectFolder, nodeMajor);
	await locked(async ({ share }) => {
		if (isInstalled(projectFolder, nodeMajor)) return;
		await needDisk(projectFolder, 1.5);
		makeWay(projectFolder);
		await runNpm({
			title: 'Installing the development packages: about 500 MB, about 1 to 2 minutes, once',
			args: [...install, '--include=dev'],
			folder: projectFolder,
			log: 'install-project.log',
			describe: () => countPackages(projectFolder),
			share,
		});
		writeStamp(projectFolder, nodeMajor);
	});
}

/** How large each n8n is on the disk, and how long it takes to install. */
const sizes = {
	n8n: { gigabytes: 2.2, minutes: '4 to 8' },
	'n8n-1': { gigabytes: 1.6, minutes: '3 to 6' },
};

/**
 * A pinned n8n, with the Node it needs.
 *
 * @param {'n8n' | 'n8n-1'} name the folder with its package.json, lock file and .npmrc
 */
export async function installN8n(name = 'n8n') {
	const folder = n8nFolder(name);
	const version = lockedVersion(folder, 'n8n');
	const { gigabytes, minutes } = sizes[name];
	const runtime = `node ${lockedVersion(folder, 'node')}`;
	if (isInstalled(folder, runtime) && isPrepared(folder)) return writeStamp(folder, runtime);
	await locked(async ({ share }) => {
		if (!isInstalled(folder, runtime)) {
			await needDisk(folder, gigabytes + roomToUnpack);
			makeWay(folder);
			await runNpm({
				title: `Installing n8n ${version}: about ${gigabytes} GB, about ${minutes} minutes, once`,
				args: install,
				folder,
				log: `install-${name}.log`,
				describe: () => countPackages(folder),
				share,
			});
		}
		if (!isPrepared(folder)) {
			await runNpm({
				title: `Preparing Node ${lockedVersion(folder, 'node')} and SQLite for n8n ${version}: about 1 minute, once`,
				args: ['rebuild', 'node', 'sqlite3', '--ignore-scripts=false'],
				folder,
				log: prepareLog(name),
				describe: () => 'fetching or compiling',
				share,
				hint:
					'Where npm finds no finished SQLite for this machine, it compiles it: that needs ' +
					'Python 3, make and a C++ compiler.',
			});
			checkPrepared(name);
		}
		writeStamp(folder, runtime);
	});
}

function locked(work) {
	mkdirSync(homeFolder, { recursive: true });
	return withLock(
		'install',
		(pid, folder) => {
			process.stdout.write(
				`Another run (process ${pid}) is installing; waiting for it. ` +
					`If there is none, remove ${folder}\n`,
			);
		},
		work,
	);
}

/** n8n can't start without its Node and the compiled part of SQLite. */
function isPrepared(folder) {
	const node = join(folder, 'node_modules', 'node', 'bin', 'node');
	if (!existsSync(node)) return false;
	const result = spawnSync(node, ['--eval', `require('sqlite3')`], { cwd: folder });
	return result.status === 0;
}

function checkPrepared(name) {
	const folder = n8nFolder(name);
	if (isPrepared(folder)) return;
	throw new StepFailed(
		`npm prepared Node and SQLite in ${folder}, but they don't work on this machine. ` +
			`See ${join(homeFolder, 'logs', prepareLog(name))}`,
	);
}

const prepareLog = (name) => `prepare-${name}.log`;

function countPackages(folder) {
	const paths = lockedPaths(folder);
	const there = paths.filter((path) => existsSync(join(folder, path, 'package.json')));
	return `${there.length} of about ${paths.length} packages`;
}

async function needDisk(folder, gigabytes) {
	const { bavail, bsize } = await statfs(folder);
	const free = (bavail * bsize) / gigabyte;
	if (free >= gigabytes) return;
	throw new StepFailed(
		`Only ${free.toFixed(1)} GB are free on the disk of ${folder}; ` +
			`installing needs about ${gigabytes} GB.`,
	);
}
