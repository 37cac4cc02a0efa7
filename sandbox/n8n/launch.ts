import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../free-port';
import { startGuarded } from '../guarded-process';
import { logTail } from '../log-tail';
import { whenUp } from '../when-up';
import { n8nEnvironment } from './environment';
import { findInstallation, type InstallationName } from './installation';

/** How to start a process of n8n's. */
export interface LaunchOptions {
	/** Folder for its data; `createUserFolder` makes one that has the package installed. */
	readonly userFolder: string;
	/** Which n8n; the newest unless another one is named. */
	readonly installation?: InstallationName;
	/** Port to listen on; another one is taken if this isn't free. */
	readonly port?: number;
	/** Settings beside those of `n8nEnvironment`. */
	readonly env?: Readonly<Record<string, string>>;
	/** Milliseconds it may take to start. */
	readonly timeout?: number;
}

/** A command of n8n's that listens on a port until it is stopped. */
export interface Command {
	readonly name: 'start' | 'worker';
	/** Settings that depend on the port. */
	env?(port: number): Readonly<Record<string, string>>;
	/** Whether it can be used by now; may reject when it can't. */
	isUp(url: string): Promise<boolean>;
}

/** A running process of n8n's, with everything it started. */
export interface N8nProcess {
	/** Address that it listens on, without a slash at the end. */
	readonly url: string;
	readonly port: number;
	readonly userFolder: string;
	/** Everything it printed. */
	readonly logFile: string;
	/** Number of the process group it runs in. */
	readonly processGroup: number;
	/** Resolves when it ends, by `stop()` or by itself. */
	readonly ended: Promise<number>;
	/** Ends it and everything it started. */
	stop(): Promise<void>;
	/** Ends all of it at once by SIGKILL, as a machine that goes down would. */
	kill(): Promise<void>;
}

const attempts = 4;
const defaultTimeout = 120_000;

/**
 * Starts a command of a pinned n8n and waits until it is up. It ends with this process, however
 * this one ends.
 *
 * @throws Error when n8n isn't installed; with the end of the log when it doesn't start.
 */
export async function launch(command: Command, options: LaunchOptions): Promise<N8nProcess> {
	mkdirSync(options.userFolder, { recursive: true });
	const logFile = join(options.userFolder, 'n8n.log');
	for (let attempt = 1; ; attempt++) {
		await rm(logFile, { force: true });
		// Where one was killed, the next would wait ten seconds.
		await rm(join(options.userFolder, '.n8n', 'crash.journal'), { force: true });
		const started = await launchOnce(command, options, logFile);
		if (typeof started !== 'string') return started;
		// Somebody else may take a port between our finding it and n8n's listening on it.
		const portWasTaken = /EADDRINUSE|already in use/.test(logTail(logFile));
		if (!portWasTaken || attempt === attempts) {
			throw new Error(`${started}. The end of ${logFile}:\n${logTail(logFile)}`);
		}
	}
}

/** One try; a string says why it failed. */
async function launchOnce(
	command: Command,
	options: LaunchOptions,
	logFile: string,
): Promise<N8nProcess | string> {
	const { userFolder } = options;
	const installation = findInstallation(options.installation);
	const port = await freePort(options.port);
	const brokerPort = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const n8n = startGuarded({
		command: installation.node,
		args: [installation.program, command.name],
		cwd: userFolder,
		env: {
			...n8nEnvironment({ installation, userFolder, port, brokerPort }),
			...command.env?.(port),
			...options.env,
		},
		logFile,
	});
	const timeout = options.timeout ?? defaultTimeout;
	const state = await whenUp(n8n, () => command.isUp(url), timeout);
	if (state === 'ended') return `n8n ended with exit code ${await n8n.ended} while starting`;
	if (state === 'late') {
		await n8n.stop();
		return `n8n did not start within ${timeout / 1000} seconds`;
	}
	return {
		url,
		port,
		userFolder,
		logFile,
		processGroup: n8n.group,
		ended: n8n.ended,
		stop: () => n8n.stop(),
		kill: () => n8n.kill(),
	};
}
