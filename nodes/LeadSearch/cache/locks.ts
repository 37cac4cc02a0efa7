/** Keyed locks: tasks that share a key run one after another, first come, first served. */
import { waitOrCancel } from '../api/cancel';

interface RunningTask {
	keys: ReadonlySet<string>;
	end: Promise<unknown>;
}

interface LockOptions {
	/**
	 * If it aborts, the wait for the lock ends. The task is called nevertheless, and has to check for a cancel
	 * itself.
	 */
	signal?: AbortSignal | undefined;
	/** Called once if the task has to wait. */
	onWait?: () => void;
}

const running = new Set<RunningTask>();

/**
 * Runs a task after all tasks that started before it and share a key with it. A task never waits for one that started
 * later, so no two tasks wait for each other. A task must not ask for a key that it has already.
 *
 * @returns what the task returns
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
