/**
 * `npm run release:check`: everything that can be known before the package is published. n8n's own
 * tools run on a copy of what is published: `n8n-node` lints every TypeScript file that it finds, and
 * its rules for n8n Cloud forbid what tests do, such as to read files.
 */
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { buildPackage, packPackage } from '../n8n/index';
import { projectFolder, sandboxFolder, temporaryFolder } from '../paths';
import { whenInterrupted } from '../server-process';

const MAX_BYTES = 90_000;
/** Where n8n's tools are installed. */
const packages = join(sandboxFolder, '.home', 'node-cli', 'node_modules');
const nodeCli = join(packages, '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');

export async function main(): Promise<number> {
	const folder = await temporaryFolder();
	try {
		return await Promise.race([checkAll(folder), whenInterrupted().then(() => 130)]);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** The first check that fails ends it, so the quick ones come first. Returns the exit code. */
async function checkAll(folder: string): Promise<number> {
	const sources = join(folder, 'sources');
	let tarball = '';
	const run = (cwd: string, ...args: readonly string[]) => {
		// The scan leaves a temporary folder behind.
		const env = { TMPDIR: folder, TEMP: folder };
		return execa(process.execPath, args, { cwd, env, all: true, reject: false });
	};
	const scan = async (scanned: string, part: 'sources' | 'tarball') => {
		const program = join(sandboxFolder, 'release', 'scan.mjs');
		const { failed, all = '' } = await run(scanned, program, packages, scanned, part);
		return failed ? [`Fix this; the scan takes no eslint-disable:\n${all}`] : [];
	};
	const checks: Readonly<Record<string, () => Promise<string[]>>> = {
		'The package builds, and is small': async () => {
			await buildPackage();
			const { filename, size } = await packPackage(folder);
			tarball = filename;
			return size < MAX_BYTES ? [] : [`${size} bytes are too many: see \`npm pack --dry-run\``];
		},
		"n8n's own tool lints the sources in strict mode, with its own rules": async () => {
			await copySources(sources);
			const { failed, all = '' } = await run(sources, nodeCli, 'lint');
			// The exit code says nothing of warnings.
			return failed || /✖ \d+ problem/.test(all) ? [all] : [];
		},
		"The sources pass n8n's scan": () => scan(sources, 'sources'),
		"n8n's own tool builds the same package": async () => {
			const built = await run(sources, nodeCli, 'build');
			if (built.failed) return [built.all ?? ''];
			const builds = [join(projectFolder, 'dist'), join(sources, 'dist')];
			// The compiler indents JSON in another way.
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
		'The tarball holds what it should, and both n8n load it and run it': async () => {
			// These begin with a packed file and an n8n without it.
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
		// As in n8n's template: the tool copies no JSON but schemas, the compiler does the rest.
		include: ['credentials/**/*', 'nodes/**/*', 'nodes/**/*.json'],
	};
	await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compiler));
	await symlink(packages, join(folder, 'node_modules'), 'junction');
}
