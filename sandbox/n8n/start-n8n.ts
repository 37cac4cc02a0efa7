import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../free-port';
import { startGuarded, type GuardedProcess } from '../guarded-process';
import { logTail } from '../log-tail';
import { n8nEnvironment } from './environment';
import { findInstallation, type InstallationName } from './installation';

/** How to start an n8n. */
export interface N8nOptions {
	/** Folder for its data; `createUserFolder` makes one that has the package installed. */
	readonly userFolder: string;
	/** Which n8n; the newest unless another one is named. */
	readonly installation?: InstallationName;
	/** Port for the editor and the API; another one is taken if this isn't free. */
	readonly port?: number;
	/** Settings beside those of `n8nEnvironment`. */
	readonly env?: Readonly<Record<string, string>>;
	/** Milliseconds it may take to start. */
	readonly timeout?: number;
}

/** A running n8n. */
export interface N8n {
	/** Address of editor and API, without a slash at the end. */
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
}

const attempts = 4;
const defaultTimeout = 120_000;

/**
 * Starts a pinned n8n on 127.0.0.1 and waits until its API answers.
 *
 * It ends with this process, however this one ends.
 *
 * @throws Error when it isn't installed; with the end of n8n's log when it doesn't start.
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	mkdirSync(options.userFolder, { recursive: true });
	const logFile = join(options.userFolder, 'n8n.log');
	for (let attempt = 1; ; attempt++) {
		await rm(logFile, { force: true });
		// Where one was killed, the next would wait ten seconds.
		await rm(join(options.userFolder, '.n8n', 'crash.journal'), { force: true });
		const started = await startOnce(options, logFile);
		if (typeof started !== 'string') return started;
		// Somebody else may take a port between our finding it and n8n's listening on it.
		const portWasTaken = /EADDRINUSE|already in use/.test(logTail(logFile));
		if (!portWasTaken || attempt === attempts) {
			throw new Error(`${started}. The end of ${logFile}:\n${logTail(logFile)}`);
		}
	}
}

/** One try; a string says why it failed. */
async function startOnce(options: N8nOptions, logFile: string): Promise<N8n | string> {
	const installation = findInstallation(options.installation);
	const port = await freePort(options.port);
	const brokerPort = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const n8n = startGuarded({
		command: installation.node,
		args: [installation.program, 'start'],
		cwd: options.userFolder,
		env: {
			...n8nEnvironment({ installation, userFolder: options.userFolder, port, brokerPort }),
			...options.env,
		},
		logFile,
	});
	const failure = await waitUntilUp(url, n8n, options.timeout ?? defaultTimeout);
	if (failure !== undefined) {
		await n8n.stop();
		return failure;
	}
	return {
		url,
		port,
		userFolder: options.userFolder,
		logFile,
		processGroup: n8n.group,
		ended: n8n.ended,
		stop: () => n8n.stop(),
	};
}

async function waitUntilUp(
	url: string,
	n8n: GuardedProcess,
	timeout: number,
): Promise<string | undefined> {
	const deadline = Date.now() + timeout;
	while (n8n.isRunning()) {
		if (await answers(url)) return undefined;
		if (Date.now() > deadline) return `n8n did not start within ${timeout / 1000} seconds`;
		await sleep(100);
	}
	return `n8n ended with exit code ${await n8n.ended} while starting`;
}

/** `/healthz` answers before n8n can be used, and so does `/rest/settings`, with a text. */
async function answers(url: string): Promise<boolean> {
	try {
		const response = await fetch(`${url}/rest/settings`, {
			signal: AbortSignal.timeout(2_000),
		});
		const text = await response.text();
		return response.ok && text.startsWith('{');
	} catch {
		return false;
	}
}
