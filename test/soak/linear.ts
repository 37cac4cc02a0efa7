/** Whether a reader of texts takes time in proportion to their length: a processor's, not that of the clock. */

/** Less than that is noise of the machine. In milliseconds. */
const LEAST = 5;

/** What it takes of a processor, in milliseconds: others use the machine, too. */
function timeOf(read: (text: string) => unknown, text: string, times = 1): number {
	const before = process.cpuUsage();
	for (let time = 0; time < times; time++) read(text);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

/**
 * Whether a text takes more than four times as long as ten texts of a tenth, which are as much work where a
 * reader is linear; where it is quadratic, the one takes ten times as long. What is slow by itself is so in
 * each try.
 *
 * @param textOf a text of so many characters
 * @param length of the short one
 */
export function isSlow(
	read: (text: string) => unknown,
	textOf: (length: number) => string,
	length: number,
): boolean {
	const [short, long] = [textOf(length), textOf(10 * length)];
	return [1, 2, 3, 4, 5].every(() => {
		const time = timeOf(read, long);
		return time > LEAST && time > 4 * timeOf(read, short, 10);
	});
}
