import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../paths';
import { startRedis } from '../redis';
import { startN8n, type N8nProcess } from './launch';
import { createUserFolder, packPackage } from './package';

type Settings = Readonly<Record<string, string>>;

/** A process that takes executions from the queue. */
export interface Worker extends N8nProcess {
	/** A name to tell workers apart by: `worker 1`, `worker 2` … */
	readonly name: string;
	/** Ids of the executions that it says it has begun, or finished, in that order. */
	executions(what: 'started' | 'finished'): Promise<readonly string[]>;
}

/** n8n's queue mode: one main process, several workers, a PostgreSQL and a Redis. */
export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

/**
 * Sets up queue mode on 127.0.0.1, each process with a folder of its own that has the built package
 * installed, as on machines of their own.
 * @param options how many workers, and settings for all processes beside those of queue mode
 * @returns `workers` are those that were started, also when they have ended since; `stop` ends
 * everything and removes its data
 * @throws Error when something isn't installed, or doesn't start.
 */
export async function startQueueMode(options: { workers: number; env?: Settings }) {
	const folder = await temporaryFolder();
	const stops = [() => rm(folder, { recursive: true, force: true })];
	const stop = async () => {
		for (const end of stops.splice(0).reverse()) await end();
	};
	try {
		const redis = await startRedis(folder);
		stops.push(() => redis.stop());
		const env = {
			EXECUTIONS_MODE: 'queue',
			// What is started by hand too; n8n is about to make this the only way.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			QUEUE_BULL_REDIS_HOST: redis.host,
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_BULL_REDIS_PASSWORD: redis.password,
			...options.env,
		};
		const packed = await packPackage(folder);
		const workers: Worker[] = [];

		async function start(name: string, how: Partial<Parameters<typeof startN8n>[0]>) {
			const userFolder = join(folder, name.replaceAll(' ', '-'));
			await createUserFolder(userFolder, packed);
			const started = await startN8n({ userFolder, env, ...how });
			stops.push(() => started.stop());
			return started;
		}
		// Its PostgreSQL is that of the workers, too.
		const main = await start('main process', {});
		const { database } = main;

		async function addWorker(): Promise<Worker> {
			const name = `worker ${workers.length + 1}`;
			const started = await start(name, { command: 'worker', database });
			const executions: Worker['executions'] = async (what) => {
				const line = new RegExp(`Worker ${what} execution (\\d+) \\(job`, 'g');
				const log = await readFile(started.logFile, 'utf8');
				return [...log.matchAll(line)].map(([, id = '']) => id);
			};
			const worker: Worker = { ...started, name, executions };
			workers.push(worker);
			return worker;
		}
		while (workers.length < options.workers) await addWorker();
		return { main, workers, addWorker, stop };
	} catch (error) {
		await stop().catch(() => undefined);
		throw error;
	}
}
