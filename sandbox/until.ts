import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks again and again until something is there.
 * @param what is waited for, for the error
 * @param look resolves with it; with false or undefined as long as it isn't there. What it rejects
 * with is passed on
 * @param options how long to wait, and between looks, in milliseconds
 * @throws Error that names it when it isn't there in time.
 */
export async function until<T>(
	what: string,
	look: () => Promise<T | false | undefined>,
	{ timeout = 30_000, interval = 100 } = {},
): Promise<T> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) throw new Error(`Not within ${timeout / 1000} seconds: ${what}`);
		await sleep(interval);
	}
}
