import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem, type as systemType } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findInstallation, pinnedVersion } from '../sandbox/n8n';
import { projectFolder } from '../sandbox/paths';
import type { Machine } from './results';

const run = promisify(execFile);

/** What the bench runs on. */
export async function thisMachine(): Promise<Machine> {
	const all = cpus();
	const { stdout } = await run(findInstallation().node, ['--version']);
	return {
		cpu: all[0]?.model ?? 'unknown',
		cores: all.length,
		memory: totalmem(),
		system: systemType(),
		n8n: pinnedVersion('n8n'),
		node: stdout.trim().slice(1),
		undici: versionIn('node_modules/undici'),
	};
}

/**
 * The commit that is checked out, with a plus sign when the package, the bench or the stand-in
 * differs from it.
 */
export async function thisCommit(): Promise<string> {
	try {
		const git = async (...args: string[]) =>
			(await run('git', args, { cwd: projectFolder })).stdout.trim();
		const commit = await git('rev-parse', '--short=10', 'HEAD');
		const measured = ['nodes', 'credentials', 'bench', 'sandbox', ':!bench/results'];
		const changes = await git('status', '--porcelain', '--', ...measured);
		return changes === '' ? commit : `${commit}+`;
	} catch {
		return 'unknown';
	}
}

function versionIn(folder: string): string {
	const file = join(projectFolder, folder, 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
