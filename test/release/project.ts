/** The real project, for tests that hold it to what its pages say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../sandbox/paths';

export function read(file: string): string {
	return readFileSync(join(projectFolder, file), 'utf8');
}

export const manifest = JSON.parse(read('package.json')) as Record<string, unknown> & {
	readonly version: string;
	readonly repository: { readonly url: string };
};
