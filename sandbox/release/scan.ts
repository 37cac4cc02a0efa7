import { join } from 'node:path';

import execa from 'execa';

import { projectFolder } from '../paths';

const sources = ['package.json', 'nodes/**/*.{ts,js,json}', 'credentials/**/*.{ts,js,json}'];
const packed = ['package.json', '**/*.js'];

/** What n8n's scan finds in the sources in a folder, which it reads at the published commit. */
export function scanSources(folder: string): Promise<string[]> {
	return scan(folder, sources);
}

/** @param folder the unpacked tarball, which n8n scans too */
export function scanTarball(folder: string): Promise<string[]> {
	return scan(folder, packed);
}

async function scan(folder: string, patterns: readonly string[]): Promise<string[]> {
	const { failed, all = '' } = await execa(
		process.execPath,
		[
			join(projectFolder, 'node_modules', 'eslint', 'bin', 'eslint.js'),
			`--config=${join(__dirname, 'scan.config.mjs')}`,
			'--no-inline-config',
			'--no-error-on-unmatched-pattern',
			'--max-warnings=0',
			...patterns,
		],
		{ cwd: folder, all: true, reject: false },
	);
	return failed ? [`Fix this; the scan takes no eslint-disable:\n${all}`] : [];
}
