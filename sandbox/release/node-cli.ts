/**
 * n8n's own tools for community nodes, on a copy of what is published: `n8n-node` lints every
 * TypeScript file that it finds, and its rules for n8n Cloud forbid what tests do, such as to read
 * files. Its configuration is unchanged; in strict mode it refuses another one.
 */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import execa from 'execa';

import { projectFolder, sandboxFolder } from '../paths';

const packages = join(sandboxFolder, '.home', 'node-cli', 'node_modules');
const program = join(packages, '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');

/** What the compiler options of `npm run build` become in a project of nodes alone. */
const compilerOptions = {
	extends: join(projectFolder, 'tsconfig.build.json'),
	compilerOptions: { rootDir: '.', outDir: 'dist' },
	// As in n8n's template: the tool copies no JSON but schemas, the compiler does the rest.
	include: ['credentials/**/*', 'nodes/**/*', 'nodes/**/*.json'],
};

/** Copies what the package is built from into a new project beside n8n's tool. */
export async function copySources(folder: string): Promise<void> {
	await mkdir(folder);
	for (const name of ['package.json', 'eslint.config.mjs', 'nodes', 'credentials']) {
		await cp(join(projectFolder, name), join(folder, name), { recursive: true });
	}
	await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilerOptions));
	await symlink(packages, join(folder, 'node_modules'), 'junction');
}

/** What `n8n-node lint` finds in a project, warnings too, and whether its configuration is n8n's. */
export async function lintProblems(folder: string): Promise<string[]> {
	const { failed, output } = await run(folder, program, 'lint');
	// The exit code says nothing of warnings.
	return failed || /✖ \d+ problem/.test(output) ? [output] : [];
}

/** Whether `n8n-node build` fails in a project, or builds other files than `npm run build` did. */
export async function buildProblems(folder: string): Promise<string[]> {
	const built = await run(folder, program, 'build');
	if (built.failed) return [built.output];
	const builds = [join(projectFolder, 'dist'), join(folder, 'dist')];
	// The compiler indents JSON in another way.
	const compare = ['diff', '--no-index', '--ignore-space-change', ...builds];
	const compared = await execa('git', compare, { all: true, reject: false });
	return compared.failed ? [`The two builds differ:\n${compared.all}`] : [];
}

/** What n8n's scan of published packages finds; it knows no exceptions. */
export async function scanProblems(folder: string, part: 'sources' | 'tarball'): Promise<string[]> {
	const scan = join(__dirname, 'scan.mjs');
	const { failed, output } = await run(folder, scan, packages, folder, part);
	return failed ? [`Fix this; the scan takes no eslint-disable:\n${output}`] : [];
}

async function run(folder: string, ...args: readonly string[]) {
	// The scan leaves a temporary folder behind.
	const env = { TMPDIR: dirname(folder), TEMP: dirname(folder) };
	const options = { cwd: folder, env, all: true, reject: false };
	const { failed, all = '' } = await execa(process.execPath, args, options);
	return { failed, output: all };
}
