/** One after another: what begins may go on from what is under way. */

import { orCancel } from './cancel';

interface UnderWay {
	claims: ReadonlySet<string>;
	end: Promise<unknown>;
}

interface Turn {
	/** Cancels it, and ends its wait. */
	signal?: AbortSignal | undefined;
	/** Called where there is something to wait for. */
	onWait?: () => void;
}

const underWay = new Set<UnderWay>();

/**
 * Does one thing after another: what begins waits for all that began before and claims something of the same. Nothing waits
 * for what began later, so that no two wait for each other.
 */
export async function inTurn<T>(
	claims: ReadonlySet<string>,
	act: () => Promise<T>,
	{ signal, onWait }: Turn = {},
): Promise<T> {
	const before = [...underWay].filter((running) => haveCommon(running.claims, claims));
	if (before.length > 0) onWait?.();
	const end = orCancel(Promise.allSettled(before.map((running) => running.end)), signal).then(act);
	const own = { claims, end };
	underWay.add(own);
	try {
		return await end;
	} finally {
		underWay.delete(own);
	}
}

function haveCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	const [few, many] = a.size < b.size ? [a, b] : [b, a];
	for (const claim of few) if (many.has(claim)) return true;
	return false;
}
