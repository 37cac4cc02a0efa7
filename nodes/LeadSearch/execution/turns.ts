/** One after another: what begins may go on from what is under way. */

import { orCancel } from './cancel';

interface UnderWay {
	/** Whether it was cancelled, and takes in what is still on its way. */
	isCancelled: () => boolean;
	end: Promise<unknown>;
}

interface Turn {
	/** Cancels it, and ends its wait. */
	signal?: AbortSignal | undefined;
	/** Whether it waits for all that is under way, or only for what was cancelled. */
	waitsForAll?: boolean;
	/** Called where there is something to wait for. */
	onWait?: () => void;
}

const underWay = new Map<string, Set<UnderWay>>();

/** Does one thing after another: what begins with the same key waits for what began before. */
export async function inTurn<T>(
	key: string,
	act: () => Promise<T>,
	{ signal, waitsForAll = true, onWait }: Turn = {},
): Promise<T> {
	const all = underWay.get(key) ?? new Set();
	underWay.set(key, all);
	const before = [...all].filter((one) => waitsForAll || one.isCancelled());
	if (before.length > 0) onWait?.();
	const end = orCancel(Promise.allSettled(before.map((one) => one.end)), signal).then(act);
	const own = { isCancelled: () => signal?.aborted === true, end };
	all.add(own);
	try {
		return await end;
	} finally {
		all.delete(own);
		if (all.size === 0) underWay.delete(key);
	}
}
