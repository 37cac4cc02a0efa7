import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program that comes with the system. */
export interface SystemProgram {
	/** Its name, for people. */
	readonly name: string;
	readonly debianPackage: string;
	/** Where it is, if it is there. */
	readonly find: () => string | undefined;
}

/**
 * Finds a program; installs Debian's package of it where there is none and we may.
 *
 * @throws Error that says what to install.
 */
export async function findOrInstall(program: SystemProgram): Promise<string> {
	const { name, debianPackage, find } = program;
	const found = find();
	if (found !== undefined) return found;
	const said = await install(debianPackage);
	const installed = find();
	if (installed !== undefined) return installed;
	throw new Error(
		`There is no ${name} on this machine: install it, on Debian with \`apt-get install ${debianPackage}\`.${said}`,
	);
}

/** Resolves with what went wrong. What it has to say is seen while it runs, too. */
async function install(debianPackage: string): Promise<string> {
	const script = join(__dirname, 'install-debian-package.mjs');
	const installing = run(process.execPath, [script, debianPackage]);
	installing.child.stderr?.pipe(process.stderr, { end: false });
	try {
		await installing;
		return '';
	} catch (error) {
		return `\n${(error as { stderr?: string }).stderr ?? String(error)}`.trimEnd();
	}
}
