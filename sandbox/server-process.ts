/** Processes that run until they are stopped, and never longer than this one. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import execa from 'execa';

import { until } from './until';

export interface ServerCommand {
	readonly name: string;
	readonly command: string;
	readonly args: readonly string[];
	readonly folder: string;
	readonly env?: NodeJS.ProcessEnv;
	readonly user?: { readonly uid: number; readonly gid: number } | undefined;
	readonly stopSignal?: NodeJS.Signals;
	readonly isUp: (logFile: string) => Promise<boolean>;
	readonly timeout: number;
}

/**
 * A process that ends together with this one, along with everything it started. `ended` is its exit
 * code, and never rejects. `stop` ends all of it, by SIGKILL when it takes longer than eight seconds;
 * `kill` does so at once, as a machine that goes down would.
 */
export type ServerProcess = ReturnType<typeof launch>;

/** Ctrl-C in a terminal reaches our own group alone. On Windows, it would open a window. */
const ownGroup = { detached: process.platform !== 'win32' };
const running = new Set<ServerProcess>();
let isClosed = false;

/** Stops every server, the one started last first; no further one can start. */
export async function stopAllServers(): Promise<void> {
	isClosed = true;
	for (const server of [...running].reverse()) await server.stop();
}

/**
 * Resolves when the program is asked to end: by a signal, or by the end of what runs it, npm or a
 * shell, which doesn't always pass a signal on. A second signal ends it at once.
 */
export function whenInterrupted(): Promise<void> {
	return new Promise((resolve) => {
		let isInterrupted = false;
		const interrupt = (): void => {
			// What was started ends with this process all the same.
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
 * Starts a server, and waits until it can be used; while `isUp` rejects, it can't.
 * @throws Error with the end of its log when it ends by itself, or takes too long.
 */
export async function startServer(options: ServerCommand): Promise<ServerProcess> {
	const { name, isUp, timeout } = options;
	const server = launch(options);
	const { logFile } = server;
	const checkIsUp = async () => {
		// On its port, somebody else's might answer.
		if (running.has(server)) return await isUp(logFile).catch(() => false);
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
	if (isClosed) throw new Error('Everything is being stopped');
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
		// Once all is gone, nobody takes it.
		supervisor.send(signal, () => undefined);
		await supervisorExit;
	};
	const ended = child.then(
		async ({ exitCode }: { readonly exitCode?: number }): Promise<number> => {
			running.delete(server);
			// What it may have left.
			await end('SIGKILL');
			return exitCode ?? 1;
		},
	);
	const stop = () => end(stopSignal);
	const server = { pid, logFile, ended, stop, kill: () => end('SIGKILL') };
	running.add(server);
	return server;
}
