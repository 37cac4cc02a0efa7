import execa, { type ExecaError } from 'execa';

import { projectFolder } from '../paths';

/**
 * Builds the package.
 *
 * @throws Error with the compiler's output.
 */
export async function buildPackage(): Promise<void> {
	const build = execa('npm', ['run', '--silent', 'build'], { cwd: projectFolder, all: true });
	await build.catch((error: ExecaError) => {
		throw new Error(`"npm run build" failed:\n${error.all ?? error.message}`);
	});
}
