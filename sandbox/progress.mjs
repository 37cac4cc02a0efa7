/** Shows that a long step goes on. */
import process from 'node:process';

const linesEvery = 12_000;

/**
 * Prints elapsed time and how far a step is: on a terminal in a line that is rewritten every
 * second, elsewhere in a new line every twelve seconds.
 *
 * @param {() => string} describe how far it is, in a few words
 * @returns {() => void} ends it
 */
export function showProgress(describe) {
	const started = Date.now();
	const isTerminal = process.stdout.isTTY === true;
	const print = () => {
		const line = `  ${elapsed(Date.now() - started)}  ${describe()}`;
		process.stdout.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
	};
	const timer = setInterval(print, isTerminal ? 1_000 : linesEvery);
	return () => {
		clearInterval(timer);
		if (isTerminal) process.stdout.write('\r\x1b[K');
	};
}

/**
 * @param {number} milliseconds
 * @returns {string} such as "1:05"
 */
export function elapsed(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
