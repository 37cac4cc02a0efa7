import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `check` repeatedly until it resolves with neither false nor undefined. Times are in milliseconds.
 *
 * @param what describes the expected state, for the error
 * @throws Error that contains `what` after the timeout, or the error that `check` rejects with
 */
export async function until<T>(
	what: string,
	check: () => Promise<T | false | undefined>,
	{ timeout = 180_000, interval = 100 } = {},
): Promise<T> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const found = await check();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) throw new Error(`Not within ${timeout / 1000} seconds: ${what}`);
		await sleep(interval);
	}
}
