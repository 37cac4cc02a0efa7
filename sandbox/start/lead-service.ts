import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { homeFolder, projectFolder } from '../paths';
import { logTail, startServer, type ServerProcess } from '../server-process';

/** An account of the mock service; the service has more to say about it. */
export interface ServiceAccount {
	readonly id: string;
	readonly apiKey: string;
	readonly apiCredits: number;
}

/** The mock service, running as a process of its own. */
export interface RunningService {
	readonly baseUrl: string;
	/** The account with the most credits. */
	readonly account: ServiceAccount;
	readonly ended: Promise<number>;
	stop(): Promise<void>;
}

/** What the service was asked, and what that cost. */
export interface Spending {
	readonly requests: number;
	/** Credits. */
	readonly charged: number;
	/** Credits. */
	readonly left: number;
}

interface Announcement {
	readonly baseUrl: string;
	readonly accounts: readonly ServiceAccount[];
}

/**
 * Starts the mock service on a free port of 127.0.0.1.
 *
 * @param more further arguments for its command line.
 */
export async function startLeadService(more: readonly string[] = []): Promise<RunningService> {
	const logs = join(homeFolder, 'logs');
	mkdirSync(logs, { recursive: true });
	const logFile = join(logs, 'lead-service.log');
	await rm(logFile, { force: true });
	const service = startServer({
		command: process.execPath,
		args: ['--import', 'tsx', join('sandbox', 'service', 'cli.ts'), '--json', ...more],
		cwd: projectFolder,
		env: process.env,
		logFile,
		output: 'pipe',
	});
	const announcement = await firstLine(service);
	if (announcement === undefined) {
		await service.stop();
		throw new Error(`The lead service did not start:\n${logTail(logFile)}`);
	}
	const { baseUrl, accounts } = JSON.parse(announcement) as Announcement;
	const [account] = [...accounts].sort((a, b) => b.apiCredits - a.apiCredits);
	if (account === undefined) throw new Error('The lead service has no accounts');
	return { baseUrl, account, ended: service.ended, stop: () => service.stop() };
}

/** What the account has spent since the service started. */
export async function spendingOf({ baseUrl, account }: RunningService): Promise<Spending> {
	const id = encodeURIComponent(account.id);
	const [requests, now] = await Promise.all([
		getJson(`${baseUrl}/_admin/requests?account=${id}`) as Promise<Array<{ charged: number }>>,
		getJson(`${baseUrl}/_admin/accounts/${id}`) as Promise<ServiceAccount>,
	]);
	return {
		requests: requests.length,
		charged: requests.reduce((sum, request) => sum + request.charged, 0),
		left: now.apiCredits,
	};
}

/** Nothing when the service ends without a word. */
function firstLine({ stdout }: ServerProcess): Promise<string | undefined> {
	return new Promise((resolve) => {
		if (stdout === null) {
			resolve(undefined);
			return;
		}
		const lines = createInterface({ input: stdout });
		lines.once('line', resolve);
		lines.once('close', () => {
			resolve(undefined);
		});
	});
}

async function getJson(url: string): Promise<unknown> {
	const response = await fetch(url);
	if (!response.ok) throw new Error(`${url} answered ${response.status}`);
	return response.json();
}
