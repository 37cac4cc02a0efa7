/**
 * n8n's own tools for community nodes, on a copy of what is published: `n8n-node` lints every
 * TypeScript file that it finds, and its rules for n8n Cloud forbid what tests do, such as to read
 * files. Its configuration is unchanged; in strict mode it refuses another one.
 */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import execa from 'execa';

import { projectFolder, sandboxFolder } from '../paths';

const tools = join(sandboxFolder, 'node-cli');
const packages = join(tools, 'node_modules');
const program = join(packages, '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');

/** What the compiler options of `npm run build` become in a project of nodes alone. */
const compilerOptions = {
	extends: join(projectFolder, 'tsconfig.build.json'),
	compilerOptions: { rootDir: '.', outDir: 'dist' },
	// As in n8n's template: the tool copies no JSON but schemas, the compiler does the rest.
	include: ['credentials/**/*', 'nodes/**/*', 'nodes/**/*.json'],
};

/**
 * Copies what the package is built from into a new project beside n8n's tool.
 *
 * @returns `folder`
 */
export async function copySources(folder: string): Promise<string> {
	await mkdir(folder);
	for (const name of ['package.json', 'eslint.config.mjs', 'nodes', 'credentials']) {
		await cp(join(projectFolder, name), join(folder, name), { recursive: true });
	}
	await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilerOptions));
	await symlink(packages, join(folder, 'node_modules'), 'junction');
	return folder;
}

/** What `n8n-node lint` finds in a project, warnings too, and whether its configuration is n8n's. */
export async function lintProblems(folder: string): Promise<string[]> {
	const { failed, output } = await run(folder, program, 'lint');
	// The exit code says nothing of warnings.
	return failed || /✖ \d+ problem/.test(output) ? [output] : [];
}

/** Whether `n8n-node build` fails in a project, or builds other files than `npm run build` did. */
export async function buildProblems(folder: string): Promise<string[]> {
	const { failed, output } = await run(folder, program, 'build');
	if (failed) return [output];
	const [ours, theirs] = [join(projectFolder, 'dist'), join(folder, 'dist')];
	const files = new Set([...(await filesIn(ours)), ...(await filesIn(theirs))]);
	const same = await Promise.all(
		[...files].map((file) => isSame(join(ours, file), join(theirs, file))),
	);
	return [...files]
		.filter((_, index) => !same[index])
		.map((file) => `dist/${file} is another one, or missing, in one of the two builds`);
}

/** What n8n's scan of published packages finds; it knows no exceptions. */
export async function scanProblems(folder: string, part: 'sources' | 'tarball'): Promise<string[]> {
	const { failed, output } = await run(folder, join(tools, 'scan.mjs'), folder, part);
	return failed ? [`Fix this; the scan takes no eslint-disable:\n${output}`] : [];
}

async function run(folder: string, ...args: readonly string[]) {
	// The scan leaves a temporary folder behind.
	const env = { TMPDIR: dirname(folder), TEMP: dirname(folder) };
	const options = { cwd: folder, env, all: true, reject: false };
	const { failed, all = '' } = await execa(process.execPath, args, options);
	return { failed, output: all };
}

async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Whether two files are there and say the same; how JSON is laid out doesn't matter. */
async function isSame(...files: [string, string]): Promise<boolean> {
	const [one, other] = await Promise.all(
		files.map((file) => readFile(file, 'utf8').catch(() => undefined)),
	);
	if (one === undefined || other === undefined) return false;
	return files[0].endsWith('.json')
		? isDeepStrictEqual(JSON.parse(one), JSON.parse(other))
		: one === other;
}
