import { join } from 'node:path';

import { projectFolder } from '../paths';
import type { Finding } from './finding';
import { run } from './run';

const sources = ['package.json', 'nodes/**/*.{ts,js,json}', 'credentials/**/*.{ts,js,json}'];
const packed = ['package.json', '**/*.js'];

/** Whether the sources in a folder pass n8n's scan, which reads them at the published commit. */
export function scanSources(folder: string): Promise<Finding> {
	return scan("The sources pass n8n's scan", folder, sources);
}

/** @param folder the unpacked tarball, which n8n scans too */
export function scanTarball(folder: string): Promise<Finding> {
	return scan("The tarball passes n8n's scan", folder, packed);
}

async function scan(name: string, folder: string, patterns: readonly string[]): Promise<Finding> {
	const { code, output } = await run(
		process.execPath,
		[
			join(projectFolder, 'node_modules', 'eslint', 'bin', 'eslint.js'),
			'--config',
			join(__dirname, 'scan.config.mjs'),
			'--no-inline-config',
			'--no-error-on-unmatched-pattern',
			'--max-warnings=0',
			...patterns,
		],
		folder,
	);
	return {
		name,
		problems: code === 0 ? [] : [`Mend this; the scan takes no eslint-disable:\n${output}`],
	};
}
