import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks again and again until there is neither false nor undefined; times are in milliseconds.
 * @throws Error that names `what` when it isn't there in time, or what `look` rejects with.
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
