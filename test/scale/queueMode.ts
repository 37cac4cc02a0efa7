/** Starts n8n's queue mode: one main process, several workers, a PostgreSQL and a Redis. */
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';

import { createUserFolder, packPackage, startN8n, type N8n } from '../../sandbox/n8n/index';
import { temporaryFolder } from '../../sandbox/paths';
import { startServer } from '../../sandbox/server-process';
import { findProgram } from '../../sandbox/system-program';

/** A process that takes executions from the queue. `startedExecutions` returns the IDs of the executions that it has started. */
export interface Worker extends N8n {
	readonly name: string;
	startedExecutions(): Promise<readonly string[]>;
}

export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

/**
 * Starts queue mode on 127.0.0.1. Each process has its own folder, in which the built package is installed. `workers`
 * includes workers that have ended. `stop` ends everything and removes its data.
 *
 * @param settings for all processes, in addition to those of queue mode
 */
export async function startQueueMode(count: number, settings: Readonly<Record<string, string>>) {
	const folder = await temporaryFolder();
	const stops = [() => rm(folder, { recursive: true, force: true })];
	const stop = async () => {
		for (const end of stops.splice(0).reverse()) await end();
	};
	try {
		const redis = await startRedis(folder);
		stops.push(redis.stop);
		const env = {
			EXECUTIONS_MODE: 'queue',
			// Manual executions run in workers, too, because n8n plans to make this the only way.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			...redis.env,
			...settings,
		};
		const packed = await packPackage(folder);
		const workers: Worker[] = [];

		async function start(name: string, options: Partial<Parameters<typeof startN8n>[0]>) {
			const userFolder = join(folder, name.replaceAll(' ', '-'));
			await createUserFolder(userFolder, packed);
			const started = await startN8n({ userFolder, env, ...options });
			stops.push(started.stop);
			return started;
		}
		// The workers use the PostgreSQL of the main process.
		const main = await start('main process', {});

		async function addWorker(): Promise<Worker> {
			const name = `worker ${workers.length + 1}`;
			const started = await start(name, { command: 'worker', database: main.database });
			const startedExecutions = async () => {
				const log = await readFile(started.logFile, 'utf8');
				const lines = log.matchAll(/Worker started execution (\d+) \(job/g);
				return Array.from(lines, ([, id = '']) => id);
			};
			const worker: Worker = { ...started, name, startedExecutions };
			workers.push(worker);
			return worker;
		}
		while (workers.length < count) await addWorker();
		return { main, workers, addWorker, stop };
	} catch (error) {
		await stop().catch(() => undefined);
		throw error;
	}
}

/** Starts a Redis that keeps its data in memory. `env` has n8n's settings to connect to it. */
async function startRedis(folder: string) {
	const command = findProgram('redis-server');
	const host = '127.0.0.1';
	const port = await getPort({ host });
	const password = randomBytes(12).toString('hex');
	const configuration = join(folder, 'redis.conf');
	const settings = [`bind ${host}`, `port ${port}`, `requirepass ${password}`, 'save ""'];
	await writeFile(configuration, settings.join('\n'), { mode: 0o600 });
	const { stop } = await startServer({
		name: 'Redis',
		command,
		args: [configuration],
		folder,
		// The log says that this server is ready, because another Redis could respond on the port.
		isUp: async (log) => /ready to accept connections/i.test(await readFile(log, 'utf8')),
		timeout: 120_000,
	});
	const env = {
		QUEUE_BULL_REDIS_HOST: host,
		QUEUE_BULL_REDIS_PORT: String(port),
		QUEUE_BULL_REDIS_PASSWORD: password,
	};
	return { env, stop };
}
