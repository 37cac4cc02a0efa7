/** Keyed locks: tasks that share a key run one after another, first come, first served. */
import { waitOrCancel } from '../api/cancel';

interface RunningTask {
	keys: ReadonlySet<string>;
	end: Promise<unknown>;
}

interface LockOptions {
	/** If this signal aborts, a waiting task starts immediately. It must then send no requests. */
	signal?: AbortSignal | undefined;
	onWait?: () => void;
}

const running = new Set<RunningTask>();

/**
 * Runs a task once all earlier tasks that share one of its keys have ended. A task must not call this function with a
 * key that it holds, because it would wait for itself.
 */
export async function runExclusive<T>(
	keys: ReadonlySet<string>,
	task: () => Promise<T>,
	{ signal, onWait }: LockOptions = {},
): Promise<T> {
	const blockers = [...running].filter((other) => overlap(other.keys, keys));
	if (blockers.length > 0) onWait?.();
	const unblocked = Promise.allSettled(blockers.map((other) => other.end));
	const entry = { keys, end: waitOrCancel(unblocked, signal).then(task) };
	running.add(entry);
	try {
		return await entry.end;
	} finally {
		running.delete(entry);
	}
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	const [smaller, larger] = a.size < b.size ? [a, b] : [b, a];
	for (const key of smaller) if (larger.has(key)) return true;
	return false;
}
