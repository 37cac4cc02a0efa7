import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs npm and resolves with what it printed on standard output. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
	const { stdout } = await run('npm', args, { cwd, maxBuffer: 64 * 1024 * 1024 });
	return stdout;
}
