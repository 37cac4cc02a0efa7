/**
 * `supervisor.mjs <pid> <signal>`: ends a process and its child processes, either when its parent process sends the name
 * of a signal, or with the given signal when the parent has ended for any reason, even by SIGKILL.
 */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const [pid, stopSignal] = process.argv.slice(2);

process.on('message', end);
process.on('disconnect', () => end(stopSignal));
if (!process.connected) await end(stopSignal);

/** Sends a signal, and SIGKILL after eight seconds. */
async function end(signal) {
	const deadline = Date.now() + 8_000;
	signalAll(signal);
	while (signalAll(0) && Date.now() < deadline) await sleep(50);
	signalAll('SIGKILL');
	process.exit();
}

/** Sends a signal to the process group. @returns whether it still had a process; on Windows, which has no groups, false */
function signalAll(signal) {
	try {
		if (process.platform !== 'win32') return process.kill(-pid, signal);
		if (signal !== 0) execFileSync('taskkill', ['/pid', pid, '/t', '/f']);
		return false;
	} catch {
		return false;
	}
}
