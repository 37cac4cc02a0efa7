/**
 * Ends processes when the one that started them has ended, in whatever way, even by SIGKILL: the
 * pipe that is its standard input closes then. Lines on it name the processes: `+123`, `-123`.
 */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const groups = new Set();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
	const group = Number(line.slice(1));
	if (line.startsWith('+')) groups.add(group);
	else groups.delete(group);
});
lines.on('close', async () => {
	const deadline = Date.now() + 8_000;
	// PostgreSQL, the first to be started, is the last to be ended.
	for (const group of [...groups].reverse()) {
		signal(group, 'SIGTERM');
		while (signal(group, 0) && Date.now() < deadline) await sleep(100);
		signal(group, 'SIGKILL');
	}
});

/** Whether there was anybody to take the signal. */
function signal(group, name) {
	try {
		if (process.platform !== 'win32') return process.kill(-group, name);
		if (name !== 0) execFileSync('taskkill', ['/pid', String(group), '/t', '/f']);
		return false;
	} catch {
		return false;
	}
}
