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
	/** Whether there is nothing to wait for any more; asked whenever {@link wakeWaiting} is called. */
	isServed?: () => boolean;
}

const underWay = new Set<UnderWay>();
const waiting: Array<() => void> = [];

/** Has those look who wait for what has come now. */
export function wakeWaiting(): void {
	for (const wake of waiting.splice(0)) wake();
}

/**
 * Does one thing after another: what begins waits for all that began before and claims something of the same, or until
 * it is served. Nothing waits for what began later, so that no two wait for each other.
 */
export async function inTurn<T>(
	claims: ReadonlySet<string>,
	act: () => Promise<T>,
	{ signal, onWait, isServed = () => false }: Turn = {},
): Promise<T> {
	const before = [...underWay].filter((running) => haveCommon(running.claims, claims));
	let mayGo = before.length === 0 || isServed();
	if (!mayGo) onWait?.();
	const over = Promise.allSettled(before.map((running) => running.end)).then(() => {
		mayGo = true;
	});
	const wait = async () => {
		while (!mayGo && signal?.aborted !== true && !isServed())
			await orCancel(Promise.race([over, new Promise<void>((wake) => waiting.push(wake))]), signal);
	};
	const end = wait().then(act);
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
