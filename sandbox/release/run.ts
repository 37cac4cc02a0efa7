import { spawn } from 'node:child_process';

/** How a command ended, and everything it printed. */
export interface Ran {
	readonly code: number;
	readonly output: string;
}

/** Runs a command to its end. Rejects only when it can't be started. */
export function run(command: string, args: readonly string[], cwd: string): Promise<Ran> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
		const chunks: Buffer[] = [];
		child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
		child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
		child.once('error', reject);
		child.once('close', (code) => {
			resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString().trim() });
		});
	});
}
