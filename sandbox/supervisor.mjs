/**
 * Ends a process and all it started when it is sent a signal's name, or when the process that sends
 * them has ended, in whatever way, even by SIGKILL: `supervisor.mjs <pid> <signal for that case>`.
 */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const [pid, stopSignal] = process.argv.slice(2);

process.on('message', end);
process.on('disconnect', () => end(stopSignal));
if (!process.connected) await end(stopSignal);

/** Kills what the signal has not ended in time. */
async function end(signal) {
	const deadline = Date.now() + 8_000;
	signalAll(signal);
	while (signalAll(0) && Date.now() < deadline) await sleep(50);
	signalAll('SIGKILL');
	process.exit();
}

/** Whether there was anybody to take the signal. Windows has no groups of processes, but trees. */
function signalAll(signal) {
	try {
		if (process.platform !== 'win32') return process.kill(-pid, signal);
		if (signal !== 0) execFileSync('taskkill', ['/pid', pid, '/t', '/f']);
		return false;
	} catch {
		return false;
	}
}
