import { readdirSync, readFileSync } from 'node:fs';

import type { N8nProcess } from './launch';

/**
 * The most memory (resident) that n8n's own process has had, without the processes that it starts
 * for Code nodes. Linux only.
 *
 * @returns bytes
 */
export function peakMemory(n8n: Pick<N8nProcess, 'processGroup'>): number {
	return Math.max(
		0,
		...childrenOf(n8n.processGroup).map((pid) => kilobytes(pid, 'VmHWM') * 1024),
	);
}

/** n8n is the child of its guard, who leads the group: in `stat`, state and parent follow the name. */
function childrenOf(guard: number): string[] {
	return readdirSync('/proc')
		.filter((entry) => /^\d+$/.test(entry))
		.filter((pid) => {
			const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ');
			return fields?.[1] === String(guard);
		});
}

function kilobytes(pid: string, field: string): number {
	const line = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`));
	return Number(line?.[1] ?? 0);
}

/** Processes end while we look. */
function read(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
