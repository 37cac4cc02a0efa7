import { join } from 'node:path';

import execa from 'execa';

import { projectFolder } from '../paths';

/** What n8n scans of the sources, at the published commit. */
export const sources = ['package.json', 'nodes/**/*.{ts,js,json}', 'credentials/**/*.{ts,js,json}'];
/** What n8n scans of the unpacked tarball. */
export const packed = ['package.json', '**/*.js'];

/** What n8n's scan finds in a folder, in the files that the patterns name. */
export async function scan(folder: string, patterns: readonly string[]): Promise<string[]> {
	const config = `--config=${join(__dirname, 'scan.config.mjs')}`;
	const flags = ['--no-inline-config', '--no-error-on-unmatched-pattern', '--max-warnings=0'];
	const { failed, all = '' } = await execa('eslint', [config, ...flags, ...patterns], {
		cwd: folder,
		preferLocal: true,
		localDir: projectFolder,
		all: true,
		reject: false,
	});
	return failed ? [`Fix this; the scan takes no eslint-disable:\n${all}`] : [];
}
