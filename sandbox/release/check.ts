/**
 * `npm run release:check`: checks the package before it is published. n8n's own tools run on a copy of the published
 * sources, because `n8n-node` lints all TypeScript files, and its rules for n8n Cloud forbid, for example, that tests
 * read files.
 */
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { buildPackage, packPackage } from '../n8n/index';
import { projectFolder, sandboxFolder, temporaryFolder } from '../paths';
import { whenInterrupted } from '../server-process';

const MAX_BYTES = 90_000;
/** Folder in which n8n's tools are installed. */
const packages = join(sandboxFolder, '.home', 'node-cli', 'node_modules');
const nodeCli = join(packages, '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');

/** Runs all checks. @returns the exit code */
export async function main(): Promise<number> {
	const folder = await temporaryFolder();
	try {
		return await Promise.race([checkAll(folder), whenInterrupted().then(() => 130)]);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Runs the checks, the quick ones first, up to the first that fails. @returns the exit code */
async function checkAll(folder: string): Promise<number> {
	const sources = join(folder, 'sources');
	let tarball = '';
	const run = (cwd: string, ...args: readonly string[]) => {
		// The scan doesn't remove its temporary folder.
		const env = { TMPDIR: folder, TEMP: folder };
		return execa(process.execPath, args, { cwd, env, all: true, reject: false });
	};
	const scan = async (scanned: string, part: 'sources' | 'tarball') => {
		const program = join(sandboxFolder, 'release', 'scan.mjs');
		const { failed, all = '' } = await run(scanned, program, packages, scanned, part);
		return failed ? [`Fix this. The scan doesn't allow eslint-disable:\n${all}`] : [];
	};
	const checks: Readonly<Record<string, () => Promise<string[]>>> = {
		'The package can be built, and is small': async () => {
			await buildPackage();
			const { filename, size } = await packPackage(folder);
			tarball = filename;
			return size < MAX_BYTES
				? []
				: [`The package has ${size} bytes, more than ${MAX_BYTES}: see \`npm pack --dry-run\``];
		},
		"n8n's own tool lints the sources in strict mode, with its own rules": async () => {
			await copySources(sources);
			const { failed, all = '' } = await run(sources, nodeCli, 'lint');
			// The exit code ignores warnings.
			return failed || /✖ \d+ problem/.test(all) ? [all] : [];
		},
		"The sources pass n8n's scan": () => scan(sources, 'sources'),
		"n8n's own tool builds the same package": async () => {
			const built = await run(sources, nodeCli, 'build');
			if (built.failed) return [built.all ?? ''];
			const builds = [join(projectFolder, 'dist'), join(sources, 'dist')];
			// The compiler indents JSON differently.
			const compare = ['diff', '--no-index', '--ignore-space-change', ...builds];
			const { failed, all } = await execa('git', compare, { all: true, reject: false });
			return failed ? [`The two builds differ:\n${all}`] : [];
		},
		"The tarball passes n8n's scan": async () => {
			const unpacked = join(folder, 'unpacked');
			await mkdir(unpacked);
			await execa('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
			return await scan(unpacked, 'tarball');
		},
		'The tarball contains the right files, and both versions of n8n load and run it': async () => {
			// These tests start with a tarball and an n8n without the package.
			const tests = ['--runInBand', 'n8n/loads', 'n8n-1/'];
			const options = { cwd: projectFolder, preferLocal: true, all: true, reject: false };
			const { failed, all = '' } = await execa('jest', tests, options);
			return failed ? [all] : [];
		},
	};
	for (const [sentence, check] of Object.entries(checks)) {
		const started = Date.now();
		const problems = await check();
		const seconds = Math.round((Date.now() - started) / 1000);
		const mark = problems.length === 0 ? '✓' : '✗';
		const lines = [`${mark} ${sentence} (${seconds} s)`, ...problems];
		process.stdout.write(`${lines.join('\n')}\n`);
		if (problems.length > 0) return 1;
	}
	process.stdout.write(`\nReady to publish: ${Object.keys(checks).length} checks passed\n`);
	return 0;
}

async function copySources(folder: string): Promise<void> {
	await mkdir(folder);
	for (const name of ['package.json', 'eslint.config.mjs', 'nodes', 'credentials'])
		await cp(join(projectFolder, name), join(folder, name), { recursive: true });
	const compiler = {
		extends: join(projectFolder, 'tsconfig.build.json'),
		compilerOptions: { rootDir: '.', outDir: 'dist' },
		// As in n8n's template: the tool copies only schemas, and the compiler the other JSON files.
		include: ['credentials/**/*', 'nodes/**/*', 'nodes/**/*.json'],
	};
	await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compiler));
	await symlink(packages, join(folder, 'node_modules'), 'junction');
}
