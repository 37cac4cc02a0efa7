/** Locks between programs, so that two runs at once don't write the same files. */
import {
	appendFileSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { homeFolder } from './folders.mjs';

/** A lock without a process number is one that is just being taken, unless it is this old. */
const halfTakenMilliseconds = 5_000;

/**
 * @typedef {object} Lock
 * @property {(pid: number) => void} share makes the lock last until that process has ended too
 * @property {() => void} release
 */

/**
 * Takes a lock: a folder that holds the numbers of the processes that have it. A lock whose
 * processes are gone is taken over.
 *
 * @param {string} name
 * @returns {Lock | { heldBy: number, folder: string }}
 */
export function takeLock(name) {
	mkdirSync(homeFolder, { recursive: true });
	const folder = join(homeFolder, `${name}.lock`);
	for (;;) {
		try {
			mkdirSync(folder);
			const file = join(folder, 'pid');
			writeFileSync(file, `${process.pid}\n`);
			return {
				share: (pid) => appendFileSync(file, `${pid}\n`),
				release: () => rmSync(folder, { recursive: true, force: true }),
			};
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
		}
		const heldBy = holder(folder);
		if (heldBy !== undefined) return { heldBy, folder };
		dropStale(folder);
	}
}

/**
 * Does some work while holding a lock, after waiting for whoever has it.
 *
 * @param {string} name
 * @param {(heldBy: number, folder: string) => void} onWait told once if it has to wait
 * @param {(lock: Lock) => Promise<void>} work
 */
export async function withLock(name, onWait, work) {
	let lock = takeLock(name);
	if ('heldBy' in lock) onWait(lock.heldBy, lock.folder);
	while ('heldBy' in lock) {
		await sleep(1_000);
		lock = takeLock(name);
	}
	try {
		await work(lock);
	} finally {
		lock.release();
	}
}

/** A process that has the lock; nothing if there is none any more. */
function holder(folder) {
	try {
		const pids = readFileSync(join(folder, 'pid'), 'utf8').trim().split('\n').map(Number);
		return pids.find(isAlive);
	} catch {
		return ageOf(folder) < halfTakenMilliseconds ? 0 : undefined;
	}
}

function isAlive(pid) {
	if (!(pid > 0)) return false;
	try {
		process.kill(pid, 0);
		return !isZombie(pid);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/**
 * Whether it has ended but is still listed, as in a container whose first process doesn't care for
 * orphans. Where the system tells (Linux), the state follows the name in brackets.
 */
function isZombie(pid) {
	try {
		return (
			readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') === true
		);
	} catch {
		return false;
	}
}

function ageOf(folder) {
	try {
		return Date.now() - statSync(folder).mtimeMs;
	} catch {
		return Infinity;
	}
}

/** Renames before it removes, so that of two that find a stale lock only one removes it. */
function dropStale(folder) {
	const aside = `${folder}.${process.pid}`;
	try {
		renameSync(folder, aside);
		rmSync(aside, { recursive: true, force: true });
	} catch (error) {
		if (error.code !== 'ENOENT') throw error;
	}
}
