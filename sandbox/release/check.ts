/**
 * `npm run release:check`: checks everything that can be known before the package is published,
 * and prints a line for each. The exit code is 0 when all is well.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { buildPackage, packPackage } from '../n8n/index';
import { projectFolder, temporaryFolder } from '../paths';
import { whenInterrupted } from '../server-process';
import { buildProblems, copySources, lintProblems, scanProblems } from './node-cli';
import { manifestProblems, versionProblems, type Manifest } from './package';

/** Bytes that the tarball may have. */
const maxBytes = 70_000;

/** @returns the exit code */
export async function main(): Promise<number> {
	const folder = await temporaryFolder();
	try {
		return await Promise.race([checkAll(folder), whenInterrupted().then(() => 130)]);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * The quick checks first; the first that fails ends it.
 *
 * @param folder for what is made on the way
 * @returns the exit code
 */
async function checkAll(folder: string): Promise<number> {
	const manifest = JSON.parse(await read('package.json')) as Manifest;
	const sources = join(folder, 'sources');
	let tarball = '';
	const checks: Readonly<Record<string, () => string[] | Promise<string[]>>> = {
		'The version is the same everywhere': () => ownVersionProblems(manifest),
		'package.json names no runtime dependency, and the repository on GitHub': () =>
			manifestProblems(manifest, process.env.GITHUB_REPOSITORY),
		'The package builds, and is small': async () => {
			await buildPackage();
			const packed = await packPackage(folder);
			tarball = packed.filename;
			if (packed.size < maxBytes) return [];
			return [`${packed.size} bytes are too many: see \`npm pack --dry-run\``];
		},
		"n8n's own tool lints the sources in strict mode, with its own rules": async () => {
			await copySources(sources);
			return await lintProblems(sources);
		},
		"The sources pass n8n's scan": () => scanProblems(sources, 'sources'),
		"n8n's own tool builds the same package": () => buildProblems(sources),
		"The tarball passes n8n's scan": async () => {
			const unpacked = join(folder, 'unpacked');
			await mkdir(unpacked);
			await execa('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
			return await scanProblems(unpacked, 'tarball');
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
		process.stdout.write(`${problems.length === 0 ? '✓' : '✗'} ${sentence} (${seconds} s)\n`);
		for (const problem of problems) process.stdout.write(`${problem}\n`);
		if (problems.length > 0) return 1;
	}
	process.stdout.write(`\nReady to publish: ${Object.keys(checks).length} checks passed\n`);
	return 0;
}

async function ownVersionProblems(manifest: Manifest): Promise<string[]> {
	const lock = JSON.parse(await read('package-lock.json')) as Partial<Manifest> & {
		readonly packages: Readonly<Record<string, Partial<Manifest>>>;
	};
	// Outside a git repository there are no tags.
	const options = { cwd: projectFolder, reject: false };
	const { stdout } = await execa('git', ['tag', '--points-at', 'HEAD'], options);
	return versionProblems({
		manifest: manifest.version,
		lock: [lock.version, lock.packages['']?.version],
		changelog: await read('CHANGELOG.md'),
		tags: stdout.split('\n'),
	});
}

function read(file: string): Promise<string> {
	return readFile(join(projectFolder, file), 'utf8');
}
