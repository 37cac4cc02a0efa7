import { readFileSync } from 'node:fs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const checkMilliseconds = 1_000;

/**
 * Resolves when the program is asked to end: by Ctrl-C, a signal, the closing of the terminal, or
 * the end of npm or the shell that runs it, which don't always pass a signal on. A second signal
 * ends it at once.
 */
export function whenInterrupted(): Promise<void> {
	return new Promise((resolve) => {
		let asked = false;
		const ask = (): void => {
			// What was started ends with this process all the same.
			if (asked) process.exit(130);
			asked = true;
			resolve();
		};
		for (const signal of signals) process.on(signal, ask);

		const parents = runners();
		const timer = setInterval(() => {
			if (runners() === parents) return;
			clearInterval(timer);
			resolve();
		}, checkMilliseconds);
		timer.unref();
	});
}

/** The processes that run this one: its parent, and with npm that one's parent, npm itself. */
function runners(): string {
	const parent = process.ppid;
	if (process.env.npm_lifecycle_event === undefined) return String(parent);
	return `${parent} of ${parentOf(parent) ?? 'somebody'}`;
}

/** Where the system tells (Linux): the number follows the name in brackets, and the state. */
function parentOf(pid: number): string | undefined {
	try {
		const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1);
		return afterName?.split(' ')[1];
	} catch {
		return undefined;
	}
}
