import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A process that ends together with this one, along with everything it started. */
export interface GuardedProcess {
	/** Number of its process group; the group holds the process and all it starts. */
	readonly group: number;
	/** Its standard output, when `output` was `'pipe'`. */
	readonly stdout: Readable | null;
	/** Resolves with the exit code once it has ended, for whatever reason. Never rejects. */
	readonly ended: Promise<number>;
	/** False once it has ended. */
	isRunning(): boolean;
	/** Ends the whole group: SIGTERM, and SIGKILL when it takes longer than ten seconds. */
	stop(): Promise<void>;
	/** Ends the whole group at once by SIGKILL, as a machine that goes down would. */
	kill(): Promise<void>;
}

/** What to run, and where its output goes. */
export interface GuardedCommand {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** File that standard error, and standard output unless piped, are appended to. */
	readonly logFile: string;
	/** `'log'` (the default) or `'pipe'`, to read standard output. */
	readonly output?: 'log' | 'pipe';
}

const graceMilliseconds = 10_000;
const running = new Set<GuardedProcess>();
let closed = false;

/** Stops every guarded process, also those that are still starting; no further one can start. */
export async function stopAllGuarded(): Promise<void> {
	closed = true;
	await Promise.all([...running].map((guarded) => guarded.stop()));
}

/** Starts a command that can't outlive this process. See `guard.mjs` for how. */
export function startGuarded(command: GuardedCommand): GuardedProcess {
	if (closed) throw new Error('Everything is being stopped');
	const log = openSync(command.logFile, 'a');
	const child = spawn(
		process.execPath,
		[join(__dirname, 'guard.mjs'), command.command, ...command.args],
		{
			cwd: command.cwd,
			env: command.env,
			detached: true,
			stdio: ['pipe', command.output === 'pipe' ? 'pipe' : log, log],
		},
	);
	closeSync(log);
	const group = child.pid;
	if (group === undefined) throw new Error(`Could not start ${process.execPath}`);

	const ended = new Promise<number>((resolve) => {
		child.once('exit', (code) => {
			// Sweeps up what the command may have left in its group.
			signalGroup(group, 'SIGKILL');
			running.delete(guarded);
			resolve(code ?? 1);
		});
	});
	const guarded: GuardedProcess = {
		group,
		stdout: child.stdout,
		ended,
		isRunning: () => isRunning(child),
		stop: () => stop(child, group, ended),
		kill: async () => {
			if (isRunning(child)) signalGroup(group, 'SIGKILL');
			await ended;
		},
	};
	running.add(guarded);
	return guarded;
}

function isRunning(child: ChildProcess): boolean {
	return child.exitCode === null && child.signalCode === null;
}

async function stop(child: ChildProcess, group: number, ended: Promise<number>): Promise<void> {
	if (!isRunning(child)) return;
	signalGroup(group, 'SIGTERM');
	const force = setTimeout(() => {
		signalGroup(group, 'SIGKILL');
	}, graceMilliseconds);
	await ended;
	clearTimeout(force);
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-group, signal);
	} catch {
		// The group is gone already.
	}
}
