import { readFileSync } from 'node:fs';

/** The last lines of a log file, to show when what wrote it went wrong; empty without a file. */
export function logTail(file: string, lines = 25): string {
	try {
		return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
	} catch {
		return '';
	}
}
