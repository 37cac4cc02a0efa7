const linesEvery = 12_000;

/**
 * Does something long, and shows meanwhile that it goes on: on a terminal in one line that counts
 * the seconds, elsewhere in a line at the start and one every twelve seconds.
 */
export async function withProgress<T>(title: string, work: () => Promise<T>): Promise<T> {
	const started = Date.now();
	const isTerminal = process.stdout.isTTY;
	const print = (): void => {
		const line = `… ${title} (${Math.round((Date.now() - started) / 1_000)} s)`;
		process.stdout.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
	};
	print();
	const timer = setInterval(print, isTerminal ? 1_000 : linesEvery);
	try {
		return await work();
	} finally {
		clearInterval(timer);
		if (isTerminal) process.stdout.write('\r\x1b[K');
	}
}
