/** Processes that run until they are stopped, and never longer than this one. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from './until';

/** What to run, and where its output goes. */
export interface ServerCommand {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** File that its output is appended to. */
	readonly logFile: string;
	/** User and group to run as, where that isn't ourselves. */
	readonly user?: { readonly uid: number; readonly gid: number };
	/** What asks it to stop; SIGTERM unless given. */
	readonly stopSignal?: NodeJS.Signals;
}

/** A process that ends together with this one, along with everything it started. */
export interface ServerProcess {
	readonly pid: number;
	/** Resolves with the exit code once it has ended, for whatever reason. Never rejects. */
	readonly ended: Promise<number>;
	isRunning(): boolean;
	/** Ends it and all it started; by SIGKILL when it takes longer than ten seconds. */
	readonly stop: () => Promise<void>;
	/** Ends all of it at once by SIGKILL, as a machine that goes down would. */
	readonly kill: () => Promise<void>;
}

const graceMilliseconds = 10_000;
const running = new Set<ServerProcess>();
let closed = false;
let supervisor: ChildProcess | undefined;

/** Stops every server, the one started last first; no further one can start. */
export async function stopAllServers(): Promise<void> {
	closed = true;
	for (const server of [...running].reverse()) await server.stop();
}

/**
 * Resolves when the program is asked to end: by Ctrl-C, a signal, the closing of the terminal, or
 * the end of what runs it, npm or a shell, which doesn't always pass a signal on. A second signal
 * ends it at once.
 */
export function whenInterrupted(): Promise<void> {
	return new Promise((resolve) => {
		let asked = false;
		const ask = (): void => {
			// What was started ends with this process all the same.
			if (asked) process.exit(130);
			asked = true;
			resolve();
		};
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, ask);
		const parent = process.ppid;
		const timer = setInterval(() => {
			if (process.ppid === parent) return;
			clearInterval(timer);
			resolve();
		}, 1_000);
		timer.unref();
	});
}

/** Starts a server. It can't outlive this process: see `supervisor.mjs`. */
export function startServer(options: ServerCommand): ServerProcess {
	if (closed) throw new Error('Everything is being stopped');
	const { command, args, cwd, env, user, stopSignal = 'SIGTERM' } = options;
	const log = openSync(options.logFile, 'a');
	const child = spawn(command, args, {
		cwd,
		env,
		...user,
		...ownGroup,
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	const ended = new Promise<number>((resolve) => {
		child.once('error', () => {
			resolve(1);
		});
		child.once('exit', (code) => {
			resolve(code ?? 1);
		});
	});
	const { pid } = child;
	if (pid === undefined) throw new Error(`Could not start ${command} in ${cwd}`);
	const isRunning = () => child.exitCode === null && child.signalCode === null;
	const end = async (signal: NodeJS.Signals) => {
		if (isRunning()) signalAll(pid, signal);
		const force = setTimeout(() => {
			signalAll(pid, 'SIGKILL');
		}, graceMilliseconds);
		await ended;
		clearTimeout(force);
	};
	const server: ServerProcess = {
		pid,
		ended,
		isRunning,
		stop: () => end(stopSignal),
		kill: () => end('SIGKILL'),
	};
	running.add(server);
	supervise(`+${pid}`);
	void ended.then(() => {
		// What it may have left.
		signalAll(pid, 'SIGKILL');
		running.delete(server);
		supervise(`-${pid}`);
	});
	return server;
}

/**
 * Waits until a server can be used; stops it when it can't be.
 *
 * @param isUp whether it can; a rejection means that it can't yet
 * @param timeout milliseconds
 * @throws Error with the end of its log when it ends by itself, or takes too long.
 */
export async function whenUp(
	server: ServerProcess,
	isUp: () => Promise<boolean>,
	{ name, logFile, timeout }: { name: string; logFile: string; timeout: number },
): Promise<void> {
	try {
		await until(
			`${name} is up`,
			async () => {
				// On its port, somebody else's might answer.
				if (server.isRunning()) return await isUp().catch(() => false);
				throw new Error(
					`${name} ended with exit code ${await server.ended} while starting`,
				);
			},
			{ timeout },
		);
	} catch (error) {
		await server.stop();
		throw new Error(`${String(error)}\nThe end of ${logFile}:\n${logTail(logFile)}`);
	}
}

/** The last lines of a log file, to show when what wrote it went wrong. */
export function logTail(file: string, lines = 25): string {
	return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

/** Ctrl-C in a terminal reaches our own group alone. Windows has no groups, but trees. */
const ownGroup = process.platform === 'win32' ? { windowsHide: true } : { detached: true };

function supervise(line: string): void {
	supervisor ??= spawn(process.execPath, [join(__dirname, 'supervisor.mjs')], {
		...ownGroup,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	supervisor.unref();
	supervisor.stdin?.write(`${line}\n`);
}

function signalAll(pid: number, signal: NodeJS.Signals): void {
	try {
		if (process.platform !== 'win32') process.kill(-pid, signal);
		else execFileSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
	} catch {
		// All of it is gone already.
	}
}
