import { setTimeout as sleep } from 'node:timers/promises';

import type { GuardedProcess } from './guarded-process';

/**
 * Waits until a process that was started can be used.
 *
 * @param isUp whether it can; a rejection means that it can't yet
 * @param timeout milliseconds
 * @returns `up`; `ended` when it ended by itself; `late` when it takes too long, and still runs
 */
export async function whenUp(
	server: Pick<GuardedProcess, 'isRunning'>,
	isUp: () => Promise<boolean>,
	timeout: number,
): Promise<'up' | 'ended' | 'late'> {
	const deadline = Date.now() + timeout;
	while (server.isRunning()) {
		if (await isUp().catch(() => false)) return 'up';
		if (Date.now() > deadline) return 'late';
		await sleep(100);
	}
	return 'ended';
}
