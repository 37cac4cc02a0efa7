/** Keyed locks: tasks that share a key run one after another, first come, first served. */
import { waitOrCancel } from '../api/cancel';

interface RunningTask {
	keys: ReadonlySet<string>;
	end: Promise<unknown>;
}

interface LockOptions {
	/**
	 * The execution's cancel signal. If it aborts while the task waits, the task starts immediately, without waiting
	 * for the earlier tasks. The task itself has to check whether it was cancelled, and then send no requests.
	 */
	signal?: AbortSignal | undefined;
	/** Called once, before the wait, if the task has to wait for an earlier task. Otherwise never called. */
	onWait?: () => void;
}

const running = new Set<RunningTask>();

/**
 * Runs a task once all earlier tasks that share one of its keys have ended. A task waits only for tasks that started
 * before it, so tasks never wait for each other in a circle. A task must not call this function with a key that it
 * holds, because it would wait for itself.
 *
 * @example
 * // The second task starts when the first one has ended, because both have the key 'b'.
 * runExclusive(new Set(['a', 'b']), buyLeads);
 * runExclusive(new Set(['b', 'c']), buyMoreLeads);
 * @returns the task's result
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
