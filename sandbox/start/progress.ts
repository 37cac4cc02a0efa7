const started = Date.now();

/** Prints a line of progress, with the seconds since the start. */
export function say(text: string): void {
	const seconds = Math.round((Date.now() - started) / 1000);
	process.stdout.write(`[${String(seconds).padStart(3)} s] ${text}\n`);
}
