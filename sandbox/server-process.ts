/** Starts servers as processes. They run until they are stopped, or until this process ends. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import execa from 'execa';

import { until } from './until';

/** How to start a server. */
export interface ServerCommand {
	/** Name for messages and for the log file. */
	readonly name: string;
	readonly command: string;
	readonly args: readonly string[];
	readonly folder: string;
	readonly env?: NodeJS.ProcessEnv;
	readonly user?: { readonly uid: number; readonly gid: number } | undefined;
	readonly stopSignal?: NodeJS.Signals;
	/** Whether the server can be used. A rejection counts as no. */
	readonly isUp: (logFile: string) => Promise<boolean>;
	/** How long to wait for `isUp`, in milliseconds. */
	readonly timeout: number;
}

/**
 * A server. It and its child processes end when this process ends. `ended` resolves with its exit code and never rejects.
 * `stop` ends it and its child processes, after eight seconds by SIGKILL. `kill` sends SIGKILL at once, like a crash.
 */
export type ServerProcess = ReturnType<typeof launch>;

/** A process group of its own, so that Ctrl-C in a terminal doesn't reach the server. On Windows, that would open a window. */
const ownGroup = { detached: process.platform !== 'win32' };
const running = new Set<ServerProcess>();
let isClosed = false;

/** Stops all servers in reverse order. No more servers can be started afterwards. */
export async function stopAllServers(): Promise<void> {
	isClosed = true;
	for (const server of [...running].reverse()) await server.stop();
}

/**
 * Resolves when this process should end: it got a signal, or its parent process has ended (npm and shells don't always
 * forward signals). A second signal ends it at once.
 */
export function whenInterrupted(): Promise<void> {
	return new Promise((resolve) => {
		let isInterrupted = false;
		const interrupt = (): void => {
			// The servers end together with this process.
			if (isInterrupted) process.exit(130);
			isInterrupted = true;
			resolve();
		};
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
		const parent = process.ppid;
		setInterval(() => {
			if (process.ppid !== parent) resolve();
		}, 1_000).unref();
	});
}

/**
 * Starts a server, and waits until it can be used.
 *
 * @throws Error with the end of its log if it ends while starting, or takes too long
 */
export async function startServer(options: ServerCommand): Promise<ServerProcess> {
	const { name, isUp, timeout } = options;
	const server = launch(options);
	const { logFile } = server;
	const checkIsUp = async () => {
		// Another server might respond on its port.
		if (server.isRunning()) return await isUp(logFile).catch(() => false);
		throw new Error(`${name} ended with exit code ${await server.ended} while starting`);
	};
	try {
		await until(`${name} is up`, checkIsUp, { timeout });
		return server;
	} catch (error) {
		await server.stop();
		const tail = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
		throw new Error(`${String(error)}\nThe end of ${logFile}:\n${tail}`);
	}
}

function launch(serverCommand: ServerCommand) {
	if (isClosed) throw new Error('All servers are being stopped');
	const { command, args, folder, env = process.env, user, stopSignal = 'SIGTERM' } = serverCommand;
	const logFile = join(folder, `${serverCommand.name}.log`);
	rmSync(logFile, { force: true });
	const log = openSync(logFile, 'a');
	const stdio = ['ignore', log, log] as const;
	const options = { cwd: folder, env, extendEnv: false, stdio, cleanup: false, reject: false };
	const child = execa(command, args, { ...options, ...user, ...ownGroup });
	closeSync(log);
	const { pid } = child;
	if (pid === undefined) throw new Error(`Could not start ${command} in ${folder}`);
	const supervisor = fork(join(__dirname, 'supervisor.mjs'), [String(pid), stopSignal], {
		execArgv: [],
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		...ownGroup,
	});
	const supervisorExit = once(supervisor, 'exit');
	const end = async (signal: NodeJS.Signals): Promise<void> => {
		// The supervisor may have ended already.
		supervisor.send(signal, () => undefined);
		await supervisorExit;
	};
	const ended = child.then(
		async ({ exitCode }: { readonly exitCode?: number }): Promise<number> => {
			running.delete(server);
			// Ends child processes that are still running.
			await end('SIGKILL');
			return exitCode ?? 1;
		},
	);
	const stop = () => end(stopSignal);
	const isRunning = (): boolean => running.has(server);
	const server = { pid, logFile, ended, isRunning, stop, kill: () => end('SIGKILL') };
	running.add(server);
	return server;
}
