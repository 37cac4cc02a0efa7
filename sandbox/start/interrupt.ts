const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const checkMilliseconds = 1_000;

/**
 * Resolves when the program is asked to end: by Ctrl-C, a signal, the closing of the terminal, or
 * the end of what runs it, npm or a shell, which doesn't always pass a signal on. A second signal
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

		const parent = process.ppid;
		const timer = setInterval(() => {
			if (process.ppid === parent) return;
			clearInterval(timer);
			resolve();
		}, checkMilliseconds);
		timer.unref();
	});
}
