/**
 * Runs one command and sees to it that nothing of it outlives the program that asked for it.
 *
 *     node guard.mjs <command> [arguments]
 *
 * It is started as the leader of a process group of its own, with a pipe as standard input. The
 * pipe closes when the program that asked ends in whatever way, even by SIGKILL; the guard then
 * ends its whole group: politely, and after a while by force.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';

const graceMilliseconds = 8_000;
const [command, ...commandArguments] = process.argv.slice(2);
let abandoned = false;
const child = spawn(command, commandArguments, { stdio: ['ignore', 'inherit', 'inherit'] });

// The group gets these signals as a whole: the child ends by them, and the guard ends with it.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});

child.on('error', (error) => {
	process.stderr.write(`${error.message}\n`);
	process.exit(127);
});
child.on('exit', (code, signal) => {
	// Nobody is left to sweep up what the command leaves in the group, so it goes, guard and all.
	if (abandoned) process.kill(-process.pid, 'SIGKILL');
	process.exit(code ?? 128 + constants.signals[signal]);
});

process.stdin.resume();
process.stdin.on('close', () => {
	abandoned = true;
	process.kill(-process.pid, 'SIGTERM');
	setTimeout(() => process.kill(-process.pid, 'SIGKILL'), graceMilliseconds);
});
