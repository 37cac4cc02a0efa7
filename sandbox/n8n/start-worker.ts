import { launch, type Command, type LaunchOptions, type N8nProcess } from './launch';

const worker: Command = {
	name: 'worker',
	env: (port) => ({
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	}),
	async isUp(url) {
		const response = await fetch(`${url}/healthz/readiness`, {
			signal: AbortSignal.timeout(2_000),
		});
		return response.ok;
	},
};

/**
 * Starts a worker of n8n's queue mode and waits until it takes executions.
 *
 * @param options its `env` has to name the Redis, the database and the encryption key of the n8n
 * that it works for; the port is the one of its health check.
 * @throws Error when n8n isn't installed; with the end of the log when it doesn't start.
 */
export function startWorker(options: LaunchOptions): Promise<N8nProcess> {
	return launch(worker, options);
}
