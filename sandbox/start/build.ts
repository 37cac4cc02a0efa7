import execa from 'execa';

import { projectFolder } from '../paths';

/**
 * Builds the package.
 *
 * @throws Error with the compiler's output.
 */
export async function buildPackage(): Promise<void> {
	const options = { cwd: projectFolder, all: true, reject: false };
	const { failed, all = '' } = await execa('npm', ['run', '--silent', 'build'], options);
	if (failed) throw new Error(`"npm run build" failed:\n${all}`);
}
